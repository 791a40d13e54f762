import type { Operation, OperationName, Operations } from '../contract/operation.js';
import { ENTITIES } from './index.js';

/** Everything the platform lists, entity by entity (interface §4). */
export const OPERATIONS: Operations = Object.fromEntries(
  ENTITIES.flatMap(({ operations }) => operations.map((each) => [each.name, each])),
);

export const OPERATION_NAMES: readonly OperationName[] = Object.keys(OPERATIONS);

/**
 * The operation of this name, among those of a configuration or of the contract. Throws for a name that no contract
 * has: the configuration refuses it first.
 */
export function operation(name: OperationName, among: Operations = OPERATIONS): Operation {
  const found = among[name];
  if (found === undefined) throw new TypeError(`there is no operation ${name} in the contract`);
  return found;
}
