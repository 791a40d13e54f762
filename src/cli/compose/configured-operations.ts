import { dialectOf } from '../../config/schema.js';
import type { LoadedConfig } from '../../config/load.js';
import { OPERATIONS } from '../../entities/index.js';

/** Every operation of the contract, with the method, path and statuses that the configuration gives it. */
export function configuredOperations({ platform }: LoadedConfig['settings']): typeof OPERATIONS {
  return Object.fromEntries(
    Object.entries(OPERATIONS).map(([name, operation]) => [
      name,
      { ...operation, ...dialectOf(platform, operation.area).operations[name] },
    ]),
  );
}
