import { ENTITY_NAMES } from '../domain/entity-name.js';
import { ENTITIES } from '../entities/index.js';
import type { Problem, SettingPath } from './problem.js';
import { valueAt } from './value-at.js';

const NOT_YET = 'is not available in this version';

/**
 * Settings that are part of the configuration's language but have no code behind them yet. They are refused
 * when somebody asks for them: to accept and ignore them would be a false promise.
 *
 * @param data interpolated data
 * @returns a problem each; the schema's findings below the same path are of no interest then
 */
export function checkNotYet(data: unknown): Problem[] {
  const registered = new Set(ENTITIES.map(({ name }) => name));
  const found: Problem[] = [];
  for (const name of ENTITY_NAMES) {
    const block: SettingPath = ['entities', name];
    if (valueAt(data, block) === undefined) continue;
    if (!registered.has(name)) {
      found.push({ path: block, message: `${NOT_YET}; remove the block` });
      continue;
    }
  }
  return found;
}
