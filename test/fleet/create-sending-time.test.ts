import { expect, test, vi } from 'vitest';
import type { SyncEvent } from '../../src/domain/events.js';
import { createSendingTime } from '../../src/fleet/create-sending-time.js';

const PUSHES: SyncEvent = { type: 'push-started', area: 'jobs', due: 3 };

test('the time for sending begins with the first push, however long the sweep took', () => {
  vi.useFakeTimers();
  try {
    const seen: SyncEvent[] = [];
    const time = createSendingTime(1_000, (event) => seen.push(event));
    vi.advanceTimersByTime(60_000);
    expect(time.over.aborted).toBe(false);
    time.emit(PUSHES);
    vi.advanceTimersByTime(900);
    time.emit({ ...PUSHES, area: 'training' });
    expect(time.over.aborted).toBe(false);
    vi.advanceTimersByTime(100);
    expect(time.over.aborted).toBe(true);
    expect(seen).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});

test('a run that has ended leaves no timer', () => {
  vi.useFakeTimers();
  try {
    const time = createSendingTime(1_000, () => undefined);
    time.emit(PUSHES);
    time.end();
    expect(vi.getTimerCount()).toBe(0);
    time.cut();
    expect(time.over.aborted).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});
