import { expect, test } from 'vitest';
import type { Clock } from '../../src/ports/clock.js';
import { createWakeableSleep } from '../../src/runtime/time.js';
import { fakeClock } from '../fake-time.js';

/** A clock whose time never passes: only a signal ends a sleep. */
const frozen: Clock = {
  now: () => 0,
  monotonic: () => 0,
  sleep: (_ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) resolve();
      signal?.addEventListener('abort', () => resolve());
    }),
};

test('a sleep ends when it is woken, and reports that it was', async () => {
  const idle = createWakeableSleep(frozen, new AbortController().signal);
  const sleeping = idle.sleep(1_000);
  idle.wake();
  expect(await sleeping).toBe(true);
});

test('being woken before is not forgotten, and counts once', async () => {
  const idle = createWakeableSleep(
    fakeClock(() => 0),
    new AbortController().signal,
  );
  idle.wake();
  expect(await idle.sleep(1_000)).toBe(true);
  expect(await idle.sleep(1_000)).toBe(false);
});

test('after the signal no sleep lasts any more', async () => {
  const stopping = new AbortController();
  const idle = createWakeableSleep(frozen, stopping.signal);
  const sleeping = idle.sleep(1_000);
  stopping.abort();
  await sleeping;
  expect(await idle.sleep(1_000)).toBe(true);
});
