import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DueTime, Trigger } from '../../src/ports/runs.js';
import { scheduleLoop } from '../../src/service/schedule.js';
import { systemClock } from '../../src/cli/compose/package-info.js';

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-01-31T01:00:30Z') }));
afterEach(() => void vi.useRealTimers());

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** A schedule with the due time that was stored before, and what it began. */
async function begin(expression: string, stored: DueTime | null = null) {
  const begun: Trigger[] = [];
  const stop = new AbortController();
  const state = { schedules: { read: () => Promise.resolve(null), setDue: () => Promise.resolve(stored) } };
  const warnings: string[] = [];
  const dependencies = {
    state,
    clock: systemClock,
    signal: stop.signal,
    emit: (event: { type: string }) => void warnings.push(event.type),
  } as unknown as Parameters<typeof scheduleLoop>[0];
  const schedule = { name: 'sync', expression, timeZone: 'UTC', cutOff: false, atFirst: false } as const;
  const loop = scheduleLoop(dependencies, schedule, { held: () => true }, (trigger) => {
    begun.push(trigger);
    return Promise.resolve();
  });
  await vi.advanceTimersByTimeAsync(5 * SECOND);
  return {
    begun,
    warnings,
    end: async () => {
      stop.abort();
      await vi.advanceTimersByTimeAsync(SECOND);
      await loop;
    },
  };
}

test('a time that passed while the process stood still is made up for, once', async () => {
  const { begun, warnings, end } = await begin('0 2 * * *');
  await vi.advanceTimersByTimeAsync(HOUR - 60 * SECOND);
  expect(begun).toEqual([]);
  // Timers go by another clock: what is late by the machine's time has not come yet for them.
  vi.setSystemTime(Date.parse('2026-01-31T03:10:00Z'));
  await vi.advanceTimersByTimeAsync(120 * SECOND);
  expect(begun).toEqual(['cron']);
  await vi.advanceTimersByTimeAsync(2 * HOUR);
  expect(begun).toEqual(['cron']);
  expect(warnings).toEqual([]);
  await end();
});

test('of many times that passed one is made up for, without a warning each', async () => {
  const { begun, warnings, end } = await begin('*/10 * * * *');
  vi.setSystemTime(Date.parse('2026-01-31T04:12:00Z'));
  await vi.advanceTimersByTimeAsync(600 * SECOND);
  expect(begun.length).toBeLessThanOrEqual(2);
  expect(begun[0]).toBe('cron');
  expect(warnings).toEqual([]);
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
