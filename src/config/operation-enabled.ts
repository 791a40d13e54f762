import type { OperationName } from '../contract/operation.js';
import { operation } from '../entities/index.js';

/**
 * Whether an operation may be used. Deletes are off until the configuration names them: their paths are assumed.
 *
 * @param override the block `platform.operations.<name>`; undefined without one
 */
export function operationEnabled(name: OperationName, override: unknown): boolean {
  const { enabledByDefault } = operation(name);
  if (typeof override !== 'object' || override === null) return enabledByDefault;
  const { enabled } = override as { readonly enabled?: unknown };
  return enabled !== false;
}
