import type { TenantRun, TenantSummary } from '../../../src/features/fleet/state/types.js';

/** When the reports of these tests are made. */
export const NOW = new Date('2026-03-02T12:00:00Z');

export function minutesAgo(minutes: number): Date {
  return new Date(NOW.getTime() - minutes * 60_000);
}

/** A tenant with a period of 10 minutes that succeeded 5 minutes ago. */
export function sampleTenant(name: string, differs: Partial<TenantSummary> = {}): TenantSummary {
  return {
    name,
    schema: `placement_sync_${name}`,
    periodMs: 600_000,
    laneSetting: 'auto',
    lane: 'sync',
    enabled: true,
    paused: false,
    removed: false,
    revision: 1,
    addedAt: minutesAgo(10_000),
    lastRun: sampleRun(),
    lastSuccessAt: minutesAgo(5),
    running: null,
    ledger: 'fleet',
    move: null,
    waitsFor: null,
    ...differs,
  };
}

/** A run that ended well 5 minutes ago. */
export function sampleRun(differs: Partial<TenantRun> = {}): TenantRun {
  return {
    startedAt: minutesAgo(6),
    finishedAt: minutesAgo(5),
    outcome: 'complete',
    exitCode: 0,
    message: null,
    pending: 0,
    usedUpSlice: false,
    ...differs,
  };
}
