import { type AreaDeviations, DEVIATIONS_FILE, type DeviationsInput } from '../../config/deviations.js';
import type { Operation, Operations } from '../../contract/operation.js';
import { type Area, AREAS } from '../../domain/names.js';
import { type Match, operationFinder } from '../find-operation.js';
import { type AreaDialect, areaDialect, type DialectOptions } from './area-dialect.js';

/**
 * Everything in which the platform of a rehearsal differs now from the interface. It can be replaced while the sandbox
 * runs.
 */
export interface ActiveDeviations {
  of(area: Area): AreaDeviations;
  dialect(area: Area): AreaDialect;
  /** Every operation, with the methods and paths in force. */
  operations(): Operations;
  findOperation(method: string, path: string): Match | null;
  /** Others from the next request on. Throws a SyncError `usage` when they are not as in a deviations file. */
  replace(input: DeviationsInput): void;
  /** As they were written. */
  report(): DeviationsInput;
}

/**
 * @param operations methods and paths without deviations
 * @param dialects signature and paths of each area without deviations
 */
export function createActiveDeviations(
  initial: DeviationsInput,
  operations: Operations,
  dialects: Readonly<Record<Area, DialectOptions>>,
): ActiveDeviations {
  const read = (input: DeviationsInput) => {
    const deviations = DEVIATIONS_FILE.checked(input);
    const spoken = Object.fromEntries(
      AREAS.map((area) => [area, areaDialect(dialects[area], deviations[area].requests)]),
    ) as Record<Area, AreaDialect>;
    const served = Object.values(operations).map((each) => deviated(each, deviations[each.area]));
    return {
      input,
      deviations,
      spoken,
      operations: Object.fromEntries(served.map((each) => [each.name, each])),
      find: operationFinder(
        served.map((operation) => ({ operation, prefixes: spoken[operation.area].prefixes })),
      ),
    };
  };
  let now = read(initial);
  return {
    of: (area) => now.deviations[area],
    dialect: (area) => now.spoken[area],
    operations: () => now.operations,
    findOperation: (method, path) => now.find(method, path),
    replace: (input) => {
      now = read(input);
    },
    report: () => now.input,
  };
}

function deviated(operation: Operation, { operations }: AreaDeviations): Operation {
  const { method = operation.method, path = operation.path } = operations[operation.name] ?? {};
  return { ...operation, method, path };
}
