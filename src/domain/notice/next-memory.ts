import type { Area } from '../area.js';
import type { EntityName } from '../entity-name.js';
import type { NoticeWay, NotifiedTrouble } from './notice.js';
import type { Observation } from './observation.js';

/**
 * What one way of telling remembers of one trouble of one subject.
 * - `watched`: not a trouble yet, because it has not lasted long enough
 * - `begun`: it lasts, and is to be told
 * - `told`: it lasts, and was told
 * - `unheard`: it lasts; telling it failed for so long that it was given up
 * - `ended`: it is over after it was told, which is to be told
 * - `quiet`: it is over, and nothing is to be told until `quietUntil`
 */
export type MemoryState = 'watched' | 'begun' | 'told' | 'unheard' | 'ended' | 'quiet';

export interface NoticeMemory {
  readonly way: NoticeWay;
  readonly trouble: NotifiedTrouble;
  readonly subject: EntityName | Area;
  readonly state: MemoryState;
  /** Of the message that is to be told or was told last. */
  readonly noticeId: string;
  readonly since: Date;
  readonly reason: string;
  readonly help: string;
  /** When the state became what it is. */
  readonly changedAt: Date;
  /** The trouble is not told anew before this; null: at once. */
  readonly quietUntil: Date | null;
  /** A message is on its way, or one was cut off: the receiver may have it. */
  readonly inDoubt: boolean;
}

export interface MemoryOptions {
  /** The state database's time. */
  readonly now: Date;
  /** Whether the end of a trouble is told. */
  readonly tellsRecovery: boolean;
  readonly newId: () => string;
}

/** A trouble that comes back sooner than this after its end was told waits, and is told if it lasts. */
export const QUIET_MS = 3_600_000;

/**
 * What is remembered after an observation; null: nothing. One message per change of state follows from it: only `begun` and
 * `ended` are told, and neither is entered again while the trouble lasts or is over. A subject whose state goes to and
 * fro is told of twice an hour at most.
 */
export function nextMemory(
  memory: NoticeMemory | null,
  way: NoticeWay,
  observation: Observation,
  options: MemoryOptions,
): NoticeMemory | null {
  const { now, tellsRecovery } = options;
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
  const end = () => (tellsRecovery ? enter('ended', { quietUntil: null }) : enter('quiet', quietFrom(now)));

  switch (memory?.state) {
    case undefined:
    case 'watched':
      if (lasted) return begin();
      return observation.found?.since === null ? (memory ?? enter('watched')) : null;
    case 'begun':
      if (lasted) return memory;
      // What the receiver may have heard must be taken back.
      if (memory.inDoubt) return end();
      return isQuiet(memory, now) ? enter('quiet') : null;
    case 'told':
      return lasted ? memory : end();
    case 'unheard':
      return lasted ? memory : null;
    case 'ended':
      // The receiver knows it as lasting, and so it does again; unless it may have heard of the end.
      if (!lasted) return memory;
      return memory.inDoubt ? begin() : enter('told');
    case 'quiet':
      if (lasted) return begin();
      return isQuiet(memory, now) ? memory : null;
  }
}

/** Until when a trouble whose end was told is not told anew. */
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
