import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DueTime, Trigger } from '../../../src/core/ledger/runs.js';
import { scheduleLoop } from '../../../src/core/run/schedule.js';
import { systemClock } from '../../../src/cli/compose/package-info.js';

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-01-31T01:00:30Z') }));
afterEach(() => void vi.useRealTimers());

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** A schedule with the due time that was stored before, and what it began. */
async function begin(expression: string, stored: DueTime | null = null, offsetMs = 0) {
  const begun: Trigger[] = [];
  const begunAt: string[] = [];
  const noted: Date[] = [];
  const stop = new AbortController();
  const setDue = (_: string, at: Date) => {
    noted.push(at);
    return Promise.resolve(stored);
  };
  const state = { schedules: { read: () => Promise.resolve(null), setDue } };
  const dependencies = {
    state,
    clock: systemClock,
    signal: stop.signal,
  } as unknown as Parameters<typeof scheduleLoop>[0];
  const times = { expression, timeZone: 'UTC', offsetMs } as const;
  const schedule = { name: 'sync', ...times, cutOff: false, atFirst: false } as const;
  let lastsMs = 0;
  const loop = scheduleLoop(dependencies, schedule, { held: () => true }, async (trigger) => {
    begun.push(trigger);
    begunAt.push(new Date(systemClock.now()).toISOString().slice(11, 19));
    if (lastsMs > 0) await systemClock.sleep(lastsMs);
  });
  await vi.advanceTimersByTimeAsync(5 * SECOND);
  return {
    begun,
    begunAt,
    noted,
    lasts: (ms: number) => void (lastsMs = ms),
    end: async () => {
      stop.abort();
      await vi.advanceTimersByTimeAsync(SECOND);
      await loop;
    },
  };
}

test('a time that passed while the process stood still is made up for, once', async () => {
  const { begun, end } = await begin('0 2 * * *');
  await vi.advanceTimersByTimeAsync(HOUR - 60 * SECOND);
  expect(begun).toEqual([]);
  // Timers go by another clock: what is late by the machine's time has not come yet for them.
  vi.setSystemTime(Date.parse('2026-01-31T03:10:00Z'));
  await vi.advanceTimersByTimeAsync(120 * SECOND);
  expect(begun).toEqual(['cron']);
  await vi.advanceTimersByTimeAsync(2 * HOUR);
  expect(begun).toEqual(['cron']);
  await end();
});

test('of many times that passed one is made up for', async () => {
  const { begun, end } = await begin('*/10 * * * *');
  vi.setSystemTime(Date.parse('2026-01-31T04:12:00Z'));
  await vi.advanceTimersByTimeAsync(600 * SECOND);
  expect(begun.length).toBeLessThanOrEqual(2);
  expect(begun[0]).toBe('cron');
  await end();
});

test('when the clock of the machine is set back, the schedule goes by the new time', async () => {
  const { begun, end } = await begin('*/10 * * * *');
  vi.setSystemTime(Date.parse('2016-01-31T01:00:00Z'));
  await vi.advanceTimersByTimeAsync(11 * 60 * SECOND);
  expect(begun).toEqual(['cron']);
  await vi.advanceTimersByTimeAsync(20 * 60 * SECOND);
  expect(begun).toEqual(['cron', 'cron', 'cron']);
  await end();
});

test('a time that passed while nothing ran is made up for, also where the clock of the database is behind', async () => {
  const { begun, end } = await begin('0 1 * * *', { at: new Date('2026-01-31T01:00:00Z'), overdue: false });
  expect(begun).toEqual(['catch-up']);
  await end();
  const later = await begin('0 2 * * *', { at: new Date('2026-01-31T02:00:00Z'), overdue: false });
  expect(later.begun).toEqual([]);
  await later.end();
});

test('with an offset each time comes later by it, and the stored due time is the one with the offset', async () => {
  const { begunAt, noted, end } = await begin('*/10 * * * *', null, 192 * SECOND);
  await vi.advanceTimersByTimeAsync(HOUR / 2);
  // 01:00 had passed when the process began, and its offset had not.
  expect(begunAt).toEqual(['01:03:12', '01:13:12', '01:23:12']);
  expect(noted.map((at) => at.toISOString().slice(11, 19))).toEqual([
    '01:03:12',
    '01:13:12',
    '01:23:12',
    '01:33:12',
  ]);
  await end();
});

test('a restart between a time and its offset neither loses the run nor repeats it', async () => {
  const first = await begin('*/10 * * * *', null, 192 * SECOND);
  await first.end();
  const second = await begin('*/10 * * * *', { at: first.noted[0]!, overdue: false }, 192 * SECOND);
  await vi.advanceTimersByTimeAsync(5 * 60 * SECOND);
  await second.end();
  const third = await begin('*/10 * * * *', { at: second.noted.at(-1)!, overdue: false }, 192 * SECOND);
  await vi.advanceTimersByTimeAsync(10 * 60 * SECOND);
  await third.end();
  expect([...first.begunAt, ...second.begunAt, ...third.begunAt]).toEqual(['01:03:12', '01:13:12']);
});

test('a run that lasts beyond the next time is followed by that run at once, and then by the offset again', async () => {
  const { begunAt, lasts, end } = await begin('*/10 * * * *', null, 192 * SECOND);
  lasts(18 * 60 * SECOND);
  await vi.advanceTimersByTimeAsync(10 * 60 * SECOND);
  lasts(0);
  await vi.advanceTimersByTimeAsync(30 * 60 * SECOND);
  // 01:13:12 came during the first one; 01:20 had passed when that ended, and its offset had not.
  expect(begunAt).toEqual(['01:03:12', '01:21:12', '01:23:12', '01:33:12']);
  await end();
});

test('a schedule of every other second keeps its pace with an offset', async () => {
  const { begun, end } = await begin('*/2 * * * * *', null, 1_300);
  const before = begun.length;
  await vi.advanceTimersByTimeAsync(20 * SECOND);
  expect(begun.length - before).toBe(10);
  await end();
});
