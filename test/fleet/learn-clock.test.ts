import { expect, test } from 'vitest';
import { createSharedClock } from '../../src/fleet/create-shared-clock.js';
import { learnClock } from '../../src/fleet/learn-clock.js';

/** A database whose clock is `AHEAD` of ours, and whose answers take so long, one after the other, milliseconds. */
const AHEAD = 1_700_000_000_000;
function database(delays: readonly number[]) {
  let time = 0;
  let asked = 0;
  return {
    monotonic: () => time,
    now: () => {
      const at = AHEAD + time;
      const delay = delays[asked++];
      if (delay === undefined) return Promise.reject(new Error('away'));
      time += delay;
      return Promise.resolve(at);
    },
  };
}

test('the quickest of its looks decides where the first slots are', async () => {
  const clock = createSharedClock();
  const slow = database([60, 40, 2, 30, 55, 60, 60, 60, 60, 60]);
  await learnClock(clock, slow, slow);
  const now = slow.monotonic();
  // A first reservation that is answered 50 ms late.
  expect(clock.toOwn(AHEAD + now, now, now + 50)).toBe(now + 2);
});

test('a database that goes away leaves what was learned', async () => {
  const clock = createSharedClock();
  const ends = database([30, 1]);
  await expect(learnClock(clock, ends, ends)).resolves.toBeUndefined();
  const now = ends.monotonic();
  expect(clock.toOwn(AHEAD + now, now, now + 50)).toBe(now + 1);
});
