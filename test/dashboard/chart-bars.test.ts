import { describe, expect, test } from 'vitest';
import {
  barsOf,
  CHART_RANGES,
  type ChartRange,
  countTicks,
  hoursOf,
  timeTicks,
} from '../../src/dashboard/chart.js';

const HOUR_MS = 3_600_000;
const NOW = new Date('2026-11-22T07:40:00Z');
const RANGES = Object.keys(CHART_RANGES) as ChartRange[];

/** One accepted request in each of the hours that are read for the range. */
function oneAnHour(range: ChartRange, now = NOW) {
  const last = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  return Array.from({ length: hoursOf(range) }, (_, index) => ({
    entity: index % 2 === 0 ? 'companies' : 'vacancies',
    hour: new Date(last - index * HOUR_MS),
    sent: 1,
    accepted: 1,
    rejected: 0,
    deferred: 0,
  }));
}

describe.each(['Asia/Jakarta', 'UTC', 'Asia/Kolkata', 'America/New_York', 'Pacific/Chatham'])(
  'in %s',
  (zone) => {
    test.each(RANGES)('%s has all its bars, and its last past bar has the present hour', (range) => {
      const bars = barsOf(oneAnHour(range), NOW, range, zone);
      expect(bars).toHaveLength(CHART_RANGES[range].bars);
      const present = bars.filter(({ future }) => !future).at(-1);
      expect(present?.from.getTime()).toBeLessThanOrEqual(NOW.getTime());
      expect(present?.sent).toBeGreaterThan(0);
      expect(bars.filter(({ future, sent }) => future && sent > 0)).toEqual([]);
      for (const { sent, future } of bars) if (!future) expect(sent).toBeGreaterThan(0);
      for (const [index, { to }] of bars.entries()) expect(bars[index + 1]?.from ?? to).toEqual(to);
    });
  },
);

test('the longer ranges begin at midnight, so a bar is a whole part of a day', () => {
  const week = barsOf(oneAnHour('7d'), NOW, '7d', 'Asia/Jakarta');
  expect(week[0]?.from.toISOString()).toBe('2026-11-15T17:00:00.000Z');
  expect(week.slice(0, 26).map(({ sent }) => sent)).toEqual(Array<number>(26).fill(6));
  expect(week[26]?.sent, '12:00 to 14:59 of today').toBe(3);
  const month = barsOf(oneAnHour('30d'), NOW, '30d', 'Asia/Jakarta');
  expect(month[0]?.from.toISOString()).toBe('2026-10-23T17:00:00.000Z');
  expect(month.slice(0, 29).every(({ sent }) => sent === 24)).toBe(true);
});

test('a day with one hour more or less is still one bar', () => {
  const now = new Date('2026-11-03T20:00:00Z');
  const month = barsOf(oneAnHour('30d', now), now, '30d', 'America/New_York');
  expect(month.map(({ sent }) => sent).filter((sent) => sent !== 24)).toEqual([25, 16]);
});

test('answers of all entities of one hour are one bar, and what is older is left out', () => {
  const hour = new Date('2026-11-22T07:00:00Z');
  const counts = { sent: 10, accepted: 6, rejected: 3, deferred: 1 };
  const [bar] = barsOf(
    [
      { entity: 'companies', hour, ...counts },
      { entity: 'vacancies', hour, ...counts },
      { entity: 'vacancies', hour: new Date('2026-11-22T01:00:00Z'), ...counts },
    ],
    NOW,
    '6h',
    'UTC',
  ).slice(-1);
  expect(bar).toMatchObject({ sent: 20, accepted: 12, rejected: 6, deferred: 2 });
});

test('the marks are few, at round times, and none is at the very end, where its text has no room', () => {
  const marks = (range: ChartRange) => timeTicks(barsOf([], NOW, range, 'UTC'), range);
  expect(marks('48h').map(({ at }) => at.getUTCHours() % 6)).toEqual(Array(7).fill(0));
  expect(marks('48h').filter(({ day }) => day)).toHaveLength(2);
  expect(marks('7d').every(({ at, day }) => day && at.getUTCHours() === 0)).toBe(true);
  expect(marks('7d')).toHaveLength(7);
  expect(marks('30d')).toHaveLength(6);
  for (const range of RANGES) {
    expect(Math.max(...marks(range).map(({ index }) => index))).toBeLessThanOrEqual(
      CHART_RANGES[range].bars * 0.9,
    );
    expect(marks(range).filter(({ minor }) => !minor).length).toBeLessThanOrEqual(4);
  }
});

test('the numbers beside the chart are whole', () => {
  expect([1, 2, 5, 10, 50].map(countTicks)).toEqual([
    [1, 0],
    [2, 1, 0],
    [5, 0],
    [10, 5, 0],
    [50, 25, 0],
  ]);
});
