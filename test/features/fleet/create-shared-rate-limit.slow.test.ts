import { describe, expect, it } from 'vitest';
import { createSharedClock, SharedRate } from '../../../src/features/fleet/shared-rate-limit.js';
import { createRateLimit } from '../../../src/core/platform/rate-limit.js';
import type { RateLimit } from '../../../src/core/ports/platform.js';
import {
  HELD_MS,
  type SharedPlace,
  type SharedRates,
  type UsedPlace,
} from '../../../src/features/fleet/state/shared-rates.js';
import { peakPerSecond } from '../../rate/arrivals.js';
import { openFleet } from './state/open-fleet.js';

interface WatchedRates extends SharedRates {
  /** The counts of all reservations. */
  readonly counts: readonly number[];
  readonly handedOut: readonly SharedPlace[];
  readonly givenBack: readonly UsedPlace[];
  /** From now on everything fails; undefined: nothing. */
  failWith(error: Error | undefined): void;
  /** Each answer comes so much later, milliseconds. */
  delayAnswers(ms: number): void;
}

/** Rates in a database, which can fail and be slow. */
async function openRates(): Promise<WatchedRates> {
  const { rates } = await openFleet();
  const counts: number[] = [];
  const handedOut: SharedPlace[] = [];
  const givenBack: UsedPlace[] = [];
  let error: Error | undefined;
  let delayMs = 0;
  const answer = async <T>(value: () => Promise<T>): Promise<T> => {
    if (error) throw error;
    const answered = await value();
    if (delayMs > 0) await wait(delayMs);
    return answered;
  };
  return {
    ...{ counts, handedOut, givenBack },
    failWith: (given) => (error = given),
    delayAnswers: (ms) => (delayMs = ms),
    now: () => answer(rates.now),
    reserve: (credential, ratePerSecond, count, options) =>
      answer(async () => {
        const answered = await rates.reserve(credential, ratePerSecond, count, options);
        if (count > 0) counts.push(count);
        handedOut.push(...answered.places);
        givenBack.push(...(options?.used ?? []));
        return answered;
      }),
    learn: (...given) => answer(() => rates.learn(...given)),
    claim: (...given) => answer(() => rates.claim(...given)),
    pauseLeft: (...given) => answer(() => rates.pauseLeft(...given)),
    pause: (...given) => answer(() => rates.pause(...given)),
    pauses: () => answer(rates.pauses),
    endPause: (...given) => answer(() => rates.endPause(...given)),
    credentials: () => answer(() => rates.credentials()),
  };
}

const clock = { monotonic: () => performance.now(), now: () => Date.now() };

/** Limits that share one rate, as two tenants of one client id do. */
async function sharing(ratePerSecond: number, concurrency = 8) {
  const rates = await openRates();
  const open = () =>
    new SharedRate({ rates, credential: 'c', ratePerSecond, clock, databaseClock: createSharedClock() });
  const rate = open();
  return {
    ...{ rates, limit: rate.limit(concurrency), other: rate.limit(concurrency) },
    /** As of another process. */
    elsewhere: open().limit(concurrency),
  };
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

/** How long after the moment of its place each request was sent, milliseconds. */
function delays({ givenBack }: WatchedRates): number[] {
  return givenBack.flatMap(({ at, usedAt }) => (usedAt === null ? [] : [usedAt - at]));
}

describe('the shared rate limit', () => {
  it('starts attempts of all that share it from the times on that are handed out, never above the rate', async () => {
    const { rates, limit, other } = await sharing(40);
    const moments = (await Promise.all([starts(limit, 40), starts(other, 40)])).flat().sort((a, b) => a - b);
    expect(moments).toHaveLength(80);
    expect(peakPerSecond(moments)).toBeLessThanOrEqual(40);
    expect(Math.min(...delays(rates))).toBeGreaterThanOrEqual(0);
    // A tenth of a second's places at a time.
    expect(Math.max(...rates.counts)).toBe(4);
  });

  it.each([
    [200, 20],
    [50, 5],
    [10, 1],
  ])(
    'reserves at %i a second %i places at a time at most, so that a newcomer waits for few',
    async (rate, most) => {
      const { rates, limit } = await sharing(rate, 30);
      await starts(limit, rate === 200 ? 60 : 12);
      expect(Math.max(...rates.counts)).toBe(most);
    },
  );

  it('reserves no more than wait, and no more than have a connection', async () => {
    const few = await sharing(100);
    await starts(few.limit, 1);
    await starts(few.limit, 3);
    expect(few.rates.counts.slice(0, 2)).toEqual([1, 3]);
    const narrow = await sharing(100, 1);
    await starts(narrow.limit, 4);
    expect(new Set(narrow.rates.counts)).toEqual(new Set([1]));
  });

  it('lowers the rate of all that share it when the platform refuses one again, and lets it grow with what others send', async () => {
    const { rates, limit, other } = await sharing(20);
    await starts(limit, 1);
    for (const learned of [{ perSecond: 20 }, { perSecond: 14 }, { perSecond: 0.7 * 14 }]) {
      await limit.schedule((place) =>
        Promise.resolve(place.answered({ verdict: 'limited', announced: null, waitMs: 0 })),
      );
      await expect.poll(() => limit.learning?.learned()).toMatchObject(learned);
    }
    const moments = await starts(other, 25);
    expect((moments.at(-1) ?? 0) - (moments[0] ?? 0)).toBeGreaterThan(2_000);
    expect(other.learning?.learned()).toMatchObject({ perSecond: 0.7 * 14 });
    await other.schedule((place) =>
      Promise.resolve(place.answered({ verdict: 'accepted', announced: null, waitMs: 0 })),
    );
    const accepted = async () => (await rates.reserve('c', 20, 0)).learned?.accepted;
    await expect.poll(accepted, { timeout: 5_000 }).toBe(1);
  });

  it('waits, with all that share it, while the platform says that nothing more is taken', async () => {
    const { limit, other } = await sharing(20);
    await starts(limit, 1);
    const from = performance.now();
    await limit.schedule((place) =>
      Promise.resolve(place.answered({ verdict: 'accepted', announced: null, waitMs: 1_000 })),
    );
    const moments = (await Promise.all([starts(limit, 1), starts(other, 1)])).flat();
    expect(Math.min(...moments) - from).toBeGreaterThanOrEqual(1_000);
  });

  it('gives a place to the next attempt at once when nothing was sent', async () => {
    const { rates, limit } = await sharing(1, 1);
    const nothing = Array.from({ length: 20 }, () =>
      limit.schedule((place) => {
        place.release();
        return Promise.resolve();
      }),
    );
    await Promise.all([...nothing, limit.schedule(() => Promise.resolve())]);
    expect(rates.handedOut.length).toBeLessThan(5);
  });

  it('takes a fraction of a rate as a longer wait', async () => {
    const { limit } = await sharing(0.7);
    const [first = 0, second = 0] = await starts(limit, 2);
    expect(second - first).toBeGreaterThanOrEqual(1_000 / 0.7);
    expect(second - first).toBeLessThan(2_500);
  });

  it('makes up for a standing event loop: what it missed is sent then, and counts from then', async () => {
    const { rates, limit } = await sharing(50);
    const moments: number[] = [];
    const attempt = () => {
      moments.push(performance.now());
      // Once, while places are in hand.
      if (moments.length === 7) while (performance.now() - (moments[6] ?? 0) < 150);
      return Promise.resolve();
    };
    await Promise.all(Array.from({ length: 100 }, () => limit.schedule(attempt)));
    expect(Math.max(...delays(rates))).toBeGreaterThan(100);
    expect(peakPerSecond(moments)).toBeLessThanOrEqual(50);
    expect(rates.givenBack.filter(({ usedAt }) => usedAt === null)).toEqual([]);
  });

  it('gives a place back that it missed for too long', async () => {
    const { rates, limit } = await sharing(50);
    let sent = 0;
    const attempt = () => {
      sent += 1;
      const until = performance.now() + 700;
      if (sent === 7) while (performance.now() < until);
      return Promise.resolve();
    };
    await Promise.all(Array.from({ length: 20 }, () => limit.schedule(attempt)));
    expect(rates.givenBack.some(({ usedAt }) => usedAt === null)).toBe(true);
    expect(Math.max(...delays(rates))).toBeLessThan(HELD_MS);
  });

  it('gives back at once what nobody needs any more', async () => {
    const { rates, limit } = await sharing(1, 1);
    const given = new AbortController();
    await starts(limit, 1);
    const left = limit.schedule(() => Promise.resolve(), false, given.signal);
    await expect.poll(() => rates.handedOut.length, { timeout: 3_000 }).toBe(2);
    given.abort(new Error('the lease ended'));
    await expect(left).rejects.toThrow('the lease ended');
    await expect.poll(() => rates.givenBack.map(({ usedAt }) => usedAt)).toContain(null);
  });

  it('counts a place from the moment at which its request was written, or else from its end', async () => {
    const { rates, limit } = await sharing(5);
    const send = (writtenMs: number | null, endedMs: number) =>
      limit.schedule(async (place) => {
        if (writtenMs !== null) {
          await wait(writtenMs);
          place.written();
          place.written();
        }
        await wait(endedMs);
      });
    await send(150, 200);
    await send(null, 350);
    await expect.poll(() => rates.givenBack.length).toBe(2);
    const [written = 0, ended = 0] = delays(rates);
    expect(written).toBeGreaterThan(149);
    expect(written).toBeLessThan(340);
    expect(ended).toBeGreaterThan(349);
  });

  it('leaves a place empty when a request was written after its place was somebody else’s', async () => {
    const { rates, limit, elsewhere } = await sharing(1);
    await Promise.all([
      limit.schedule(async (place) => {
        await wait(2_300);
        place.written();
        place.written();
      }),
      // The same place, two seconds later.
      wait(200).then(() => starts(elsewhere, 1)),
    ]);
    const sentAt = performance.now();
    const [next = 0] = await starts(limit, 1);
    // One place for the late request, and its own.
    expect(next - sentAt).toBeGreaterThan(1_500);
    expect(rates.handedOut).toHaveLength(4);
  });

  it('has what was written late counted from then on as long as nobody else has its place', async () => {
    const { rates, limit, elsewhere } = await sharing(1);
    let writtenAt = 0;
    await limit.schedule(async (place) => {
      await wait(HELD_MS + 300);
      writtenAt = performance.now();
      place.written();
    });
    const [next = 0] = await starts(elsewhere, 1);
    expect(next - writtenAt).toBeGreaterThan(1_000);
    expect(rates.handedOut).toHaveLength(2);
  });

  it('uses no place that it asked for before the platform wanted a pause', async () => {
    const { rates, limit, other } = await sharing(20);
    let refusedAt = Infinity;
    const refused = limit.schedule(async (place) => {
      rates.delayAnswers(300);
      await wait(150);
      refusedAt = performance.now();
      place.answered({ verdict: 'accepted', announced: null, waitMs: 1_000 });
    });
    await expect.poll(() => rates.handedOut.length).toBe(1);
    const [start = 0] = await starts(other, 1);
    await refused;
    expect(start - refusedAt).toBeGreaterThan(950);
    expect(rates.givenBack.some(({ usedAt }) => usedAt === null)).toBe(true);
  });

  it('sends also when each answer of the database takes longer than a place is free', async () => {
    const { rates, limit } = await sharing(20, 1);
    await starts(limit, 1);
    rates.delayAnswers(80);
    expect(await starts(limit, 4)).toHaveLength(4);
  });

  it('starts nothing in a pause that comes while it waits for its turn', async () => {
    const { rates, limit, other } = await sharing(4);
    const all = Promise.all([starts(limit, 6), starts(other, 6)]);
    await wait(200);
    await rates.pause('c', 2_500);
    const pausedAt = performance.now();
    const during = (await all).flat().filter((at) => at > pausedAt + 300 && at < pausedAt + 2_490);
    expect(during).toEqual([]);
  });

  it('goes on soon after a long pause that somebody ends', async () => {
    const { rates, limit, other } = await sharing(20);
    await starts(limit, 1);
    await rates.pause('c', 3_600_000);
    const all = Promise.all([starts(limit, 2), starts(other, 2)]);
    await wait(1_500);
    await rates.endPause('c');
    const endedAt = performance.now();
    expect(Math.max(...(await all).flat()) - endedAt).toBeLessThan(5_000);
  });

  it('starts nothing while the database fails, and goes on when it answers again', async () => {
    const { rates, limit } = await sharing(50);
    rates.failWith(new Error('gone'));
    const given = new AbortController();
    const left = limit.schedule(() => Promise.resolve('sent'), false, given.signal);
    const stays = starts(limit, 2);
    await wait(300);
    given.abort(new Error('the lease ended'));
    await expect(left).rejects.toThrow('the lease ended');
    expect(rates.handedOut).toEqual([]);
    rates.failWith(undefined);
    expect(await stays).toHaveLength(2);
    expect(rates.handedOut.length).toBeGreaterThan(0);
  });

  it('says when it has sent, also if the database failed meanwhile', async () => {
    const { rates, limit } = await sharing(50);
    await limit.schedule(() => {
      rates.failWith(new Error('gone'));
      return Promise.resolve();
    });
    await wait(300);
    expect(rates.givenBack).toEqual([]);
    rates.failWith(undefined);
    await starts(limit, 2);
    expect(delays(rates).length).toBeGreaterThan(0);
  });

  it('keeps to a share of it, which also counts, and gives its place back when the signal aborts', async () => {
    const { rates, limit } = await sharing(100);
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
  });
});
