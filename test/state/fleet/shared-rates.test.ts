import { expect, test } from 'vitest';
import { createSharedRates } from '../../../src/state/shared-rates.js';
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

test('what one has learned makes the slots of all fewer, until it is forgotten; a row is not needed before', async () => {
  const { rates } = await openFleet();
  const known = { refused: 50, limitedAt: 1, announced: null, accepted: 0, setting: 50 };
  const halve = (perSecond: number) => rates.learn('c', () => ({ ...known, perSecond }));
  expect(await halve(25)).toMatchObject({ perSecond: 25 });
  expect(await rates.reserve('c', 50, 2)).toMatchObject({ stepMs: 42, learned: { perSecond: 25 } });
  const next = await rates.reserve('c', 50, 1);
  expect(next.waitMs).toBeGreaterThan(0);
  expect(next.waitMs).toBeLessThanOrEqual(84);
  // The setting stays the most.
  expect((await rates.reserve('c', 10, 1)).stepMs).toBe(105);
  expect((await rates.reserve('other', 50, 1)).learned).toBeNull();
  const seen: number[] = [];
  await Promise.all(
    Array.from({ length: 10 }, () =>
      rates.learn('c', (shared, now) => {
        seen.push(now);
        return shared && { ...shared, accepted: shared.accepted + 1 };
      }),
    ),
  );
  expect((await rates.reserve('c', 50, 1)).learned).toMatchObject({ perSecond: 25, accepted: 10 });
  expect(Math.abs((seen[0] ?? 0) - Date.now())).toBeLessThan(60_000);
  await rates.learn('c', () => null);
  expect(await rates.reserve('c', 50, 1)).toMatchObject({ stepMs: 21, learned: null });
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

test('a slot further ahead than all runs could reserve is set to now, and whoever reserves is told once', async () => {
  const { database, state } = await openFleet();
  const corrected: string[] = [];
  const rates = createSharedRates(state, (credential) => corrected.push(credential));
  await rates.reserve('c', 50, 5);
  await database.query(`update fleet.rate set next_at = next_at + interval '1 day'`);
  expect((await rates.reserve('c', 50, 5)).waitMs).toBe(0);
  expect((await rates.reserve('c', 50, 5)).waitMs).toBeLessThan(1_000);
  expect(corrected).toEqual(['c']);
  // Slots behind a pause that stands are where they should be.
  await rates.pause('c', 3_600_000);
  await rates.reserve('c', 50, 5);
  expect((await rates.reserve('c', 50, 5)).waitMs).toBeGreaterThan(3_500_000);
  expect(corrected).toEqual(['c']);
});

test('a pause is listed until it ends; once somebody ends it, slots begin at once', async () => {
  const { rates } = await openFleet();
  await rates.pause('b', 3_600_000);
  await rates.pause('a', 1_800_000);
  await rates.reserve('a', 50, 5);
  await rates.reserve('free', 50, 5);
  const listed = await rates.pauses();
  expect(listed.map(({ credential }) => credential)).toEqual(['a', 'b']);
  expect(listed[0]!.until.getTime()).toBeLessThan(listed[1]!.until.getTime());
  expect(await rates.endPause('a')).toBe(true);
  expect(await rates.endPause('a')).toBe(false);
  expect(await rates.endPause('free')).toBe(false);
  expect(await rates.pauseLeft('a')).toBe(0);
  expect((await rates.reserve('a', 50, 5)).waitMs).toBe(0);
  expect((await rates.pauses()).map(({ credential }) => credential)).toEqual(['b']);
});
