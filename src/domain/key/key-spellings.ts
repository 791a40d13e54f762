import { uuidText } from './uuid-text.js';

/** A key as it was asked for, and the forms in which a source may have a UUID: Postgres' own, and other systems' text. */
export function keySpellings(key: string): readonly string[] {
  const uuid = uuidText(key);
  return [...new Set([key, ...(uuid === null ? [] : [uuid, uuid.toUpperCase()])])];
}
