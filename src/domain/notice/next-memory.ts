import type { NoticeWay, NotifiedTrouble } from './notice.js';
import type { Observation } from './observation.js';

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
  /** An entity or an area. */
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
export function quietFrom(now: Date): { readonly quietUntil: Date } {
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
