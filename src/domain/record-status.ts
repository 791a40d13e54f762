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
