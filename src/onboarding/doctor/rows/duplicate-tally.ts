import { uuidText } from '../../../domain/key.js';
import { createCounter, type Counted } from './counted.js';

/** Keys that come more than once. */
export interface DuplicateTally {
  see(key: string, name: string): void;
  result(): Counted;
}

/** Rows come in the order of their keys, so equal ones are neighbours; only spellings of one UUID are apart. */
export function createDuplicateTally(): DuplicateTally {
  const duplicates = createCounter();
  const spelt = new Set<string>();
  let last: string | null = null;
  return {
    see(key, name) {
      const uuid = uuidText(key);
      const other = uuid !== null && uuid !== key;
      if (key === last || (uuid !== null && spelt.has(uuid))) duplicates.add(name);
      if (other) spelt.add(uuid);
      last = key;
    },
    result: () => ({ count: duplicates.count, sample: duplicates.sample }),
  };
}
