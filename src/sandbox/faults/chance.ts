import { createHash } from 'node:crypto';

/**
 * A number from 0 (included) to 1 (excluded) that depends on the parts alone, evenly spread. No stream is shared, so
 * that requests at the same time do not change each other's.
 */
export function chance(...parts: readonly (string | number)[]): number {
  return createHash('sha256').update(JSON.stringify(parts)).digest().readUIntBE(0, 6) / 2 ** 48;
}
