import type { ValueCount } from './facts.js';
import { LOOK_LIMITS } from './look-limits.js';

/** Whether these counts are of the whole table; of a larger one only its first rows are counted. Pure. */
export function areAllRowsCounted(counts: readonly Pick<ValueCount, 'count'>[]): boolean {
  return counts.reduce((total, { count }) => total + count, 0) < LOOK_LIMITS.countedRows;
}
