import { type LearnedRate, learnRate, type RateNews } from '../domain/learned-rate.js';
import type { Clock } from '../ports/clock.js';
import { createSlotScheduler } from '../platform/slot-scheduler.js';
import type { RateLearning, RateLimit } from '../ports/platform.js';
import type { SharedRates } from '../ports/tenants.js';
import { untilFirstAbort } from '../runtime/time.js';

/** Slots of so much of a second are reserved at a time: enough for the way to the database, and few are lost with a process. */
const BLOCKS_PER_SECOND = 20;
/**
 * A slot that is missed by more than this is not used any more, milliseconds. The step between slots bears 50; the rest is
 * for the way from here to the platform.
 */
const MISSED_MS = 30;
/** A request that left so long after its slot counts as late, milliseconds: the way to the platform has the rest of the 50. */
const LATE_MS = 40;
/** Time between two looks whether a connection is open, milliseconds. */
const LOOK_MS = 5;
/** How long after a failure of the database it is asked again, milliseconds. */
const RETRY_MS = 1_000;

interface SharedRateOptions {
  readonly rates: SharedRates;
  /** Whose rate it is (`credentialText`). */
  readonly credential: string;
  /** Most requests of all processes in any sliding second at the server; below 1: one in 1/rate seconds. */
  readonly ratePerSecond: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** One for all rates of a process: what the first answers of a rate would be too late to say, others have learned. */
  readonly databaseClock: SharedClock;
}

/** What this process may send of a rate that it shares with other processes. */
export interface SharedRate {
  /** A limit of one tenant. `concurrency`: most attempts at a time. */
  limit(concurrency: number): RateLimit;
}

/**
 * A rate that several processes share: each sends at the times that the database hands out, so that requests of all
 * leave evenly.
 *
 * There is one reservation at a time for a process and its tenants, for no more attempts than wait. The next is made when the
 * first slot of the last has come. So processes with work take turns, what is handed out lies within a few tenths of a
 * second, and a process that is killed takes no more along. In a process that tenant is next which has waited longest since
 * its last slot: a newcomer goes first.
 *
 * A slot that is missed is lost. It could be used later only if another one were left empty for it, since each second already
 * holds what it may. What had its slot in time and left too late nevertheless, because the process stood still or a connection
 * had to be opened, is paid back like that: this process leaves its next slot empty. In the seconds that hold the late
 * request, one slot is missing then. That is right as long as the next slot comes within a second of the late one's own.
 *
 * While the database fails, attempts wait, and it is asked again.
 *
 * What the platform teaches about the rate is kept with the credential: a 429 to one makes the slots of all fewer.
 */
export function createSharedRate(options: SharedRateOptions): SharedRate {
  const { ratePerSecond, clock } = options;
  const lessons = createLessons(options);
  const nextBlock = createBlockSource(options, lessons.know);
  const connection = createConnectionWatch(clock);
  /** Ascending. */
  let slots: number[] = [];
  /** Requests that left too late, for each of which a slot stays empty. */
  let owed = 0;
  let reserving = false;
  let timer: NodeJS.Timeout | undefined;
  let turns: Turn[] = [];

  const perSecond = (): number =>
    Math.min(ratePerSecond, lessons.learning.learned()?.perSecond ?? ratePerSecond);
  const most = (): number => Math.max(1, Math.floor(perSecond() / BLOCKS_PER_SECOND));
  const wanted = (): number => turns.reduce((sum, turn) => sum + turn.wanted(), 0);
  const missing = (): number => {
    if (connection.isOpening()) return 0;
    // The attempt that opens a connection goes alone.
    return Math.min(connection.isOpen() ? most() : 1, wanted() + owed) - slots.length;
  };

  const reserve = async (): Promise<void> => {
    if (reserving) return;
    reserving = true;
    // Attempts that come in the same moment share a reservation.
    await Promise.resolve();
    while (missing() > 0) {
      try {
        const block = await nextBlock(missing());
        slots.push(...block);
        if (block.length > 0) break;
      } catch {
        await new Promise<void>((resolve) => setTimeout(resolve, RETRY_MS).unref());
      }
    }
    reserving = false;
    goOn();
  };

  /** Leaves out slots that cannot be used; the first of the rest, if it has come. */
  const due = (): number | undefined => {
    const now = clock.monotonic();
    slots = slots.filter((at) => now - at <= MISSED_MS);
    for (; owed > 0 && (slots[0] ?? Infinity) <= now; owed--) slots.shift();
    return (slots[0] ?? Infinity) <= now && !connection.isOpening() ? slots[0] : undefined;
  };

  /** Who waits and has had no slot for longest. */
  const next = (): Turn | undefined => {
    turns = turns.filter((turn) => turn.wanted() > 0);
    return turns.reduce<Turn | undefined>(
      (first, turn) => (first === undefined || turn.servedAt < first.servedAt ? turn : first),
      undefined,
    );
  };

  /** Gives the slots that have come to those who wait, and sees to the following ones. */
  const goOn = (): void => {
    while (due() !== undefined) {
      const before = slots.length;
      next()?.wake();
      if (slots.length === before) break;
    }
    plan();
  };
  const plan = (): void => {
    clearTimeout(timer);
    const [first = Infinity] = slots;
    const waitMs = Math.ceil(first - clock.monotonic());
    const lookMs = connection.isOpening() ? LOOK_MS : Math.max(0, waitMs);
    if (lookMs < Infinity && (slots.length > 0 || wanted() > 0)) timer = setTimeout(goOn, lookMs).unref();
    if (missing() > 0) void reserve();
  };

  const startAt = (slot: number) => {
    let isReleased = false;
    let isWritten = false;
    const startedAt = clock.monotonic();
    const ended = connection.begin();
    const written = (): void => {
      if (!isWritten && clock.monotonic() - slot > LATE_MS) {
        owed++;
        plan();
      }
      isWritten = true;
    };
    return {
      release: () => (isReleased = true),
      written,
      answered(news: RateNews) {
        // Slots at the rate that was too high are not used any more.
        if (news.verdict === 'limited' || news.waitMs > 0) slots = [];
        lessons.take(news, clock.monotonic() - startedAt);
      },
      ended() {
        ended(!isReleased);
        if (isReleased) slots.unshift(slot);
        // Where nobody knows when it left, it left now.
        else written();
        goOn();
      },
    };
  };

  return {
    limit(concurrency) {
      const limit = createSlotScheduler(concurrency, (demand) => {
        const turn: Turn = { ...demand, servedAt: Number.NEGATIVE_INFINITY };
        return {
          take() {
            if (!turns.includes(turn)) turns.push(turn);
            const slot = due();
            if (slot === undefined || next() !== turn) {
              plan();
              return null;
            }
            slots.shift();
            turn.servedAt = clock.monotonic();
            return startAt(slot);
          },
        };
      });
      return { ...limit, learning: lessons.learning };
    },
  };
}

/** One limit among those that share the slots of a process. */
interface Turn {
  wanted(): number;
  wake(): void;
  /** Of its last slot, by `clock.monotonic()`. */
  servedAt: number;
}

/** Accepted requests are reported to the others together, so long after the first of them, milliseconds. */
const REPORT_MS = 2_000;

/**
 * What this limit has seen, shared with all that use the credential. A 429 is reported at once. Accepted requests count only
 * while something is learned. While the database fails, nothing is reported, and later replies teach it again.
 */
function createLessons({
  rates,
  credential,
  ratePerSecond,
}: Pick<SharedRateOptions, 'rates' | 'credential' | 'ratePerSecond'>) {
  let known: LearnedRate | null = null;
  let announcedBefore: number | null = null;
  let accepted = 0;
  let timer: NodeJS.Timeout | undefined;
  const report = async (...events: readonly Parameters<typeof learnRate>[1][]): Promise<void> => {
    const count = accepted;
    accepted = 0;
    const all = count > 0 ? [{ kind: 'accepted', count } as const, ...events] : events;
    try {
      known = await rates.learn(credential, (shared, now) =>
        all.reduce((learned, event) => learnRate(learned, event, ratePerSecond, now), shared),
      );
    } catch {
      accepted += count;
    }
  };
  const learning: RateLearning = {
    learned: () => known,
    // The row of the credential knows it better than the ledger of one tenant.
    resume: () => undefined,
  };
  return {
    learning,
    /** The row as it was read with slots. */
    know: (learned: LearnedRate | null) => void (known = learned),
    take({ verdict, announced, waitMs }: RateNews, elapsedMs: number) {
      if (waitMs > 0) void rates.pause(credential, waitMs).catch(() => undefined);
      if (announced !== null && announced !== announcedBefore) {
        announcedBefore = announced;
        void report({ kind: 'announced', perSecond: announced });
      }
      if (verdict === 'limited') void report({ kind: 'limited', elapsedMs, used: 0 });
      if (verdict !== 'accepted' || known === null) return;
      accepted += 1;
      timer ??= setTimeout(() => {
        timer = undefined;
        void report();
      }, REPORT_MS).unref();
    },
  };
}

/**
 * An answer that takes as long as the last one comes in time for its slots; so much of that counts, milliseconds. Without it,
 * a process that is alone, far from its database, would miss each slot that it gets.
 */
const LONGEST_LEAD_MS = 1_000;
/** Time between two looks whether a pause still lasts, milliseconds. */
const LOOK_AGAIN_MS = 1_000;
/** How long before a block's first slot the pause is read again, milliseconds. */
const LOOK_BEFORE_MS = 100;

/**
 * Reserves so many slots and waits for the first. Gives their moments of `clock.monotonic()`, ascending; none when the
 * platform asked for a pause meanwhile: then ask again. Its waits do not keep the process alive. Errors: those of
 * SharedRates.
 */
type NextBlock = (count: number) => Promise<readonly number[]>;

function createBlockSource(
  options: SharedRateOptions,
  know: (learned: LearnedRate | null) => void,
): NextBlock {
  const { rates, credential, ratePerSecond, clock, databaseClock } = options;
  const until = async (moment: number): Promise<void> => {
    for (let left = moment - clock.monotonic(); left > 0; left = moment - clock.monotonic())
      await new Promise<void>((resolve) => setTimeout(resolve, Math.ceil(left)).unref());
  };

  let tripMs = 0;
  return async (wanted) => {
    const askedAt = clock.monotonic();
    const leadMs = Math.min(tripMs, LONGEST_LEAD_MS);
    const reserved = await rates.reserve(credential, ratePerSecond, wanted, leadMs);
    const { at, waitMs, stepMs, count, learned } = reserved;
    know(learned);
    const answeredAt = clock.monotonic();
    tripMs = answeredAt - askedAt;
    const first = databaseClock.toOwn(at, askedAt, answeredAt) + waitMs;
    // The answer is in time, as far as it takes no longer than this one.
    const lookAt = first - LOOK_BEFORE_MS - 2 * (answeredAt - askedAt);
    if (lookAt > answeredAt) {
      // A pause may be ended by hand. Then its slots are much too late.
      for (let isPaused = false; lookAt - clock.monotonic() > LOOK_AGAIN_MS;) {
        const isPausedNow = (await rates.pauseLeft(credential)) > 0;
        if (isPaused && !isPausedNow) return [];
        isPaused = isPausedNow;
        await until(clock.monotonic() + LOOK_AGAIN_MS);
      }
      await until(lookAt);
      if ((await rates.pauseLeft(credential)) > first - clock.monotonic()) return [];
    }
    await until(first);
    return Array.from({ length: count }, (_, index) => first + index * stepMs);
  };
}

/** Longest time that others wait for the attempt that opens a connection, milliseconds: the platform may hang. */
const LONGEST_MS = 1_000;
/** A connection that was not used for so long may be closed, milliseconds. */
const IDLE_MS = 4_000;

/**
 * Follows the attempts of one credential, as far as can be seen from outside: the first after a while opens a connection,
 * later ones use it.
 */
function createConnectionWatch(clock: Pick<Clock, 'monotonic'>) {
  let usedAt = Number.NEGATIVE_INFINITY;
  /** Of the first attempt since there was no connection; null: none has begun. */
  let begunAt: number | null = null;
  const isOpen = (): boolean => clock.monotonic() - usedAt < IDLE_MS;
  return {
    isOpen,
    /** One attempt opens a connection: others should wait for it, because each that opened one too would arrive late. */
    isOpening: () => !isOpen() && begunAt !== null && clock.monotonic() - begunAt < LONGEST_MS,
    /** An attempt begins. Call what it gives when the attempt has ended; `sent`: not when nothing was sent. */
    begin() {
      if (isOpen()) usedAt = clock.monotonic();
      else begunAt ??= clock.monotonic();
      return (sent: boolean) => {
        begunAt = null;
        if (sent) usedAt = clock.monotonic();
      };
    },
  };
}

/** Translates moments of the database's clock into moments of our own. */
export type SharedClock = ReturnType<typeof createSharedClock>;

/**
 * An answer may be seen late: the event loop stood still, or the server was slow to commit. Times that counted from there
 * would be late by as much, and each differently. So the answer that came quickest decides how far the database's clock
 * is ahead, until an answer contradicts it: then that clock was set back.
 */
export function createSharedClock() {
  let ahead = Number.NEGATIVE_INFINITY;
  return {
    /** Our moment at which the database's clock showed `at`, given when we asked and when its answer was seen. */
    toOwn(at: number, askedAt: number, answeredAt: number) {
      const isSetBack = at - askedAt < ahead;
      ahead = isSetBack ? at - answeredAt : Math.max(ahead, at - answeredAt);
      return at - ahead;
    },
  };
}

/** The quickest answer counts. */
const LOOKS = 10;
/** Longest time for all of them, milliseconds. */
const LONGEST_LEARNING_MS = 2_000;

/**
 * Looks at the database's clock before anything is sent. From the answers to its first reservations alone, which come while
 * many tenants begin, a replica took its slots up to 60 ms late, and then those of later answers in time: closer together
 * than the rate allows. Ends after two seconds, or when the signal aborts, and never rejects: the database may be slow or
 * away, and later answers teach it, too.
 */
export async function learnClock(
  databaseClock: SharedClock,
  { now }: Pick<SharedRates, 'now'>,
  clock: Pick<Clock, 'monotonic' | 'sleep'>,
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const look = async (): Promise<void> => {
    for (let looks = 0; looks < LOOKS && !over.signal.aborted; looks += 1) {
      const askedAt = clock.monotonic();
      const at = await now();
      databaseClock.toOwn(at, askedAt, clock.monotonic());
    }
  };
  await untilFirstAbort([signal, over.signal], async (ends) => {
    const longest = clock.sleep(LONGEST_LEARNING_MS, ends);
    await Promise.race([look().catch(() => undefined), longest]);
    over.abort();
    await longest;
  });
}
