import type { TroubleSubject } from '../trouble/trouble.js';

/** Troubles that are notified: an entity is held, an area refuses our credentials, an entity is stale. */
export const NOTIFIED_TROUBLES = ['held', 'auth-refused', 'stale'] as const;
export type NotifiedTrouble = (typeof NOTIFIED_TROUBLES)[number];

/** What a message reports: that a trouble began, or that one ended. */
export const NOTICE_KINDS = [...NOTIFIED_TROUBLES, 'recovered'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** How a message leaves. */
export const NOTICE_WAYS = ['url', 'smtp'] as const;
export type NoticeWay = (typeof NOTICE_WAYS)[number];

/** One message: the JSON that `notify.url` receives. No payload, no key and no personal data is in it. */
export interface Notice {
  /** One per change of state: a message that was sent twice has the same. */
  readonly id: string;
  readonly notice: NoticeKind | 'test';
  /** The trouble that ended; null unless `notice` is `recovered`. */
  readonly was: NotifiedTrouble | null;
  /** Null in a test. */
  readonly subject: TroubleSubject | null;
  /** When the trouble began, ISO 8601 UTC. */
  readonly since: string | null;
  /** When the worker noticed the change, ISO 8601 UTC. */
  readonly at: string;
  readonly reason: string;
  /** The hint: what to do, with the command; null: nothing. */
  readonly help: string | null;
  /** Everything on one line, for people. */
  readonly text: string;
  /** The process that sends it. */
  readonly worker: string;
}
