import { expect, test } from 'vitest';
import { createSharedReading } from '../../src/dashboard/read-overview.js';

/** Readings that end when the test says so, on a clock that it moves. */
function slowReading() {
  let now = 0;
  const ends: ((value: string | Error) => void)[] = [];
  const reading = createSharedReading(
    () =>
      new Promise<string>((resolve, reject) => {
        ends.push((value) => (value instanceof Error ? reject(value) : resolve(value)));
      }),
    () => now,
  );
  return {
    reading,
    shown: async () => (await reading.read()).value,
    begun: () => ends.length,
    /** The latest reading ends `ms` later. */
    async end(value: string | Error, ms: number) {
      now += ms;
      ends.at(-1)?.(value);
      await Promise.resolve();
    },
    pass: (ms: number) => (now += ms),
  };
}

test('one reading serves all, and the next is not made before it can be afforded', async () => {
  const { shown, begun, end, pass } = slowReading();
  const both = [shown(), shown()];
  await end('one', 1_000);
  expect(await Promise.all(both)).toEqual(['one', 'one']);
  pass(4_900);
  expect(await shown()).toBe('one');
  expect(begun()).toBe(1);
});

test('a reading that takes long is made in the background, and what was known is given meanwhile', async () => {
  const { reading, shown, begun, end, pass } = slowReading();
  const first = shown();
  await end('one', 1_000);
  await first;
  pass(5_100);
  expect([await reading.read(), await reading.read()]).toEqual([
    { value: 'one', ageMs: 6_100 },
    { value: 'one', ageMs: 6_100 },
  ]);
  expect(begun()).toBe(2);
  await end('two', 1_000);
  expect(await reading.read()).toEqual({ value: 'two', ageMs: 1_000 });
});

test('what was known longer than ten seconds ago is not given: callers wait for the next reading', async () => {
  const { shown, begun, end, pass } = slowReading();
  void shown();
  await end('in step', 1_000);
  pass(240_000);
  const later = [shown(), shown()];
  await end('in an outage', 1_000);
  expect(await Promise.all(later)).toEqual(['in an outage', 'in an outage']);
  pass(5_100);
  expect(await shown()).toBe('in an outage');
  // The same while the reading is under way.
  pass(3_000);
  expect(await shown()).toBe('in an outage');
  pass(2_000);
  const waiting = shown();
  await end('in step again', 1_000);
  expect(await waiting).toBe('in step again');
  expect(begun()).toBe(3);
});

test('a reading that took longer than that is given to those who waited for it, and to nobody later', async () => {
  const { shown, begun, end } = slowReading();
  const waited = shown();
  await end('one', 11_000);
  expect(await waited).toBe('one');
  void shown();
  expect(begun()).toBe(2);
});

test('a short reading is waited for, and so is one after a button', async () => {
  const { reading, shown, end, pass } = slowReading();
  void shown();
  await end('one', 100);
  pass(1_001);
  const short = shown();
  await end('two', 1_000);
  expect(await short).toBe('two');
  reading.forget();
  const anew = shown();
  await end('three', 1_000);
  expect(await anew).toBe('three');
});

test('a failed reading is told by the next look, not hidden behind what was known', async () => {
  const { shown, end, pass } = slowReading();
  void shown();
  await end('one', 1_000);
  pass(5_100);
  expect(await shown()).toBe('one');
  await end(new Error('away'), 100);
  const next = shown();
  await end(new Error('away'), 100);
  await expect(next).rejects.toThrow('away');
});
