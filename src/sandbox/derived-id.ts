import { createHash } from 'node:crypto';

/**
 * A UUID that is the same for the same input, so that two sandboxes answer alike.
 * @param label what the id is of, so that several ids of one record differ
 * @param from usually the id in the path
 */
export function derivedId(label: string, from: string): string {
  const hex = createHash('sha256').update(`${label}:${from}`).digest('hex');
  // Version 8 (free form) and the RFC's variant.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
