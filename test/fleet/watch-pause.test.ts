import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchPause } from '../../src/fleet/work-tenant.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a run is ended by a pause that is longer than it waits, and not by a shorter one or a look that fails', async () => {
  let left: () => Promise<number> = () => Promise.resolve(60_000);
  const tooLong = vi.fn();
  const end = watchPause(() => left(), 60_000, tooLong);
  await vi.advanceTimersByTimeAsync(20_000);
  left = () => Promise.reject(new Error('away'));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(tooLong).not.toHaveBeenCalled();
  left = () => Promise.resolve(60_001);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(tooLong).toHaveBeenCalledTimes(1);
  end();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(tooLong).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});
