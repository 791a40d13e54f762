import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SyncEvent } from '../../src/domain/events.js';
import { createSliceTime } from '../../src/fleet/work-tenant.js';

const PUSHES: SyncEvent = { type: 'push-started', area: 'jobs', due: 3 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function opened(sweepIsBounded: boolean) {
  const seen: SyncEvent[] = [];
  return { seen, ...createSliceTime(1_000, { sweepIsBounded, emit: (event) => seen.push(event) }) };
}

test('the time for sending begins with the first push, however long the sweep took', () => {
  const time = opened(false);
  vi.advanceTimersByTime(60_000);
  expect([time.over.aborted, time.outgrown.aborted]).toEqual([false, false]);
  time.emit(PUSHES);
  vi.advanceTimersByTime(900);
  time.emit({ ...PUSHES, area: 'training' });
  expect(time.over.aborted).toBe(false);
  vi.advanceTimersByTime(100);
  expect(time.over.aborted).toBe(true);
  expect(time.seen).toHaveLength(2);
});

test('a sweep that is bounded ends when its time is over, and says where it begins again', () => {
  const time = opened(true);
  vi.advanceTimersByTime(999);
  expect(time.outgrown.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(time.outgrown.aborted).toBe(true);
  expect(time.seen).toEqual([
    {
      type: 'warning',
      message: 'The sweep took longer than 1 s. It begins again in the lane of large tenants, where it may.',
    },
  ]);
});

test('a sweep that ended in time is not cut while its records are sent', () => {
  const time = opened(true);
  vi.advanceTimersByTime(900);
  time.emit(PUSHES);
  vi.advanceTimersByTime(60_000);
  expect([time.outgrown.aborted, time.over.aborted]).toEqual([false, true]);
});

test('a run that has ended leaves no timer', () => {
  const time = opened(true);
  time.end();
  const pushed = opened(true);
  pushed.emit(PUSHES);
  pushed.end();
  expect(vi.getTimerCount()).toBe(0);
  pushed.cut();
  expect(pushed.over.aborted).toBe(true);
});
