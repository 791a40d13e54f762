/*
 * Which troubles are notified, and how a message leaves: what `notify` of the configuration may name.
 */

/** Troubles that are notified; of records only in masses (`isMass`). */
export const NOTIFIED_TROUBLES = [
  'held',
  'auth-refused',
  'stale',
  'webhook-refused',
  'taken-down',
  'area-stopped',
  'failed',
  'rejected',
  'invalid',
  'waiting',
] as const;
export type NotifiedTrouble = (typeof NOTIFIED_TROUBLES)[number];

/** What a message reports: that a trouble began, or that one ended. */
export const NOTICE_KINDS = [...NOTIFIED_TROUBLES, 'recovered'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** How a message leaves. */
export type NoticeWay = 'url' | 'smtp';
