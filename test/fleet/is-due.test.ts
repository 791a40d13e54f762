import { expect, test } from 'vitest';
import { isDue } from '../../src/fleet/schedules.js';
import type { TenantRun } from '../../src/ports/tenants.js';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const PERIOD_MS = 600_000;

const ranBefore = (ms: number, usedUpSlice = false): TenantRun => ({
  startedAt: new Date(NOW - ms),
  finishedAt: new Date(NOW - ms + 1_000),
  outcome: 'complete',
  exitCode: 0,
  message: null,
  pending: 0,
  usedUpSlice,
});

test('a tenant that never ran, that was changed since, or whose slice left work, is due at once', () => {
  expect(isDue({ isChanged: true, lastRun: ranBefore(1_000), periodMs: PERIOD_MS }, NOW)).toBe(true);
  expect(isDue({ isChanged: false, lastRun: null, periodMs: PERIOD_MS }, NOW)).toBe(true);
  expect(isDue({ isChanged: false, lastRun: ranBefore(1_000, true), periodMs: PERIOD_MS }, NOW)).toBe(true);
});

test('a tenant is due when its schedule must have been missed, and not while its job may still come', () => {
  expect(isDue({ isChanged: false, lastRun: ranBefore(PERIOD_MS - 1), periodMs: PERIOD_MS }, NOW)).toBe(
    false,
  );
  // Looked for every 30 s, sent up to 59 s later.
  expect(isDue({ isChanged: false, lastRun: ranBefore(PERIOD_MS + 95_000), periodMs: PERIOD_MS }, NOW)).toBe(
    false,
  );
  expect(isDue({ isChanged: false, lastRun: ranBefore(PERIOD_MS + 130_000), periodMs: PERIOD_MS }, NOW)).toBe(
    true,
  );
});
