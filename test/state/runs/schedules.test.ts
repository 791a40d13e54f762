import { expect, test } from 'vitest';
import { openTestState } from '../open-test-state.js';

test('a due time is kept to the millisecond, and setting it gives the one that it replaces', async () => {
  const state = await openTestState();
  const at = new Date('2026-01-02T03:04:05.678Z');
  expect(await state.schedules.read('sync')).toBeNull();
  expect(await state.schedules.setDue('sync', at)).toBeNull();
  expect(await state.schedules.read('sync')).toEqual({ at, overdue: true });
  const later = new Date(Date.now() + 3_600_000);
  expect(await state.schedules.setDue('sync', later)).toEqual({ at, overdue: true });
  expect(await state.schedules.read('sync')).toEqual({ at: later, overdue: false });
  expect(await state.schedules.read('verify')).toBeNull();
});

test('now is the time of the database', async () => {
  const state = await openTestState();
  await state.schedules.setDueNow('sync');
  const first = await state.schedules.read('sync');
  expect(first?.overdue).toBe(true);
  await state.schedules.setDueNow('sync');
  expect((await state.schedules.read('sync'))!.at.getTime()).toBeGreaterThanOrEqual(first!.at.getTime());
});
