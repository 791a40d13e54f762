import { expect, test } from 'vitest';
import { createSharedReading } from '../../src/dashboard/shared-reading.js';

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
  const { reading, begun, end, pass } = slowReading();
  const both = [reading.read(), reading.read()];
  await end('one', 4_000);
  expect(await Promise.all(both)).toEqual(['one', 'one']);
  pass(19_000);
  expect(await reading.read()).toBe('one');
  expect(begun()).toBe(1);
});

test('a reading that takes long is made in the background, and what was known is given meanwhile', async () => {
  const { reading, begun, end, pass } = slowReading();
  const first = reading.read();
  await end('one', 4_000);
  await first;
  pass(21_000);
  expect([await reading.read(), await reading.read()]).toEqual(['one', 'one']);
  expect(begun()).toBe(2);
  await end('two', 4_000);
  expect(await reading.read()).toBe('two');
});

test('a short reading is waited for, and so is one after a button', async () => {
  const { reading, end, pass } = slowReading();
  void reading.read();
  await end('one', 100);
  pass(1_001);
  const short = reading.read();
  await end('two', 4_000);
  expect(await short).toBe('two');
  reading.forget();
  const anew = reading.read();
  await end('three', 4_000);
  expect(await anew).toBe('three');
});

test('a failed reading is told by the next look, not hidden behind what was known', async () => {
  const { reading, end, pass } = slowReading();
  void reading.read();
  await end('one', 4_000);
  pass(21_000);
  expect(await reading.read()).toBe('one');
  await end(new Error('away'), 100);
  const next = reading.read();
  await end(new Error('away'), 100);
  await expect(next).rejects.toThrow('away');
});
