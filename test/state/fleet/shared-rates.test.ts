import { expect, test } from 'vitest';
import { openFleet } from './open-fleet.js';

test('slots follow each other without a gap and without an overlap, whoever asks', async () => {
  const { rates } = await openFleet();
  const reserved = await Promise.all(
    Array.from({ length: 20 }, (_, index) => rates.reserve('c', 2, 1 + (index % 3))),
  );
  const moments = reserved
    .flatMap(({ at, waitMs, stepMs, count }) =>
      Array.from({ length: count }, (_, index) => at + waitMs + index * stepMs),
    )
    .sort((left, right) => left - right);
  expect(moments).toHaveLength(39);
  moments.slice(1).forEach((at, index) => expect(at - (moments[index] ?? 0)).toBeCloseTo(525, 2));
  expect(Math.min(...reserved.map(({ waitMs }) => waitMs))).toBe(0);
});

test('after a silence the first slot is at once: unused ones are not made up for', async () => {
  const { database, rates } = await openFleet();
  await rates.reserve('c', 0.1, 5);
  await database.query(`update fleet.rate set next_at = now() - interval '1 hour', seen_at = next_at`);
  expect((await rates.reserve('c', 0.1, 5)).waitMs).toBe(0);
  expect((await rates.reserve('c', 0.1, 5)).waitMs).toBeGreaterThan(0);
});

test('each credential has a rate of its own, also below one a second', async () => {
  const { rates } = await openFleet();
  expect(await rates.reserve('slow', 0.1, 2)).toMatchObject({ waitMs: 0, stepMs: 10_500, count: 2 });
  const { waitMs } = await rates.reserve('slow', 0.1, 1);
  expect(waitMs).toBeGreaterThan(15_000);
  expect(waitMs).toBeLessThanOrEqual(21_000);
  expect((await rates.reserve('other', 0.1, 1)).waitMs).toBe(0);
});

test('a pause moves all slots behind it, and a longer one stays', async () => {
  const { rates } = await openFleet();
  expect(await rates.pauseLeft('c')).toBe(0);
  await rates.pause('c', 60_000);
  await rates.pause('c', 1_000);
  const left = await rates.pauseLeft('c');
  expect(left).toBeGreaterThan(30_000);
  expect(left).toBeLessThanOrEqual(60_000);
  const first = await rates.reserve('c', 50, 5);
  const second = await rates.reserve('c', 50, 5);
  expect(first.waitMs).toBeGreaterThan(30_000);
  expect(second.at + second.waitMs - first.at - first.waitMs).toBeCloseTo(105, 2);
  await rates.pause('c', 120_000);
  expect((await rates.reserve('c', 50, 1)).waitMs).toBeGreaterThan(90_000);
  expect(await rates.pauseLeft('other')).toBe(0);
});

test('a clock that was set back makes nobody wait, and hands out no time twice', async () => {
  const { database, rates } = await openFleet();
  await rates.pause('c', 60_000);
  await rates.reserve('c', 1, 10);
  // The row as a clock wrote it that was a day ahead.
  await database.query(`update fleet.rate set next_at = next_at + interval '1 day',
    paused_until = paused_until + interval '1 day', seen_at = seen_at + interval '1 day'`);
  const left = await rates.pauseLeft('c');
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(60_000);
  await rates.pause('c', 1);
  const { waitMs } = await rates.reserve('c', 1, 1);
  expect(waitMs).toBeGreaterThan(10_500);
  expect(waitMs).toBeLessThanOrEqual(70_500);
});

test('a row far ahead that was reserved stays', async () => {
  const { rates } = await openFleet();
  await rates.reserve('c', 0.01, 5);
  expect((await rates.reserve('c', 0.01, 1)).waitMs).toBeGreaterThan(500_000);
});
