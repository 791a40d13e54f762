import { afterEach, describe, expect, it } from 'vitest';
import { createRateLimit } from '../../src/platform/create-rate-limit.js';
import type { RateLimit } from '../../src/ports/rate-limit.js';
import { startLoopbackServer, type LoopbackServer } from './loopback-server.js';

const clock = { monotonic: () => performance.now() };

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

  it('never runs more attempts at a time than the concurrency', async () => {
    for (const ratePerSecond of [100, null]) {
      const limit = createRateLimit({ ratePerSecond, concurrency: 3, clock });
      let running = 0;
      let most = 0;
      const attempt = async (): Promise<void> => {
        most = Math.max(most, ++running);
        await wait(5);
        running--;
      };
      await Promise.all(Array.from({ length: 20 }, () => limit.schedule(attempt)));
      expect(most).toBe(3);
    }
  });

  it('starts attempts in the order in which they came', async () => {
    const limit = createRateLimit({ ratePerSecond: null, concurrency: 1, clock });
    const order: number[] = [];
    const attempt = (number: number) => () => Promise.resolve(void order.push(number));
    await Promise.all([1, 2, 3, 4].map((number) => limit.schedule(attempt(number))));
    expect(order).toEqual([1, 2, 3, 4]);
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
    expect(performance.now() - from).toBeLessThan(900);
  });

  it('keeps the place of an attempt that rejects, and rejects with its error', async () => {
    const limit = createRateLimit({ ratePerSecond: 1, concurrency: 1, clock });
    const error = new Error('no');
    await expect(limit.schedule(() => Promise.reject(error))).rejects.toBe(error);
    await expect(
      limit.schedule(() => {
        throw error;
      }),
    ).rejects.toBe(error);
    expect((await starts(limit, 1))[0]).toBeGreaterThan(990);
  });

  it('counts a second from the reply and not from the start', async () => {
    const limit = createRateLimit({ ratePerSecond: 1, concurrency: 1, clock });
    const [first = 0, second = 0] = await starts(limit, 2, 300);
    expect(second - first).toBeGreaterThanOrEqual(1_300);
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
});
