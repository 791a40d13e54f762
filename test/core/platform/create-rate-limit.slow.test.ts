import { afterEach, describe, expect, it } from 'vitest';
import { createRateLimit } from '../../../src/core/platform/rate-limit.js';
import type { RateNews } from '../../../src/core/domain/learned-rate.js';
import type { Place, RateLimit } from '../../../src/core/ports/platform.js';
import { type LoopbackServer, startLoopbackServer } from './servers.js';

const clock = { monotonic: () => performance.now(), now: () => Date.now() };

let server: LoopbackServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Moments at which `count` attempts started, in milliseconds since now. */
async function starts(limit: RateLimit, count: number, takesMs = 0): Promise<number[]> {
  const moments: number[] = [];
  const from = performance.now();
  const attempt = async (): Promise<void> => {
    moments.push(performance.now() - from);
    await wait(takesMs);
  };
  await Promise.all(Array.from({ length: count }, () => limit.schedule(attempt)));
  return moments;
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Most of `moments` (ascending) in any span of less than a second. */
function peak(moments: readonly number[]): number {
  return Math.max(...moments.map((from) => moments.filter((at) => at >= from && at - from < 1_000).length));
}

describe('the rate limit', () => {
  it('never lets more than the rate arrive in any sliding second at the server', async () => {
    const arrivals: number[] = [];
    server = await startLoopbackServer((response) => {
      arrivals.push(performance.now());
      setTimeout(() => response.end('{}'), 20);
    });
    const url = `http://127.0.0.1:${server.port}/`;
    const limit = createRateLimit({ ratePerSecond: 20, concurrency: 3, clock });
    const send = async (): Promise<void> => void (await (await fetch(url)).text());
    await Promise.all(Array.from({ length: 75 }, () => limit.schedule(send)));
    expect(arrivals).toHaveLength(75);
    expect(peak(arrivals)).toBe(20);
  });

  it('gives a place back at once when nothing was sent', async () => {
    const limit = createRateLimit({ ratePerSecond: 1, concurrency: 1, clock });
    const from = performance.now();
    for (let i = 0; i < 20; i++) {
      await limit.schedule((place) => {
        place.release();
        return Promise.resolve();
      });
    }
    await limit.schedule(() => Promise.resolve());
    expect(performance.now() - from).toBeLessThan(10_000);
  });

  it('keeps the place of an attempt that rejects', async () => {
    const limit = createRateLimit({ ratePerSecond: 1, concurrency: 1, clock });
    const error = new Error('no');
    const from = performance.now();
    await expect(limit.schedule(() => Promise.reject(error))).rejects.toBe(error);
    await starts(limit, 1);
    expect(performance.now() - from).toBeGreaterThan(990);
  });

  it('counts a second from the reply and not from the start', async () => {
    const limit = createRateLimit({ ratePerSecond: 1, concurrency: 1, clock });
    const [first = 0, second = 0] = await starts(limit, 2, 300);
    expect(second - first).toBeGreaterThanOrEqual(1_300);
  });

  it('takes a stall before the write for no part of the round trip, so that it frees no place early', async () => {
    // A stall costs no real time: the clock jumps.
    let stalled = 0;
    const stalling = { ...clock, monotonic: () => performance.now() + stalled };
    const limit = createRateLimit({ ratePerSecond: 10, concurrency: 1, clock: stalling });
    const writes: number[] = [];
    const attempt = (stallMs: number) =>
      limit.schedule((place) => {
        stalled += stallMs;
        place.written();
        writes.push(stalling.monotonic());
        return wait(1);
      });
    // Longer than the warm-up of twice the rate, and then without a stall.
    for (let index = 0; index < 40; index += 1) await attempt(index < 30 ? 100 : 0);
    const gaps = writes.slice(10).map((at, index) => at - (writes[index] ?? at));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
  });

  it('subtracts nothing from the second of an attempt of which nobody knows when it was written', async () => {
    const limit = createRateLimit({ ratePerSecond: 1, concurrency: 1, clock });
    const attempt = (place: { written(): void }, isKnown: boolean) => {
      if (isKnown) place.written();
      return wait(300);
    };
    // The warm-up of twice the rate, one that counts, and one that is not known.
    for (const isKnown of [true, true, true, false]) await limit.schedule((place) => attempt(place, isKnown));
    const ended = performance.now();
    await limit.schedule(() => Promise.resolve());
    expect(performance.now() - ended).toBeGreaterThanOrEqual(1_000);
  });

  it('starts nothing before the moment it was given', async () => {
    for (const ratePerSecond of [5, null]) {
      const notBefore = performance.now() + 200;
      const limit = createRateLimit({ ratePerSecond, concurrency: 1, clock, notBefore });
      await limit.schedule(() => Promise.resolve());
      expect(performance.now()).toBeGreaterThanOrEqual(notBefore);
    }
  });

  it('takes a fraction of a rate as a longer wait', async () => {
    const limit = createRateLimit({ ratePerSecond: 0.5, concurrency: 4, clock });
    const [first = 0, second = 0] = await starts(limit, 2);
    expect(second - first).toBeGreaterThanOrEqual(2_000);
  });

  describe('that learns', () => {
    const answer =
      (verdict: 'accepted' | 'limited', more: Partial<RateNews> = {}) =>
      (place: Place) => {
        place.answered({ verdict, announced: null, waitMs: 0, ...more });
        return Promise.resolve();
      };

    it('spreads its starts at a lower rate after refusals, keeps the setting, and goes back up', async () => {
      const limit = createRateLimit({ ratePerSecond: 20, concurrency: 4, clock });
      // Two near each other, and a third at once.
      for (let refused = 0; refused < 3; refused += 1) await limit.schedule(answer('limited'));
      expect(limit.learning?.learned()).toMatchObject({ perSecond: 0.7 * 14, refused: null });
      const moments = await starts(limit, 11);
      const gaps = moments.slice(1).map((at, index) => at - (moments[index] ?? at));
      expect(Math.min(...gaps)).toBeGreaterThan(95);
      expect(moments.at(-1)).toBeLessThan(2_000);
      for (let sent = 0; sent < 20; sent += 1) await limit.schedule(answer('accepted'));
      expect(limit.learning?.learned()?.perSecond).toBeGreaterThan(0.7 * 14);
    });

    it('has no pace before a refusal, and learns without a setting from what it used', async () => {
      const limit = createRateLimit({ ratePerSecond: null, concurrency: 50, clock });
      expect(Math.max(...(await starts(limit, 39)))).toBeLessThan(500);
      await limit.schedule(answer('limited'));
      expect(limit.learning?.learned()).toMatchObject({ perSecond: 40, setting: null });
    });

    it('begins with what an earlier process learned, but not when it has learned itself', async () => {
      const known = {
        perSecond: 5,
        refused: 6,
        limitedAt: Date.now(),
        announced: null,
        accepted: 0,
        setting: 20,
      };
      const limit = createRateLimit({ ratePerSecond: 20, concurrency: 4, clock });
      limit.learning?.resume(known);
      const moments = await starts(limit, 3);
      expect(moments[2]).toBeGreaterThan(395);
      await limit.schedule(answer('limited'));
      limit.learning?.resume(known);
      expect(limit.learning?.learned()?.perSecond).toBe(3.5);
    });

    it('loses no time of its pace with an attempt that sent nothing', async () => {
      const limit = createRateLimit({ ratePerSecond: 2, concurrency: 1, clock });
      await limit.schedule(answer('limited'));
      const from = performance.now();
      for (let i = 0; i < 5; i++)
        await limit.schedule((place) => {
          place.release();
          return Promise.resolve();
        });
      await limit.schedule(() => Promise.resolve());
      expect(performance.now() - from).toBeLessThan(1_500);
    });

    it('waits while the platform says that nothing more is taken, and keeps to the rate that it announces', async () => {
      const limit = createRateLimit({ ratePerSecond: 50, concurrency: 4, clock });
      const from = performance.now();
      await limit.schedule(answer('accepted', { announced: 10, waitMs: 500 }));
      const answeredMs = performance.now() - from;
      const moments = (await starts(limit, 4)).map((ms) => ms + answeredMs);
      expect(moments[0]).toBeGreaterThanOrEqual(499);
      expect(moments[3]).toBeGreaterThan(499 + 295);
    });

    it('hands what it is told to the limit whose rate it shares', async () => {
      const whole = createRateLimit({ ratePerSecond: 20, concurrency: 3, clock });
      const share = createRateLimit({ ratePerSecond: 4, concurrency: 3, clock, within: whole });
      for (let refused = 0; refused < 2; refused += 1) await share.schedule(answer('limited'));
      expect(whole.learning?.learned()?.perSecond).toBe(14);
    });
  });

  it('never lets more than the rate of the whole arrive when another limit shares it, and keeps its own', async () => {
    const arrivals: { readonly path: string | undefined; readonly at: number }[] = [];
    server = await startLoopbackServer((response) => {
      arrivals.push({ path: response.req.url, at: performance.now() });
      setTimeout(() => response.end('{}'), 20);
    });
    const url = `http://127.0.0.1:${server.port}/`;
    const whole = createRateLimit({ ratePerSecond: 20, concurrency: 3, clock });
    const share = createRateLimit({ ratePerSecond: 4, concurrency: 3, clock, within: whole });
    const send = (path: string) => async (): Promise<void> => void (await (await fetch(url + path)).text());
    await Promise.all([
      ...Array.from({ length: 60 }, () => whole.schedule(send('whole'))),
      ...Array.from({ length: 16 }, () => share.schedule(send('share'))),
    ]);
    expect(peak(arrivals.map(({ at }) => at))).toBe(20);
    expect(peak(arrivals.filter(({ path }) => path === '/share').map(({ at }) => at))).toBe(4);
  });

  it('lets an attempt go that waits for the limit it shares when its signal aborts, and gives back both places', async () => {
    const whole = createRateLimit({ ratePerSecond: 1, concurrency: 1, clock });
    const share = createRateLimit({ ratePerSecond: 1, concurrency: 1, clock, within: whole });
    await whole.schedule(() => Promise.resolve());
    const given = new AbortController();
    const waiting = share.schedule(() => Promise.resolve(), false, given.signal);
    given.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect((await starts(share, 1))[0]).toBeLessThan(1_900);
  });
});
