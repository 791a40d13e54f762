import { uuidText } from './uuid-text.js';

/** The UUIDs among these keys: their case does not matter. Pure. */
export function uuidsOf(keys: readonly string[]): readonly string[] {
  return keys.flatMap((key) => uuidText(key) ?? []);
}
