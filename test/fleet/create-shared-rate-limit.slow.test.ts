import { describe, expect, it } from 'vitest';
import type { LearnedRate } from '../../src/domain/learned-rate.js';
import { createSharedClock, createSharedRate } from '../../src/fleet/shared-rate-limit.js';
import { createRateLimit } from '../../src/platform/rate-limit.js';
import type { RateLimit } from '../../src/ports/platform.js';
import type { SharedRates } from '../../src/ports/tenants.js';
import { peakPerSecond } from '../rate/arrivals.js';

interface FakeRates extends SharedRates {
  /** The counts of all reservations. */
  readonly counts: readonly number[];
  /** Moments of `performance.now()` that were handed out. */
  readonly slots: readonly number[];
  /** From now on everything fails; undefined: nothing. */
  failWith(error: Error | undefined): void;
  /** The answer to a reservation takes so long, milliseconds. */
  delayAnswers(ms: number): void;
}

/** Rates in memory, whose clock is far from that of the process. */
function fakeRates(): FakeRates {
  const AHEAD = 1_700_000_000_000;
  const counts: number[] = [];
  const slots: number[] = [];
  let nextAt = 0;
  let pausedUntil = 0;
  let learned: LearnedRate | null = null;
  let error: Error | undefined;
  let delayMs = 0;
  const answer = async <T>(value: () => T): Promise<T> => {
    if (error) throw error;
    const answered = value();
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    return answered;
  };
  return {
    counts,
    slots,
    failWith: (given) => (error = given),
    delayAnswers: (ms) => (delayMs = ms),
    now: () => answer(() => AHEAD + performance.now()),
    reserve: (_credential, ratePerSecond, count, leadMs = 0) =>
      answer(() => {
        const now = performance.now();
        const first = Math.max(now + leadMs, nextAt, pausedUntil);
        const stepMs = 1_050 / Math.min(ratePerSecond, learned?.perSecond ?? ratePerSecond);
        nextAt = first + count * stepMs;
        counts.push(count);
        slots.push(...Array.from({ length: count }, (_, index) => first + index * stepMs));
        return { at: AHEAD + now, waitMs: first - now, stepMs, count, learned };
      }),
    learn: (_credential, change) => answer(() => (learned = change(learned, AHEAD + performance.now()))),
    pauseLeft: () => answer(() => Math.max(0, pausedUntil - performance.now())),
    pause: (_credential, ms) =>
      answer(() => void (pausedUntil = Math.max(pausedUntil, performance.now() + ms))),
    pauses: () => answer(() => []),
    endPause: () =>
      answer(() => {
        nextAt = pausedUntil = 0;
        return true;
      }),
  };
}

const clock = { monotonic: () => performance.now(), now: () => Date.now() };

/** Limits that share one rate, as two tenants of one client id do. */
function sharing(ratePerSecond: number, concurrency = 8, rates = fakeRates()) {
  const databaseClock = createSharedClock();
  const rate = createSharedRate({ rates, credential: 'c', ratePerSecond, clock, databaseClock });
  return { rates, limit: rate.limit(concurrency), other: rate.limit(concurrency) };
}

/** Moments at which `count` attempts started. */
async function starts(limit: RateLimit, count: number): Promise<number[]> {
  const moments: number[] = [];
  const attempt = () => Promise.resolve(void moments.push(performance.now()));
  await Promise.all(Array.from({ length: count }, () => limit.schedule(attempt)));
  return moments;
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** How long each moment is behind a slot that was handed out, milliseconds. */
function lateness(moments: readonly number[], { slots }: FakeRates): number[] {
  return moments.map((moment) => moment - Math.max(...slots.filter((slot) => slot <= moment)));
}

describe('the shared rate limit', () => {
  it('starts attempts of all that share it at the times that are handed out, never above the rate', async () => {
    const { rates, limit, other } = sharing(40);
    const moments = (await Promise.all([starts(limit, 40), starts(other, 40)])).flat().sort((a, b) => a - b);
    expect(moments).toHaveLength(80);
    expect(peakPerSecond(moments)).toBeLessThanOrEqual(40);
    expect(Math.max(...lateness(moments, rates))).toBeLessThan(31);
    // A twentieth of a second's slots at a time.
    expect(Math.max(...rates.counts)).toBe(2);
  });

  it.each([
    [200, 10],
    [50, 2],
    [10, 1],
  ])(
    'reserves at %i a second %i slots at a time at most, so that a newcomer waits for few',
    async (rate, most) => {
      const { rates, limit } = sharing(rate, 30);
      await starts(limit, rate === 200 ? 60 : 12);
      expect(Math.max(...rates.counts)).toBe(most);
    },
  );

  it('reserves no more than wait, and no more than have a connection', async () => {
    const few = sharing(100);
    await starts(few.limit, 1);
    await starts(few.limit, 3);
    expect(few.rates.counts.slice(0, 2)).toEqual([1, 3]);
    expect(Math.max(...few.rates.counts)).toBe(3);
    const narrow = sharing(100, 1);
    await starts(narrow.limit, 4);
    expect(new Set(narrow.rates.counts)).toEqual(new Set([1]));
  });

  it('lets the first attempt go alone, and no other before it has ended', async () => {
    const { limit } = sharing(200);
    let endedAt = 0;
    const first = limit.schedule(async () => {
      await wait(100);
      endedAt = performance.now();
    });
    expect(Math.min(...(await starts(limit, 4)))).toBeGreaterThanOrEqual(endedAt);
    await first;
    expect(endedAt).toBeGreaterThan(0);
  });

  it('lets the first attempt of all that share connections go alone, but not for long', async () => {
    const { limit, other } = sharing(200);
    let endedAt = Infinity;
    const first = limit.schedule(async () => {
      await wait(2_000);
      endedAt = performance.now();
    });
    const begunAt = performance.now();
    const [start = 0] = await starts(other, 1);
    expect(start - begunAt).toBeGreaterThan(900);
    expect(start).toBeLessThan(endedAt);
    await first;
  });

  it('halves the rate of all that share it when the platform refuses one, and lets it grow with what others send', async () => {
    const { rates, limit, other } = sharing(20);
    await starts(limit, 1);
    await limit.schedule((place) =>
      Promise.resolve(place.answered({ verdict: 'limited', announced: null, waitMs: 0 })),
    );
    await wait(20);
    expect(limit.learning?.learned()).toMatchObject({ perSecond: 10, refused: 20 });
    // The slots that others had reserved before stay theirs.
    const moments = await starts(other, 12);
    const gaps = moments.slice(6).map((at, index) => at - (moments[index + 5] ?? at));
    expect(Math.min(...gaps)).toBeGreaterThan(80);
    expect(other.learning?.learned()).toMatchObject({ perSecond: 10 });
    await other.schedule((place) =>
      Promise.resolve(place.answered({ verdict: 'accepted', announced: null, waitMs: 0 })),
    );
    await wait(2_100);
    expect((await rates.reserve('c', 20, 1)).learned?.perSecond).toBeCloseTo(10.1, 9);
  });

  it('waits, with all that share it, while the platform says that nothing more is taken', async () => {
    const { limit, other } = sharing(20);
    await starts(limit, 1);
    const from = performance.now();
    await limit.schedule((place) =>
      Promise.resolve(place.answered({ verdict: 'accepted', announced: null, waitMs: 1_000 })),
    );
    const moments = (await Promise.all([starts(limit, 1), starts(other, 1)])).flat();
    expect(Math.min(...moments) - from).toBeGreaterThanOrEqual(1_000);
  });

  it('gives a slot to the next attempt at once when nothing was sent', async () => {
    const { rates, limit } = sharing(1, 1);
    const nothing = Array.from({ length: 20 }, () =>
      limit.schedule((place) => {
        place.release();
        return Promise.resolve();
      }),
    );
    await Promise.all([...nothing, limit.schedule(() => Promise.resolve())]);
    expect(rates.counts.length).toBeLessThan(10);
  });

  it('takes a fraction of a rate as a longer wait', async () => {
    const { limit } = sharing(0.7);
    const [first = 0, second = 0] = await starts(limit, 2);
    expect(second - first).toBeGreaterThanOrEqual(1_000 / 0.7);
  });

  it('does not use slots that a standing event loop missed: their attempts take later ones', async () => {
    const { rates, limit } = sharing(50);
    const moments: number[] = [];
    const attempt = () => {
      moments.push(performance.now());
      // Once, while slots are in hand.
      if (moments.length === 7) while (performance.now() - (moments[6] ?? 0) < 150);
      return Promise.resolve();
    };
    await Promise.all(Array.from({ length: 20 }, () => limit.schedule(attempt)));
    expect(moments).toHaveLength(20);
    expect(rates.slots.length).toBeGreaterThan(20);
    expect(Math.max(...lateness(moments, rates))).toBeLessThan(31);
  });

  it('leaves a slot empty, whoever has the next one, when a request left long after its own', async () => {
    const { rates, limit, other } = sharing(20);
    await starts(limit, 1);
    const late = limit.schedule(async (place) => {
      await wait(150);
      place.written();
      place.written();
    });
    await Promise.all([late, starts(other, 6)]);
    // One for each request, and the empty one.
    expect(rates.slots.length).toBeGreaterThanOrEqual(9);
  });

  it('sends also when each answer of the database takes longer than a slot is used', async () => {
    const { rates, limit } = sharing(20, 1);
    await starts(limit, 1);
    rates.delayAnswers(80);
    expect(await starts(limit, 4)).toHaveLength(4);
  });

  it('drops a slot whose reservation was answered too late, and does not shift it', async () => {
    const { rates, limit } = sharing(20);
    await starts(limit, 3);
    await wait(100);
    rates.delayAnswers(80);
    expect(lateness(await starts(limit, 5), rates).filter((late) => late > 31)).toEqual([]);
  });

  it('starts nothing in a pause that comes while it waits for its slots', async () => {
    const { rates, limit, other } = sharing(20);
    // The row is some seconds ahead, as with many tenants.
    await rates.reserve('c', 20, 30);
    const all = Promise.all([starts(limit, 3), starts(other, 3)]);
    await wait(200);
    await rates.pause('c', 2_500);
    const resumesAt = performance.now() + 2_490;
    expect(Math.min(...(await all).flat())).toBeGreaterThan(resumesAt);
  });

  it('goes on soon after a long pause that somebody ends', async () => {
    const { rates, limit, other } = sharing(20);
    await starts(limit, 1);
    await rates.pause('c', 3_600_000);
    const all = Promise.all([starts(limit, 2), starts(other, 2)]);
    await wait(1_500);
    await rates.endPause('c');
    const endedAt = performance.now();
    expect(Math.max(...(await all).flat()) - endedAt).toBeLessThan(5_000);
  });

  it('starts nothing while the database fails, and goes on when it answers again', async () => {
    const { rates, limit } = sharing(50);
    rates.failWith(new Error('gone'));
    const given = new AbortController();
    const left = limit.schedule(() => Promise.resolve('sent'), false, given.signal);
    const stays = starts(limit, 2);
    await wait(300);
    given.abort(new Error('the lease ended'));
    await expect(left).rejects.toThrow('the lease ended');
    expect(rates.slots).toEqual([]);
    rates.failWith(undefined);
    expect(await stays).toHaveLength(2);
    expect(rates.slots.length).toBeGreaterThan(0);
  });

  it('starts nothing when the pause cannot be looked at', async () => {
    const { rates, limit } = sharing(20);
    await rates.reserve('c', 20, 12);
    const moments = starts(limit, 1);
    await wait(50);
    rates.failWith(new Error('gone'));
    const failedUntil = performance.now() + 1_200;
    await wait(1_200);
    rates.failWith(undefined);
    expect((await moments)[0]).toBeGreaterThanOrEqual(failedUntil - 1);
  });

  it('keeps to a share of it, which also counts, and gives its place back when the signal aborts', async () => {
    const { rates, limit } = sharing(100);
    const share = createRateLimit({ ratePerSecond: 5, concurrency: 5, clock, within: limit });
    const given = new AbortController();
    rates.failWith(new Error('gone'));
    const left = Array.from({ length: 5 }, () =>
      share.schedule(() => Promise.resolve(), false, given.signal),
    );
    given.abort(new Error('enough'));
    for (const each of left) await expect(each).rejects.toThrow('enough');
    rates.failWith(undefined);
    const moments = await starts(share, 11);
    expect(peakPerSecond(moments)).toBe(5);
    expect(lateness(moments, rates).filter((late) => late > 31)).toEqual([]);
  });
});
