import { describe, expect, test } from 'vitest';
import { createSharedClock, learnClock } from '../../src/fleet/shared-rate-limit.js';
import { untilAborted } from '../../src/runtime/time.js';
import { noWait } from '../fake-time.js';

describe('create shared clock', () => {
  test('the quickest answer decides, and a late one moves nothing', () => {
    const clock = createSharedClock();
    expect(clock.toOwn(5_000, 1_000, 1_040)).toBe(1_040);
    expect(clock.toOwn(6_000, 2_000, 2_004)).toBe(2_004);
    // Seen 200 ms late: the event loop stood still.
    expect(clock.toOwn(7_002, 3_000, 3_206)).toBe(3_006);
  });

  test('a moment is never before the question, nor behind the answer', () => {
    const clock = createSharedClock();
    clock.toOwn(5_000, 1_000, 1_001);
    for (const [at, askedAt, answeredAt] of [
      [1_500, 2_000, 2_050],
      [9_999_999, 3_000, 3_050],
      [6_999, 4_000, 4_050],
    ] as const) {
      const own = clock.toOwn(at, askedAt, answeredAt);
      expect(own).toBeGreaterThanOrEqual(askedAt);
      expect(own).toBeLessThanOrEqual(answeredAt);
    }
  });
});

describe('learn clock', () => {
  const AHEAD = 1_700_000_000_000;

  /** A database whose clock is `AHEAD` of ours, and whose answers take so long, one after the other, milliseconds; null: for ever. */
  function database(delays: readonly (number | null)[]) {
    let time = 0;
    let asked = 0;
    const slept: number[] = [];
    const wait = noWait();
    return {
      slept,
      monotonic: () => time,
      async sleep(ms: number, signal?: AbortSignal) {
        slept.push(ms);
        // Nobody waits so long here: only an abort ends it.
        await (signal ? untilAborted(signal) : wait());
      },
      async now() {
        const at = AHEAD + time;
        const delay = delays[asked++];
        if (delay === undefined) throw new Error('away');
        if (delay === null) await new Promise(() => undefined);
        time += delay ?? 0;
        return at;
      },
    };
  }

  const goesOn = () => new AbortController().signal;

  test('the quickest of its looks decides where the first slots are', async () => {
    const clock = createSharedClock();
    const slow = database([60, 40, 2, 30, 55, 60, 60, 60, 60, 60]);
    await learnClock(clock, slow, slow, goesOn());
    const now = slow.monotonic();
    // A first reservation that is answered 50 ms late.
    expect(clock.toOwn(AHEAD + now, now, now + 50)).toBe(now + 2);
  });

  test('a database that goes away leaves what was learned', async () => {
    const clock = createSharedClock();
    const ends = database([30, 1]);
    await expect(learnClock(clock, ends, ends, goesOn())).resolves.toBeUndefined();
    const now = ends.monotonic();
    expect(clock.toOwn(AHEAD + now, now, now + 50)).toBe(now + 1);
  });

  test('a database that hangs holds up neither the start for longer than two seconds, nor the end', async () => {
    const hangs = database([5, null]);
    const stop = new AbortController();
    const learned = learnClock(createSharedClock(), hangs, hangs, stop.signal);
    expect(hangs.slept).toEqual([2_000]);
    stop.abort();
    await learned;
  });
});
