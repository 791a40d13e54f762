import { describe, expect, it, test } from 'vitest';
import { checkSchedule, dueBy, longestGap, offsetOf, offsetWithin } from '../../../src/core/run/schedule.js';

describe('check schedule', () => {
  test.each(['*/10 * * * *', '30 */5 * * * *', '0 2 * * 1-5', '0 0 * jan,jul mon'])('takes %s', (sync) => {
    expect(() => checkSchedule({ sync, verify: null })).not.toThrow();
    expect(() => checkSchedule({ sync, verify: sync })).not.toThrow();
  });

  test.each(['99 * * * *', '0 24 * * *', '*/0 * * * *', '0 0 31 2 *', 'a b c d e'])(
    'refuses %s, which is never due, and names the setting',
    (never) => {
      const refused = (schedule: Parameters<typeof checkSchedule>[0]) => () => checkSchedule(schedule);
      expect(refused({ sync: never, verify: null })).toThrow(`schedule.sync: "${never}"`);
      expect(refused({ sync: '0 2 * * *', verify: never })).toThrow(`schedule.verify: "${never}"`);
    },
  );
});

describe('due by', () => {
  const NOTED = new Date('2026-01-01T00:10:00Z');
  const OTHER = new Date('2026-01-01T00:03:20Z');

  test.each([
    ['nothing was ever stored', null, null, 'catch-up'],
    ['a stored time passed while nothing ran', { at: OTHER, overdue: true }, null, 'catch-up'],
    ['a stored time is still to come', { at: OTHER, overdue: false }, null, null],
    ['our own time is still to come', { at: NOTED, overdue: false }, NOTED, null],
    ['our own time has passed: cron decides', { at: NOTED, overdue: true }, NOTED, null],
    ['another process moved it to now', { at: OTHER, overdue: true }, NOTED, 'manual'],
    ['another process moved it to later', { at: OTHER, overdue: false }, NOTED, null],
    ['the row is gone', null, NOTED, null],
  ])('%s', (_case, stored, noted, trigger) => {
    expect(dueBy(stored, noted, true)).toBe(trigger);
  });

  test('what need not be done at first is due when a stored time passed, not when none was ever stored', () => {
    expect(dueBy(null, null, false)).toBeNull();
    expect(dueBy({ at: OTHER, overdue: true }, null, false)).toBe('catch-up');
  });
});

describe('longest gap', () => {
  const MINUTE = 60_000;

  it.each([
    ['*/10 * * * *', 10 * MINUTE],
    ['* * * * * *', 1_000],
    ['0 1 * * *', 24 * 60 * MINUTE],
    ['0 6-20 * * *', 10 * 60 * MINUTE],
    ['0 1 * * 1-5', 3 * 24 * 60 * MINUTE],
  ])('%s leaves %i ms between two times at most', (expression, expected) => {
    expect(longestGap(expression, 'Asia/Jakarta')).toBe(expected);
  });
});

describe('the offset of a client', () => {
  const of = (sync: string, clientId: string, spread = true) =>
    ({
      schedule: { sync, verify: null, timeZone: 'Asia/Jakarta', spread },
      platform: { jobs: { clientId } },
    }) as Parameters<typeof offsetOf>[0];
  const CLIENTS = Array.from({ length: 30 }, (_, number) => `client-${number}`);

  test('is always the same of one client, and none where schedule.spread is false', () => {
    const offset = offsetOf(of('*/10 * * * *', 'client-7'), 'sync');
    expect(offset).toBe(524_000);
    expect(offsetOf(of('*/10 * * * *', 'client-7'), 'sync')).toBe(offset);
    expect(offsetOf(of('*/10 * * * *', 'client-7', false), 'sync')).toBe(0);
    expect(offsetOf(of('*/10 * * * *', 'client-7'), 'verify')).toBe(0);
  });

  it.each([
    ['*/10 * * * *', 600_000],
    ['* * * * *', 60_000],
    ['*/2 * * * * *', 2_000],
    ['* * * * * *', 1_000],
    // The shortest time between two of them counts, and never more than ten minutes.
    ['0,4 * * * *', 240_000],
    ['0 2 * * *', 600_000],
  ])('of %s is spread over less than %i ms', (expression, most) => {
    const offsets = CLIENTS.map((client) => offsetOf(of(expression, client), 'sync'));
    expect(Math.max(...offsets)).toBeLessThan(most);
    const tenths = new Set(offsets.map((offset) => Math.floor((10 * offset) / most)));
    expect(tenths.size).toBeGreaterThan(7);
  });

  test('is found again in a due time, unless that comes from other settings', () => {
    const settings = of('*/10 * * * *', 'client-7');
    const time = Date.parse('2026-01-31T12:30:00Z');
    expect(offsetWithin(settings, new Date(time + 524_000))).toBe(524_000);
    expect(offsetWithin(settings, new Date(time + 529_000))).toBe(0);
    expect(offsetWithin(of('*/10 * * * *', 'client-7', false), new Date(time))).toBe(0);
  });
});
