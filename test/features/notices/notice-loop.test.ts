import { expect, test } from 'vitest';
import { createWakeableSleep } from '../../../src/core/runtime/time.js';
import { noticeLoop } from '../../../src/features/notices/notice-loop.js';

/** A clock whose waits end when the test says so. */
function handClock() {
  const waiting: { ms: number; end: () => void }[] = [];
  return {
    waiting,
    now: () => 0,
    monotonic: () => 0,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        if (signal?.aborted) resolve();
        const end = () => {
          waiting.splice(0, waiting.length, ...waiting.filter((one) => one.ms !== ms));
          resolve();
        };
        if (!signal?.aborted) waiting.push({ ms, end });
        signal?.addEventListener('abort', end, { once: true });
      }),
    async endWait(ms: number) {
      await expect.poll(() => waiting.some((one) => one.ms === ms)).toBe(true);
      waiting.find((one) => one.ms === ms)?.end();
    },
  };
}

test('a worker looks at once, then every 15 s, and a second after something happened', async () => {
  const clock = handClock();
  const wait = createWakeableSleep(clock, new AbortController().signal);
  const ending = new AbortController();
  let looks = 0;
  const look = () => {
    looks += 1;
    return Promise.resolve();
  };
  const done = noticeLoop({ look }, wait, clock, ending.signal);
  await expect.poll(() => looks).toBe(1);
  await clock.endWait(15_000);
  await clock.endWait(1_000);
  await expect.poll(() => looks).toBe(2);
  wait.wake();
  await clock.endWait(1_000);
  // Without the 15 s.
  await expect.poll(() => looks).toBe(3);
  ending.abort();
  await done;
  expect(looks).toBe(3);
});

test('what happened before the loop began is not lost, and a signal ends the wait', async () => {
  const clock = handClock();
  const wait = createWakeableSleep(clock, new AbortController().signal);
  const ending = new AbortController();
  let looks = 0;
  const look = () => {
    looks += 1;
    return Promise.resolve();
  };
  wait.wake();
  const done = noticeLoop({ look }, wait, clock, ending.signal);
  await clock.endWait(1_000);
  await expect.poll(() => looks).toBe(2);
  ending.abort();
  await done;
  expect(looks).toBe(2);
});
