/** The checks of a first contact, in the order in which they are made. Public interface. */
export const CHECK_IDS = [
  'reachable',
  'clock',
  'wrong-signature',
  'unknown-id',
  'put-status',
  'envelope',
  'reference',
  'find-shape',
  'same-reference',
  'absent-field',
  'parent-reference',
  'request-id-reuse',
  'rate-headers',
] as const;

export type CheckId = (typeof CHECK_IDS)[number];
