import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../src/core/ports/clock.js';
import type { WakeableSleep } from '../src/core/runtime/time.js';

/**
 * Waits of a test that last no time. Each ends in the next turn of the event loop: with `Promise.resolve` a loop that does
 * not end, because of a bug, would never let a time-out fire, and the run of the tests would hang without a word. And no
 * test needs as many as `MOST`, so that such a loop fails at once, with the place where it waits.
 */
const MOST = 10_000;

/** A function for every `what` of a test; the call after so many throws. */
export function notEndless(what: string): () => void {
  let times = 0;
  return () => {
    times += 1;
    if (times > MOST) throw new Error(`The program does not end: ${MOST} ${what} without an end in sight.`);
  };
}

/** Waits for the next turn, whatever the time asked for. */
export function noWait(): () => Promise<void> {
  const count = notEndless('waits');
  return async () => {
    count();
    await turn();
  };
}

/** Time is what `now` gives; `sleep` does not move it. */
export function fakeClock(now: () => number, monotonic = now): Clock {
  return { now, monotonic, sleep: noWait() };
}

/** A sleep that is woken at once, each time after `before`. */
export function wokenAtOnce(before: () => void = () => undefined): WakeableSleep {
  const wait = noWait();
  return {
    async sleep() {
      before();
      await wait();
      return true;
    },
    wake: () => undefined,
  };
}
