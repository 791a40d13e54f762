import type { TenantRun } from '../ports/tenants.js';

/** What is noted of a run that did not begin, because the platform asked all to wait for so many milliseconds. Pure. */
export function pausedRun(at: Date, leftMs: number): TenantRun {
  return {
    startedAt: at,
    finishedAt: at,
    outcome: 'aborted',
    exitCode: 5,
    message: `The platform asked all that use this client id to wait, ${Math.ceil(leftMs / 1_000)} s more. To end it: placement-sync fleet resume --client-id ID`,
    pending: null,
    usedUpSlice: false,
  };
}
