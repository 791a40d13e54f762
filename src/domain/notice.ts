import type { TroubleSubject } from './trouble/trouble.js';

/**
 * What is remembered of a trouble that is notified, and what a look at everything makes of it (`nextMemory`): one
 * message when it begins, one when it ends, and quiet in between.
 */

/** Troubles that are notified; `rejected` only in masses (`isMass`). */
export const NOTIFIED_TROUBLES = [
  'held',
  'auth-refused',
  'stale',
  'webhook-refused',
  'taken-down',
  'area-stopped',
  'failed',
  'rejected',
] as const;
export type NotifiedTrouble = (typeof NOTIFIED_TROUBLES)[number];

/** What a message reports: that a trouble began, or that one ended. */
export const NOTICE_KINDS = [...NOTIFIED_TROUBLES, 'recovered'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** How a message leaves. */
export type NoticeWay = 'url' | 'smtp';

/** One message: the JSON that `notify.url` receives. No payload, no key and no personal data is in it. */
export interface Notice {
  /** One per change of state: a message that was sent twice has the same. */
  readonly id: string;
  readonly notice: NoticeKind | 'test';
  /** The trouble that ended; null unless `notice` is `recovered`. */
  readonly was: NotifiedTrouble | null;
  /** Null in a test, and of the webhook. */
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

/** What is known now about one possible trouble of one subject. */
export interface Observation {
  readonly trouble: NotifiedTrouble;
  /** An entity, an area, or the webhook. */
  readonly subject: string;
  /** Null: there is no such trouble. */
  readonly found: {
    /** Null: since the first look. */
    readonly since: Date | null;
    /** It must last this long to be a trouble, milliseconds. */
    readonly afterMs: number;
    readonly reason: string;
    readonly help: string;
  } | null;
}

/** What one way of notifying remembers about one trouble of one subject. The names are stored. */
export type MemoryState =
  /** Not a trouble yet, because it has not lasted long enough. */
  | 'watched'
  /** It lasts, and its message is to be sent. */
  | 'begun'
  /** It lasts, and its message was sent. */
  | 'told'
  /** It lasts; its message failed for so long that the worker gave it up. */
  | 'unheard'
  /** It is over, and the message of its end is to be sent. */
  | 'ended'
  /** It is over, and no message is sent until `quietUntil`. */
  | 'quiet';

export interface NoticeMemory {
  readonly way: NoticeWay;
  readonly trouble: NotifiedTrouble;
  /** An entity, an area, or the webhook. */
  readonly subject: string;
  readonly state: MemoryState;
  /** Id of the message that is to be sent or was sent last. */
  readonly noticeId: string;
  readonly since: Date;
  readonly reason: string;
  readonly help: string;
  /** When the state last changed. */
  readonly changedAt: Date;
  /** No message about the trouble before this time; null: no such limit. */
  readonly quietUntil: Date | null;
  /** A delivery is running or was interrupted: the receiver may have the message. */
  readonly inDoubt: boolean;
}

export interface MemoryOptions {
  /** The state database's time. */
  readonly now: Date;
  /** Whether the end of a trouble is notified. */
  readonly notifiesRecovery: boolean;
  readonly newId: () => string;
}

/** A trouble that comes back sooner than this after the message of its end waits, and is notified if it lasts. */
export const QUIET_MS = 3_600_000;

/**
 * The memory after an observation; null: none. It makes one message per change of state: only `begun` and `ended` send
 * one, and neither is entered again while the trouble lasts or is over. A subject whose state comes and goes makes two
 * messages an hour at most.
 */
export function nextMemory(
  memory: NoticeMemory | null,
  way: NoticeWay,
  observation: Observation,
  options: MemoryOptions,
): NoticeMemory | null {
  const { now, notifiesRecovery } = options;
  const lasted = observation.found && age(memory, observation.found, now) >= observation.found.afterMs;
  const enter = (state: MemoryState, changes: Partial<NoticeMemory> = {}): NoticeMemory => ({
    ...(memory ?? blank(way, observation, options)),
    state,
    noticeId: options.newId(),
    changedAt: now,
    inDoubt: false,
    ...changes,
  });
  const begin = () => {
    const { since, reason, help } = observation.found ?? { since: null, reason: '', help: '' };
    const known = memory?.state === 'watched' ? memory.since : now;
    return enter('begun', { since: since ?? known, reason, help });
  };
  const end = () =>
    notifiesRecovery ? enter('ended', { quietUntil: null }) : enter('quiet', quietFrom(now));

  switch (memory?.state) {
    case undefined:
    case 'watched':
      if (lasted) return begin();
      return observation.found?.since === null ? (memory ?? enter('watched')) : null;
    case 'begun':
      if (lasted) return memory;
      // The receiver may have the message, so it must learn of the end.
      if (memory.inDoubt) return end();
      return isQuiet(memory, now) ? enter('quiet') : null;
    case 'told':
      return lasted ? memory : end();
    case 'unheard':
      return lasted ? memory : null;
    case 'ended':
      // The receiver still believes that it lasts, unless it may have the message of the end.
      if (!lasted) return memory;
      return memory.inDoubt ? begin() : enter('told');
    case 'quiet':
      if (lasted) return begin();
      return isQuiet(memory, now) ? memory : null;
  }
}

/** Until when a trouble is not notified again after the message of its end. */
function quietFrom(now: Date): { readonly quietUntil: Date } {
  return { quietUntil: new Date(now.getTime() + QUIET_MS) };
}

function age(memory: NoticeMemory | null, found: NonNullable<Observation['found']>, now: Date): number {
  const since = found.since ?? (memory && memory.state !== 'quiet' ? memory.since : now);
  return now.getTime() - since.getTime();
}

function isQuiet({ quietUntil }: NoticeMemory, now: Date): boolean {
  return quietUntil !== null && quietUntil > now;
}

function blank(
  way: NoticeWay,
  { trouble, subject }: Observation,
  { now, newId }: MemoryOptions,
): NoticeMemory {
  return {
    way,
    trouble,
    subject,
    state: 'watched',
    noticeId: newId(),
    since: now,
    reason: '',
    help: '',
    changedAt: now,
    quietUntil: null,
    inDoubt: false,
  };
}
