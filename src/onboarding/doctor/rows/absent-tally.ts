import type { Tally } from './tally.js';

/** In how many rows each column is absent: null, empty or blank. */
export function createAbsentTally(columns: readonly string[]): Tally<ReadonlyMap<string, number>> {
  const counts = new Map(columns.map((column) => [column, 0]));
  return {
    see({ row }) {
      for (const column of columns) {
        const value = row[column];
        if (value === null || value === undefined || (typeof value === 'string' && value.trim() === ''))
          counts.set(column, (counts.get(column) ?? 0) + 1);
      }
    },
    result: () => counts,
  };
}
