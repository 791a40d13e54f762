import { SyncError } from '../../domain/errors.js';
import type { TenantDefinition } from '../../ports/tenants.js';
import { environmentReader, type EnvironmentVariables } from '../environment-variables.js';
import { interpolate } from '../interpolate.js';
import { parseYaml } from '../parse-yaml.js';
import { postgresUrl } from '../setting-types.js';
import { valueAt } from '../value-at.js';
import { NOTHING_SHARED, withinWall, type FleetVariables } from './tenant-variables.js';

/** Where a tenant's ledger is. */
export interface TenantLedger {
  /** Null: in the fleet's database. */
  readonly url: string | null;
  readonly schema: string;
}

/**
 * Where a tenant's ledger is, read without its other settings, so that ledgers can be migrated without the tenants'
 * secrets. Errors: SyncError `config-invalid` when `state.url` names a variable that is not set or not the tenant's, or with the variables
 * filled in is empty (elsewhere that means the source database) or is no address; never with its value.
 */
export function tenantLedger(
  { name, configuration, schema, ledgerHere }: TenantDefinition,
  {
    variables = NOTHING_SHARED,
    env,
    cwd = '.',
  }: {
    readonly variables?: FleetVariables;
    readonly env: EnvironmentVariables;
    readonly cwd?: string;
  },
): TenantLedger {
  if (ledgerHere) return { url: null, schema };
  const given = valueAt(parseYaml(configuration).data, ['state', 'url']);
  const { data, problems } = interpolate(
    { url: String(given) },
    withinWall(name, variables, environmentReader(env, cwd)),
  );
  const { url } = data as { url: string };
  const problem = problems[0]?.message ?? (url.trim() === '' ? `${String(given)} is empty` : null);
  // Of an address in another form nobody knows where its password is, so whatever fails later would show it.
  const form = problem === null ? postgresUrl().safeParse(url).error?.issues[0]?.message : undefined;
  if (problem !== null || form !== undefined) {
    throw new SyncError('config-invalid', `tenant ${name}: state.url: ${problem ?? form}`, {
      scope: 'usage',
      hint:
        problem === null
          ? `Correct the value of ${String(given)} in the environment of this command.`
          : 'Set the variable in the environment of this command, or correct the file of the tenant and apply it again.',
    });
  }
  return { url, schema };
}
