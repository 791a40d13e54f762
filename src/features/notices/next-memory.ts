import type { NoticeKind, NoticeWay, NotifiedTrouble } from '../../core/domain/notice.js';
import type { TroubleSubject } from '../../core/domain/trouble/trouble.js';

/**
 * What is remembered of a trouble that is notified, and what a look at everything makes of it (`nextMemory`): one
 * message when it begins, one when it ends, and quiet in between, while it is the same trouble: kind, subject and cause.
 */

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
    /** The same by the clock of whoever saw it begin, for people; null or left out: not known. */
    readonly began?: Date | null;
    /** It must last this long to be a trouble, milliseconds. */
    readonly afterMs: number;
    readonly reason: string;
    readonly help: string;
    /** By name; two causes of one trouble of one subject are two troubles. */
    readonly cause: string;
    /** How many records it is about; null: that says nothing. */
    readonly size: number | null;
  } | null;
}

type Found = NonNullable<Observation['found']>;

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
  /** It is over; what was reported is remembered. */
  | 'quiet';

/** What the message of a memory is about, and what was reported before. The names are stored. */
export interface NoticeAbout {
  /** Null: not known. */
  readonly cause: string | null;
  readonly size: number | null;
  /** The receiver has an earlier message of the trouble, and none of its end. */
  readonly heard: boolean;
  /** By cause. */
  readonly told: Readonly<Record<string, Telling>>;
}

interface Telling {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** It was reported shortly before, too. */
  readonly again: boolean;
  readonly size: number | null;
}

export const NOTHING_TOLD: NoticeAbout = { cause: null, size: null, heard: false, told: {} };

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
  /** The message of its beginning is not due before this time; null: no such limit. */
  readonly quietUntil: Date | null;
  /** A delivery is running or was interrupted: the receiver may have the message. */
  readonly inDoubt: boolean;
  readonly about: NoticeAbout;
}

export interface MemoryOptions {
  /** The state database's time. */
  readonly now: Date;
  /** Whether the end of a trouble is notified. */
  readonly notifiesRecovery: boolean;
  readonly newId: () => string;
}

/** A cause that was reported again waits so long until it is reported once more, if it lasts. */
const QUIET_MS = 3_600_000;

/** Job applications are lost while webhooks are refused. Not at once: anybody can send one that is refused. */
const QUIET_OF: Partial<Record<NotifiedTrouble, number>> = { 'webhook-refused': 300_000 };

/** How long a report of a cause is remembered: the next one within that time is a repetition. */
const REMEMBERED_MS = 2 * QUIET_MS;

/** From so many times the size on, the same cause is another trouble. */
const MUCH_LARGER = 3;

/**
 * The memory after an observation; null: none. Only `begun` and `ended` send a message. While a trouble lasts, another cause
 * or a much larger size begins again. After its end the same cause begins once more at once; then it waits for an hour
 * (`dueAt`), so that one that comes and goes makes two messages an hour.
 */
export function nextMemory(
  memory: NoticeMemory | null,
  way: NoticeWay,
  observation: Observation,
  options: MemoryOptions,
): NoticeMemory | null {
  const { now, notifiesRecovery } = options;
  const { found } = observation;
  const lasted = found !== null && age(memory, found, now) >= found.afterMs;
  const about = memory?.about ?? NOTHING_TOLD;
  const believed = memory?.state === 'told' || (memory?.state === 'begun' && memory.inDoubt);
  const told = memory && believed ? noted(memory) : about.told;
  const enter = (state: MemoryState, changes: Partial<NoticeMemory> = {}): NoticeMemory => ({
    ...(memory ?? blank(way, observation, options)),
    state,
    noticeId: options.newId(),
    changedAt: now,
    quietUntil: null,
    inDoubt: false,
    about: { ...about, told, heard: false },
    ...changes,
  });
  const begin = ({ since, began, reason, help, cause, size }: Found) => {
    const looked = memory?.state === 'watched' ? memory.since : now;
    const known = began && began < looked ? began : looked;
    const heard = believed || about.heard || (memory?.state === 'ended' && !memory.inDoubt);
    const quietUntil = dueAt(told[cause], size, now, QUIET_OF[observation.trouble]);
    const changes = { reason, help, quietUntil, about: { cause, size, told, heard } };
    return enter('begun', { since: since ?? known, ...changes });
  };
  const end = () => enter(notifiesRecovery ? 'ended' : 'quiet');
  const rest = () => {
    if (!Object.values(told).some(({ at }) => at + REMEMBERED_MS > now.getTime())) return null;
    return memory?.state === 'quiet' ? memory : enter('quiet');
  };
  const isOther = lasted && (found.cause !== about.cause || isMuchLarger(found.size, about.size));
  const goOn = (as: NoticeMemory) => {
    // Reported by an earlier version.
    if (lasted && about.cause === null)
      return { ...as, about: { ...about, cause: found.cause, size: found.size } };
    return isOther && dueAt(told[found.cause], found.size, now) === null ? begin(found) : as;
  };

  switch (memory?.state) {
    case undefined:
    case 'watched':
    case 'quiet':
      if (lasted) return begin(found);
      if (found?.since === null)
        return memory?.state === 'watched' ? memory : enter('watched', { since: now });
      return rest();
    case 'begun':
      if (lasted) return isOther ? begin(found) : memory;
      // The receiver may have the message, or has an earlier one, so it must learn of the end.
      return memory.inDoubt || about.heard ? end() : rest();
    case 'told':
      return lasted ? goOn(memory) : end();
    case 'unheard':
      if (lasted) return goOn(memory);
      return about.heard ? end() : rest();
    case 'ended':
      if (!lasted) return memory;
      // The receiver still believes that it lasts, unless it may have the message of the end.
      return memory.inDoubt ? begin(found) : goOn(enter('told'));
  }
}

/** What is remembered of all causes, with the message that the receiver has. */
function noted({ about: { cause, size, told }, changedAt }: NoticeMemory): NoticeAbout['told'] {
  const at = changedAt.getTime();
  const recent = Object.entries(told).filter(([, telling]) => telling.at + REMEMBERED_MS > at);
  const before = Object.fromEntries(recent)[cause ?? ''];
  const largest = Math.max(size ?? 0, before?.size ?? 0);
  return { ...Object.fromEntries(recent), [cause ?? '']: { at, again: before !== undefined, size: largest } };
}

/** When a cause may be reported; null: now. */
function dueAt(before: Telling | undefined, size: number | null, now: Date, quietMs = QUIET_MS): Date | null {
  if (!before?.again || isMuchLarger(size, before.size)) return null;
  const due = before.at + quietMs;
  return due > now.getTime() ? new Date(due) : null;
}

function isMuchLarger(size: number | null, before: number | null): boolean {
  return size !== null && before !== null && before > 0 && size >= before * MUCH_LARGER;
}

function age(memory: NoticeMemory | null, found: Found, now: Date): number {
  const since = found.since ?? (memory && memory.state !== 'quiet' ? memory.since : now);
  return now.getTime() - since.getTime();
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
    about: NOTHING_TOLD,
  };
}
