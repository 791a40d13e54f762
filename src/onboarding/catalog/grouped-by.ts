import { groupBy } from '../../domain/group-by.js';

/** The entries of a list by a key, each group in the order of the list: a search through the list for each key is quadratic. */
export function groupedBy<K, T>(list: readonly T[], keyOf: (each: T) => K): (key: K) => readonly T[] {
  const groups = groupBy(list, keyOf);
  return (key) => groups.get(key) ?? [];
}
