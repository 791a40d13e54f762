import { describe, expect, test } from 'vitest';
import { createSharedClock, learnClock } from '../../../src/features/fleet/shared-rate-limit.js';
import { untilAborted } from '../../../src/core/runtime/time.js';
import { noWait } from '../../fake-time.js';

describe('create shared clock', () => {
  test('the closest bounds of all answers count, and a late answer moves nothing', () => {
    const clock = createSharedClock();
    clock.learn(5_000, 1_000, 1_040);
    expect([clock.toOwn(5_000), clock.toDatabase(1_000)]).toEqual([1_040, 5_000]);
    clock.learn(6_002, 2_000, 2_004);
    expect(clock.toOwn(6_000)).toBe(2_002);
    expect(clock.toDatabase(2_000)).toBeCloseTo(6_000, 0);
    // Seen 200 ms late: the event loop stood still.
    clock.learn(7_002, 3_000, 3_206);
    expect(clock.toOwn(7_000)).toBeCloseTo(3_002, 0);
    expect(clock.toDatabase(3_000)).toBeCloseTo(7_000, 0);
  });

  test('neither translation is ever too soon, whenever the database read its clock, and if it goes a little faster or slower', () => {
    for (const drift of [0, 0.000_1, -0.000_1]) {
      const clock = createSharedClock();
      const there = (own: number) => 4_000 + own * (1 + drift);
      for (let turn = 0; turn < 50; turn += 1) {
        const askedAt = 1_000 + 60_000 * turn;
        const answeredAfter = [40, 31, 3, 90][turn % 4] ?? 0;
        clock.learn(there(askedAt + ((turn * 7) % answeredAfter)), askedAt, askedAt + answeredAfter);
        for (const own of [askedAt + answeredAfter, askedAt + 60_000]) {
          expect(clock.toOwn(there(own))).toBeGreaterThanOrEqual(own - 6);
          expect(clock.toDatabase(own)).toBeGreaterThanOrEqual(there(own) - 6);
        }
      }
    }
  });

  test('a database’s clock that is set counts from then on', () => {
    const clock = createSharedClock();
    clock.learn(5_000, 1_000, 1_001);
    for (const [at, askedAt] of [
      [1_500, 2_000],
      [9_999_999, 3_000],
      [6_999, 4_000],
    ] as const) {
      clock.learn(at, askedAt, askedAt + 50);
      expect(clock.toOwn(at)).toBe(askedAt + 50);
      expect(clock.toDatabase(askedAt)).toBe(at);
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
    clock.learn(AHEAD + now, now, now + 50);
    expect(clock.toOwn(AHEAD + now)).toBeCloseTo(now + 2, 0);
  });

  test('a database that goes away leaves what was learned', async () => {
    const clock = createSharedClock();
    const ends = database([30, 1]);
    await expect(learnClock(clock, ends, ends, goesOn())).resolves.toBeUndefined();
    const now = ends.monotonic();
    clock.learn(AHEAD + now, now, now + 50);
    expect(clock.toOwn(AHEAD + now)).toBeCloseTo(now + 1, 0);
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
