import { expect, test } from 'vitest';
import { dueBy } from '../../src/service/schedule.js';

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
