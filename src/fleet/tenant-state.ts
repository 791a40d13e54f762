import type { TenantRun, TenantSummary } from '../ports/tenants.js';

/** How a tenant stands, the worst first. Lists of tenants have this order. Public interface. */
export const TENANT_STATES = [
  'failing',
  'stale',
  'needs-correction',
  'running',
  'waiting',
  'paused',
  'disabled',
  'ok',
] as const;

export type TenantState = (typeof TENANT_STATES)[number];

/** A tenant is stale after so many periods without a success, */
export const STALE_PERIODS = 3;

/** and this grace, milliseconds: a slice of another tenant may have been in front of it. */
export const STALE_GRACE_MS = 5 * 60_000;

/** Exit codes after which people have to correct something: records, or what a guard holds. */
const CORRECTABLE: readonly number[] = [3, 4];

/**
 * How a tenant stands. What went wrong counts before what is under way: a tenant that failed is failing until a run
 * ends well. Pure.
 *
 * - `paused`, `disabled`: it does not run, so its last run says nothing about now
 * - `failing`: its last run failed
 * - `stale`: no run of it ended for too long, or only slices did
 * - `needs-correction`: its last run ended with 3 or 4. It did all it could, so it is stale only when it runs no more
 * - `waiting`: it never ran
 */
export function tenantState(tenant: TenantSummary, now: Date): TenantState {
  const { enabled, paused, lastRun, running, lastSuccessAt, addedAt, periodMs } = tenant;
  if (!enabled) return 'disabled';
  if (paused) return 'paused';
  if (lastRun && hasFailed(lastRun)) return 'failing';
  const toCorrect = lastRun !== null && CORRECTABLE.includes(lastRun.exitCode);
  const wellUntil = Math.max(
    (lastSuccessAt ?? addedAt).getTime(),
    toCorrect ? lastRun.finishedAt.getTime() : 0,
  );
  if (now.getTime() - wellUntil > STALE_PERIODS * periodMs + STALE_GRACE_MS) return 'stale';
  if (toCorrect) return 'needs-correction';
  if (running) return 'running';
  return lastRun === null ? 'waiting' : 'ok';
}

/** With exit code 1 and without a message these say nothing about the tenant: its time was over, or its replica stopped. */
const CUT_SHORT: readonly string[] = ['slice', 'aborted'];

function hasFailed({ exitCode, message, outcome }: TenantRun): boolean {
  if (CORRECTABLE.includes(exitCode)) return false;
  if (message !== null) return true;
  return exitCode !== 0 && !(exitCode === 1 && CUT_SHORT.includes(outcome));
}
