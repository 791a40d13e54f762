import type { Area } from '../area.js';
import type { EntityName } from '../entity-name.js';

/** What is wrong: an entity is held, an area refuses our authentication, an entity is stale. */
export const TROUBLES = ['held', 'auth-refused', 'stale'] as const;
export type Trouble = (typeof TROUBLES)[number];

/** What a message tells: that a trouble began, or that one ended. */
export const NOTICE_KINDS = [...TROUBLES, 'recovered'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** How a message leaves. */
export const NOTICE_WAYS = ['url', 'smtp'] as const;
export type NoticeWay = (typeof NOTICE_WAYS)[number];

/** Whose trouble it is: an area is refused, an entity is held or stale. */
export type NoticeSubject = { readonly entity: EntityName } | { readonly area: Area };

/** One message: the JSON that `notify.url` receives. No payload, no key and no personal data is in it. */
export interface Notice {
  /** One per change of state: a message that was sent twice has the same. */
  readonly id: string;
  readonly notice: NoticeKind | 'test';
  /** The trouble that ended; null unless `notice` is `recovered`. */
  readonly was: Trouble | null;
  /** Null in a test. */
  readonly subject: NoticeSubject | null;
  /** When the trouble began, ISO 8601 UTC. */
  readonly since: string | null;
  /** When it was noticed that the state changed, ISO 8601 UTC. */
  readonly at: string;
  readonly reason: string;
  /** What to do, with the command; null: nothing. */
  readonly help: string | null;
  /** All of it for people, on one line. */
  readonly text: string;
  /** The process that tells. */
  readonly worker: string;
}
