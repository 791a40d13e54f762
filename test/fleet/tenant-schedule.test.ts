import { expect, test } from 'vitest';
import { tenantSchedule } from '../../src/fleet/schedules.js';

const MINUTE_MS = 60_000;
const NAMES = Array.from({ length: 2_000 }, (_, n) => `customer-${n}`);

/** Minutes of a day at which a schedule begins. */
function minutesOf(cron: string): number[] {
  const [minute = '', hour = ''] = cron.split(' ');
  const at = (field: string, all: number) => {
    const [from = '', step = '1'] = field.split('/');
    const [first = '0', last = first] = from === '*' ? ['0', String(all - 1)] : from.split('-');
    const found: number[] = [];
    for (let value = Number(first); value <= Number(last); value += Number(step)) found.push(value);
    return found;
  };
  return at(hour, 24).flatMap((h) => at(minute, 60).map((m) => 60 * h + m));
}

test.each([1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60, 120, 180, 240, 360, 480, 720, 1_440])(
  'a period of %i minutes comes in even steps, also over midnight',
  (period) => {
    for (const name of NAMES.slice(0, 50)) {
      const { cron, startAfter } = tenantSchedule(name, period * MINUTE_MS);
      const minutes = minutesOf(cron);
      expect(minutes, cron).toHaveLength(1_440 / period);
      const gaps = minutes.map((minute, n) => (minutes[n + 1] ?? 1_440 + (minutes[0] ?? 0)) - minute);
      expect(new Set(gaps), cron).toEqual(new Set([period]));
      expect(startAfter).toBeGreaterThanOrEqual(0);
      expect(startAfter).toBeLessThan(60);
    }
  },
);

test('of a period that cron cannot express the next shorter one is taken', () => {
  const same = (minutes: number, as: number) =>
    expect(tenantSchedule('a', minutes * MINUTE_MS)).toEqual(tenantSchedule('a', as * MINUTE_MS));
  same(7, 6);
  same(18, 15);
  same(59, 30);
  same(90, 60);
  same(1_000, 720);
  same(7 * 1_440, 1_440);
  expect(tenantSchedule('a', 1)).toEqual(tenantSchedule('a', MINUTE_MS));
});

test('2,000 tenants with the same period are spread over its seconds, always in the same way', () => {
  const perMinute = new Map<string, number>();
  const perSecond = new Map<number, number>();
  for (const name of NAMES) {
    const { cron, startAfter } = tenantSchedule(name, 10 * MINUTE_MS);
    perMinute.set(cron, (perMinute.get(cron) ?? 0) + 1);
    perSecond.set(startAfter, (perSecond.get(startAfter) ?? 0) + 1);
  }
  expect(perMinute.size).toBe(10);
  expect(Math.max(...perMinute.values())).toBeLessThan(300);
  expect(perSecond.size).toBe(60);
  expect(Math.max(...perSecond.values())).toBeLessThan(80);
  expect(tenantSchedule('customer-7', 10 * MINUTE_MS)).toEqual(tenantSchedule('customer-7', 10 * MINUTE_MS));
});
