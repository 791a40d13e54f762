import type { Problem, SettingPath } from './problem.js';
import { valueAt } from './value-at.js';

const WHERE_THE_FLEET_HAS_IT: readonly (readonly [path: SettingPath, hint: string])[] = [
  [
    ['state', 'url'],
    'without it the fleet has the ledger in its own database and not in the source; give the address of that database',
  ],
  [['state', 'schema'], 'without it the fleet derives another name; give the one that fleet list shows'],
];

/**
 * Rules for the file of a tenant outside of the fleet. The defaults of where a ledger is are others in a fleet: with
 * those of a usual configuration a command would use a second, empty ledger, and send everything again.
 *
 * @param data interpolated data, perhaps with mistakes
 */
export function tenantAloneProblems(data: unknown): Problem[] {
  if (valueAt(data, ['tenant']) === undefined) return [];
  return WHERE_THE_FLEET_HAS_IT.filter(([path]) => valueAt(data, path) === undefined).map(([path, hint]) => ({
    path,
    message: `is required here, because the file has the block "tenant" and this command is not one of the fleet: ${hint}`,
  }));
}
