import { type LearnedRate, learnRate, type RateNews } from '../domain/learned-rate.js';
import type { Clock } from '../ports/clock.js';
import { createSlotScheduler } from '../platform/slot-scheduler.js';
import type { RateLearning, RateLimit } from '../ports/platform.js';
import type { SharedRates } from '../ports/tenants.js';
import { untilFirstAbort } from '../runtime/time.js';

/**
 * Most slots that are reserved at a time: more would wait unused at one tenant while others have work. At a low rate fewer,
 * because five would be half a second, and a newcomer waits for the blocks of all others.
 */
const BLOCK = 5;
const BLOCKS_PER_SECOND = 10;
/**
 * A slot that is missed by more than this is not used any more, milliseconds. The step between slots bears 50; the rest is
 * for the way from here to the platform, which at the start of a replica takes 30.
 */
const MISSED_MS = 20;
/** A request that left so long after its slot counts as late, milliseconds: the way to the platform has the rest of the 50. */
const LATE_MS = 40;
/** How soon a slot is checked again that came while a connection opens, milliseconds. */
const LOOK_MS = 5;
/** How long after a failure of the database it is asked again, milliseconds. */
const RETRY_MS = 1_000;

interface SharedRateLimitOptions {
  readonly rates: SharedRates;
  /** Whose rate it is (`credentialText`). */
  readonly credential: string;
  /** Most requests of all processes in any sliding second at the server; below 1: one in 1/rate seconds. */
  readonly ratePerSecond: number;
  /** Most attempts at a time. */
  readonly concurrency: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** One for all limits of a process: what the first answers of a limit would be too late to say, others have learned. */
  readonly databaseClock: SharedClock;
  /** One for all limits of a process and credential, which share connections and slots. */
  readonly wire: Wire;
}

/**
 * A rate that several processes share: each sends at the times that the database hands out, so that requests of all
 * leave evenly. A time is never made up for: what comes too late for its slot waits for another. What had its slot in time
 * and left too late nevertheless, because the process stood still or a connection had to be opened, is paid back: the next
 * slot of this process is left empty, since the request now counts among those of a later second.
 *
 * There is one reservation at a time, for no more attempts than wait and have a connection. The next is made when the
 * first slot of the last has come. So limits with work take turns, and the rest of a block covers the way to the database.
 *
 * While the database fails, attempts wait, and it is asked again.
 *
 * What the platform teaches about the rate is kept with the credential: a 429 to one makes the slots of all fewer.
 */
export function createSharedRateLimit(options: SharedRateLimitOptions): RateLimit {
  const { ratePerSecond, concurrency, clock, wire } = options;
  const lessons = createLessons(options);
  const nextBlock = createBlockSource(options, lessons.know);
  const most = (): number => {
    const perSecond = Math.min(ratePerSecond, lessons.learning.learned()?.perSecond ?? ratePerSecond);
    return Math.min(BLOCK, Math.max(1, Math.floor(perSecond / BLOCKS_PER_SECOND)));
  };

  const limit = createSlotScheduler(concurrency, ({ wanted, wake }) => {
    /** Ascending. */
    let slots: number[] = [];
    let running = 0;
    /** The first attempt goes alone, because it opens a connection and so arrives later than others. */
    let hasSent = false;
    let reserving = false;
    let timer: NodeJS.Timeout | undefined;

    const missing = (): number =>
      Math.min(most(), (hasSent ? wanted() : Math.min(wanted(), 1 - running)) - slots.length);

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
      wake();
    };

    const startAt = (slot: number) => {
      running++;
      let isReleased = false;
      let isWritten = false;
      const startedAt = clock.monotonic();
      const ended = wire.begin();
      const written = (): void => {
        if (!isWritten && clock.monotonic() - slot > LATE_MS) wire.owe();
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
          running--;
          ended(!isReleased);
          if (isReleased) {
            slots.unshift(slot);
            return;
          }
          hasSent = true;
          // Where nobody knows when it left, it left now.
          written();
        },
      };
    };

    return {
      take() {
        clearTimeout(timer);
        const now = clock.monotonic();
        slots = slots.filter((at) => now - at <= MISSED_MS);
        while ((slots[0] ?? Infinity) <= now && wire.pays()) slots.shift();
        const [first] = slots;
        const mayStart = (hasSent || running === 0) && !wire.isOpening();
        if (mayStart && first !== undefined && first <= now) {
          slots.shift();
          return startAt(first);
        }
        if (first !== undefined) {
          const soonest = wire.isOpening() ? LOOK_MS : 0;
          timer = setTimeout(wake, Math.max(soonest, Math.ceil(first - now))).unref();
        }
        if (missing() > 0) void reserve();
        return null;
      },
    };
  });
  return { ...limit, learning: lessons.learning };
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
}: Pick<SharedRateLimitOptions, 'rates' | 'credential' | 'ratePerSecond'>) {
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

/** How long before a block's first slot the pause is read again, milliseconds. */
const LOOK_BEFORE_MS = 100;

/**
 * Reserves so many slots and waits for the first. Gives their moments of `clock.monotonic()`, ascending; none when the
 * platform asked for a pause meanwhile: then ask again. Its waits do not keep the process alive. Errors: those of
 * SharedRates.
 */
type NextBlock = (count: number) => Promise<readonly number[]>;

function createBlockSource(
  options: Pick<SharedRateLimitOptions, 'rates' | 'credential' | 'ratePerSecond' | 'clock' | 'databaseClock'>,
  know: (learned: LearnedRate | null) => void,
): NextBlock {
  const { rates, credential, ratePerSecond, clock, databaseClock } = options;
  const until = async (moment: number): Promise<void> => {
    for (let left = moment - clock.monotonic(); left > 0; left = moment - clock.monotonic())
      await new Promise<void>((resolve) => setTimeout(resolve, Math.ceil(left)).unref());
  };

  return async (wanted) => {
    const askedAt = clock.monotonic();
    const { at, waitMs, stepMs, count, learned } = await rates.reserve(credential, ratePerSecond, wanted);
    know(learned);
    const answeredAt = clock.monotonic();
    const first = databaseClock.toOwn(at, askedAt, answeredAt) + waitMs;
    // The answer is in time, as far as it takes no longer than this one.
    const lookAt = first - LOOK_BEFORE_MS - 2 * (answeredAt - askedAt);
    if (lookAt > answeredAt) {
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
 * What is known of the requests that leave this process with one credential: whether they have an open connection, as far
 * as can be seen from outside, and how many left too late.
 */
export type Wire = ReturnType<typeof createWire>;

/** Follows the attempts of one credential: the first after a while opens a connection, later ones use it. */
export function createWire(clock: Pick<Clock, 'monotonic'>) {
  let owed = 0;
  let usedAt = Number.NEGATIVE_INFINITY;
  /** Of the first attempt since there was no connection; null: none has begun. */
  let begunAt: number | null = null;
  const isOpen = (): boolean => clock.monotonic() - usedAt < IDLE_MS;
  return {
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
    /** A request left too late. */
    owe: () => void owed++,
    /** Whether a slot must stay empty for one that left too late. Each is paid once. */
    pays() {
      if (owed === 0) return false;
      owed--;
      return true;
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
