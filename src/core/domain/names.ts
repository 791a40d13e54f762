/** The two halves of the platform. Each has its own base address, credentials and rate limit (interface, head). */
export const AREAS = ['jobs', 'training'] as const;

export type Area = (typeof AREAS)[number];

/**
 * Name of a kind of record, as in the configuration, the CLI, the ledger and the metrics. The registry lists them
 * (`entities/index.ts`); each name from outside is checked against it on entry.
 */
export type EntityName = string;

/** Derived, never stored; in the order in which they are tried. */
export const RECORD_STATUSES = [
  'vanished',
  'invalid',
  'rejected',
  'waiting',
  'deferred',
  'pending',
  'synced',
] as const;

export type RecordStatus = (typeof RECORD_STATUSES)[number];

/** Languages of the worker's texts; commands and notices use the first. */
export const LANGUAGES = ['en', 'id'] as const;

export type Language = (typeof LANGUAGES)[number];

/** Records of an entity that are still to be sent. A child of a parent that does not come (blocked) is not. */
export function countUnsent(
  counts: Readonly<Record<'pending' | 'deferred' | 'waiting' | 'blocked', number>>,
): number {
  return counts.pending + counts.deferred + counts.waiting - counts.blocked;
}
