/** The entries of a list by a key, each group in the order of the list: a search through the list for each key is quadratic. */
export function groupedBy<K, T>(list: readonly T[], keyOf: (each: T) => K): (key: K) => readonly T[] {
  const groups = new Map<K, T[]>();
  for (const each of list) {
    const key = keyOf(each);
    const group = groups.get(key);
    if (group) group.push(each);
    else groups.set(key, [each]);
  }
  return (key) => groups.get(key) ?? [];
}
