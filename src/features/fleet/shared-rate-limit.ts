import { type LearnedRate, learnRate, type RateNews } from '../../core/domain/learned-rate.js';
import type { Clock } from '../../core/ports/clock.js';
import { createSlotScheduler } from '../../core/platform/slot-scheduler.js';
import type { RateLearning, RateLimit } from '../../core/ports/platform.js';
import { HELD_MS, type SharedPlace, type SharedRates, type UsedPlace } from './state/shared-rates.js';
import { untilFirstAbort } from '../../core/runtime/time.js';

/** So much of a second's places is reserved at a time: enough for the way to the database, and few are lost with a process. */
const BLOCKS_PER_SECOND = 10;
/** A place is not used any more so long after its time, milliseconds: what begins sooner is hardly ever sent after `HELD_MS`. */
const LATEST_MS = HELD_MS / 2;
/** A place that nobody needs at its time goes back so much later, milliseconds: an attempt that ends makes room for the next. */
const KEPT_MS = 20;
/** What was used is reported so soon, milliseconds, where no reservation does it. */
const REPORT_MS = 100;
/** A turn or a pause is looked at again so soon, milliseconds: places became free, or somebody ended the pause. */
const LOOK_AGAIN_MS = 1_000;
/** How long after a failure of the database it is asked again, milliseconds. */
const RETRY_MS = 1_000;
/**
 * An answer that takes as long as the last one comes in time for its places. The first milliseconds need no lead, because a
 * place may be used later; and of a longer time no more counts than this.
 */
const NO_LEAD_MS = LATEST_MS / 2;
const LONGEST_LEAD_MS = 1_000;

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

/** A place in hand; `from`: its moment of `clock.monotonic()`. */
interface Held extends SharedPlace {
  readonly from: number;
}

/**
 * A rate that several processes share: each sends in places that the database hands out, from their moments on.
 *
 * There is one reservation at a time for a process and its tenants, for no more attempts than wait, and few places are in hand.
 * So processes with work take turns, and a process that is killed takes no more along. In a process that tenant is next which
 * has waited longest since its last place: a newcomer goes first.
 *
 * A place is used when the connection has taken its request, however late that is, and the next reservation says so. From then
 * on it is nobody's for a second. One that nobody needs any more, or that a process missed as it stood still, goes back unused.
 * What was sent when its place had become somebody else's is paid back: this process leaves its next place empty.
 *
 * While the database fails, attempts wait, and it is asked again.
 *
 * What the platform teaches about the rate is kept with the credential: a 429 to one makes the places of all fewer.
 */
export class SharedRate {
  private readonly lessons: ReturnType<typeof createLessons>;
  /** In hand, ascending. */
  private readonly held: Held[] = [];
  /** To be given back with the next statement. */
  private used: UsedPlace[] = [];
  /** Requests whose place was somebody else's by then; for each of them a place stays empty. */
  private owed = 0;
  /** How often the platform has refused a request, or asked for a pause. */
  private refusals = 0;
  /** How long the last statement took. */
  private tripMs = 0;
  /** Whether `reserve` is under way. */
  private isReserving = false;
  /** The limits with attempts that wait, and some whose attempts have started. */
  private turns: Turn[] = [];
  /** Goes on when the first place in hand can be used, or nobody has needed it. */
  private wakeTimer: NodeJS.Timeout | undefined;
  /** Gives `used` back where no reservation does it. */
  private reportTimer: NodeJS.Timeout | undefined;

  constructor(private readonly options: SharedRateOptions) {
    this.lessons = createLessons(options);
  }

  /** A limit of one tenant. `concurrency`: most attempts at a time. */
  limit(concurrency: number): RateLimit {
    const limit = createSlotScheduler(concurrency, (demand) => {
      const turn: Turn = { ...demand, servedAt: Number.NEGATIVE_INFINITY };
      return { take: () => this.take(turn) };
    });
    return { ...limit, learning: this.lessons.learning };
  }

  private take(turn: Turn) {
    if (!this.turns.includes(turn)) this.turns.push(turn);
    const place = this.due();
    if (place === undefined || this.next() !== turn) {
      this.plan();
      return null;
    }
    this.held.shift();
    turn.servedAt = this.options.clock.monotonic();
    return this.startIn(place);
  }

  private startIn(place: Held) {
    const { clock, databaseClock } = this.options;
    const startedAt = clock.monotonic();
    let isReleased = false;
    let isWritten = false;
    const written = (): void => {
      if (isWritten) return;
      isWritten = true;
      const usedAt = databaseClock.toDatabase(clock.monotonic());
      this.giveBack(place, usedAt);
      // Perhaps it is still nobody else's.
      if (usedAt - place.at > HELD_MS) this.report();
    };
    return {
      release: () => (isReleased = true),
      written,
      answered: (news: RateNews) => {
        // Places of a rate that was too high are not used any more.
        if (news.verdict === 'limited' || news.waitMs > 0) {
          this.refusals++;
          this.giveAllBack();
        }
        this.lessons.take(news, clock.monotonic() - startedAt);
      },
      ended: () => {
        if (isReleased) this.held.unshift({ ...place, from: clock.monotonic() });
        // Where nobody knows when it left, it left now.
        else written();
        this.goOn();
      },
    };
  }

  /** The first place that may be used now. Those that cannot be used any more go back. */
  private due(): Held | undefined {
    const { held } = this;
    const now = this.options.clock.monotonic();
    const there = this.options.databaseClock.toDatabase(now);
    for (; held[0] && there - held[0].at > LATEST_MS;) this.giveBack(held.shift()!, null);
    for (; this.owed > 0 && held[0] && held[0].from <= now; this.owed--) this.giveBack(held.shift()!, there);
    return held[0] && held[0].from <= now ? held[0] : undefined;
  }

  /** Who waits and has had no place for longest. */
  private next(): Turn | undefined {
    this.turns = this.turns.filter((turn) => turn.wanted() > 0);
    return this.turns.reduce<Turn | undefined>(
      (first, turn) => (first === undefined || turn.servedAt < first.servedAt ? turn : first),
      undefined,
    );
  }

  /** Gives the places that have come to those who wait, and sees to the following ones. */
  private goOn(): void {
    for (let place = this.due(); place !== undefined; place = this.due()) {
      this.next()?.wake();
      if (this.held[0] !== place) continue;
      // Nobody can use it now.
      if (this.options.clock.monotonic() - place.from < KEPT_MS) break;
      this.giveBack(this.held.shift()!, null);
    }
    this.plan();
  }

  private plan(): void {
    clearTimeout(this.wakeTimer);
    const [first] = this.held;
    if (first) {
      const now = this.options.clock.monotonic();
      const at = first.from > now || this.wanted() > 0 ? first.from : first.from + KEPT_MS;
      this.wakeTimer = setTimeout(() => this.goOn(), Math.max(0, Math.ceil(at - now))).unref();
    }
    if (this.missing() > 0 && this.held.length <= this.most() / 2) void this.reserve();
  }

  private most(): number {
    const { ratePerSecond } = this.options;
    const learned = this.lessons.learning.learned()?.perSecond ?? ratePerSecond;
    return Math.max(1, Math.floor(Math.min(ratePerSecond, learned) / BLOCKS_PER_SECOND));
  }

  private wanted(): number {
    return this.turns.reduce((sum, turn) => sum + turn.wanted(), 0) + this.owed;
  }

  private missing(): number {
    return Math.min(this.most(), this.wanted()) - this.held.length;
  }

  /** Reserves until there is enough, and waits in between. */
  private async reserve(): Promise<void> {
    if (this.isReserving) return;
    this.isReserving = true;
    // Attempts that come in the same moment share a reservation.
    await Promise.resolve();
    let turnAt: number | null = null;
    while (this.missing() > 0) {
      let waitMs = RETRY_MS;
      const refusalsBefore = this.refusals;
      try {
        const { places, ...answer } = await this.ask(this.missing(), turnAt);
        const { databaseClock } = this.options;
        this.held.push(...places.map((place) => ({ ...place, from: databaseClock.toOwn(place.at) })));
        if (this.refusals > refusalsBefore) this.giveAllBack();
        else if (places.length > 0) break;
        turnAt = answer.turnAt;
        waitMs = Math.min(answer.waitMs, LOOK_AGAIN_MS);
      } catch {
        // Asked again.
      }
      await new Promise<void>((resolve) => setTimeout(resolve, Math.ceil(waitMs)).unref());
    }
    this.isReserving = false;
    this.goOn();
  }

  /** One statement: what was used, and places for so many attempts. Errors: those of SharedRates. */
  private async ask(count: number, turnAt: number | null = null) {
    const { rates, credential, ratePerSecond, clock, databaseClock } = this.options;
    clearTimeout(this.reportTimer);
    this.reportTimer = undefined;
    const { used } = this;
    this.used = [];
    const askedAt = clock.monotonic();
    const leadMs = Math.min(Math.max(0, this.tripMs - NO_LEAD_MS), LONGEST_LEAD_MS);
    try {
      const answer = await rates.reserve(credential, ratePerSecond, count, { used, leadMs, turnAt });
      const answeredAt = clock.monotonic();
      databaseClock.learn(answer.at, askedAt, answeredAt);
      this.tripMs = answeredAt - askedAt;
      this.lessons.know(answer.learned);
      this.owed += answer.lost;
      return answer;
    } catch (error) {
      // Perhaps it was heard. Said twice, it counts as lost: then a place too many stays empty.
      this.used.unshift(...used);
      throw error;
    }
  }

  private report(): void {
    void this.ask(0).then(
      () => this.plan(),
      () => undefined,
    );
  }

  private giveAllBack(): void {
    this.held.splice(0).forEach((place) => this.giveBack(place, null));
  }

  /** `usedAt`: by the database's clock; null: nothing was sent. */
  private giveBack({ index, stamp, at }: Held, usedAt: number | null): void {
    this.used.push({ index, stamp, at, usedAt });
    this.reportTimer ??= setTimeout(() => this.report(), REPORT_MS).unref();
  }
}

/** One limit among those that share the places of a process. */
interface Turn {
  wanted(): number;
  wake(): void;
  /** Of its last place, by `clock.monotonic()`. */
  servedAt: number;
}

/** Accepted requests are reported to the others together, so long after the first of them, milliseconds. */
const REPORT_ACCEPTED_MS = 2_000;

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
    /** The row as it was read with places. */
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
      }, REPORT_ACCEPTED_MS).unref();
    },
  };
}

/** By so much of the time that passes two clocks may drift apart. */
const DRIFT = 0.0002;

/** Translates moments of the database's clock into moments of our own, and back. */
export type SharedClock = ReturnType<typeof createSharedClock>;

/**
 * An answer may be seen late: the event loop stood still, or the server was slow to commit. What the database's clock showed lies
 * between the question and the answer, so each answer says by how much that clock is ahead, between two bounds; the closest ones
 * of all answers count, and the older they are the less. One that contradicts them counts alone: a clock was set.
 */
export function createSharedClock() {
  let least = Number.NEGATIVE_INFINITY;
  let most = Number.POSITIVE_INFINITY;
  let learnedAt = 0;
  return {
    /** `at`: what the database's clock showed between our two moments. */
    learn(at: number, askedAt: number, answeredAt: number): void {
      const drift = DRIFT * (answeredAt - learnedAt);
      const [from, to] = [at - answeredAt, at - askedAt];
      const contradicts = from > most + drift || to < least - drift;
      least = contradicts ? from : Math.max(least - drift, from);
      most = contradicts ? to : Math.min(most + drift, to);
      learnedAt = answeredAt;
    },
    /** Our moment, and no sooner. */
    toOwn: (at: number): number => at - least,
    /** The database's moment, and no sooner. */
    toDatabase: (own: number): number => own + most,
  };
}

/** The quickest answer counts. */
const LOOKS = 10;
/** Longest time for all of them, milliseconds. */
const LONGEST_LEARNING_MS = 2_000;

/**
 * Looks at the database's clock before anything is sent. From the answers to its first reservations alone, which come while
 * many tenants begin, a replica would know it to 60 ms only. Ends after two seconds, or when the signal aborts, and never rejects: the database may be slow or
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
      databaseClock.learn(at, askedAt, clock.monotonic());
    }
  };
  await untilFirstAbort([signal, over.signal], async (ends) => {
    const longest = clock.sleep(LONGEST_LEARNING_MS, ends);
    await Promise.race([look().catch(() => undefined), longest]);
    over.abort();
    await longest;
  });
}
