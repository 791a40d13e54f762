import { credentialOf, type PlatformCredential } from '../domain/platform-credential.js';
import type { Lane, SharedPause, TenantSummary } from '../ports/tenants.js';
import { tenantReason } from './tenant-reason.js';
import type { TenantReport } from './tenant-report.js';
import { TENANT_STATES, tenantState, type TenantState } from './tenant-state.js';
import { ENGLISH_REASONS } from './text/english-reasons.js';

/** Jobs that wait and that run, by lane. */
export type JobCounts = Readonly<Record<Lane, { readonly ready: number; readonly active: number }>>;

/** The state of the fleet: what `fleet status --json` prints. Public interface. */
export interface FleetReport {
  /** When it was read. */
  readonly at: string;
  readonly counts: Readonly<Record<TenantState, number>>;
  /** Records to be sent, of all tenants of which it is known. */
  readonly pending: number;
  /** Null: the engine's tables cannot be read now; a replica creates them again. */
  readonly jobs: JobCounts | null;
  /** Waits that a platform asked for: nothing is sent with these client ids until then. */
  readonly pauses: readonly (PlatformCredential & { readonly until: string })[];
  /** Replicas that run something, by name. One that runs nothing leaves no trace. */
  readonly replicas: readonly { readonly name: string; readonly tenants: number }[];
  /** The worst first: by state in the order of `TENANT_STATES`, then by the seconds without a success, then by name. */
  readonly tenants: readonly TenantReport[];
}

/** The state of the fleet at `now`, by the database's clock. Tenants that were removed are left out. Pure. */
export function fleetReport(
  tenants: readonly TenantSummary[],
  now: Date,
  jobs: JobCounts | null,
  pauses: readonly SharedPause[] = [],
): FleetReport {
  const reports = tenants
    .filter(({ removed }) => !removed)
    .map((tenant) => reportOf(tenant, now))
    .toSorted(worstFirst);
  const count = (state: TenantState) => reports.filter((report) => report.state === state).length;
  const busy = new Map<string, number>();
  for (const { running } of reports)
    if (running) busy.set(running.replica, (busy.get(running.replica) ?? 0) + 1);
  return {
    at: now.toISOString(),
    counts: Object.fromEntries(TENANT_STATES.map((state) => [state, count(state)])) as FleetReport['counts'],
    pending: reports.reduce((sum, { pending }) => sum + (pending ?? 0), 0),
    jobs,
    pauses: pauses.flatMap(({ credential, until }) => {
      const of = credentialOf(credential);
      return of === null ? [] : [{ ...of, until: until.toISOString() }];
    }),
    replicas: [...busy]
      .map(([name, running]) => ({ name, tenants: running }))
      .toSorted((one, other) => byText(one.name, other.name)),
    tenants: reports,
  };
}

function reportOf(tenant: TenantSummary, now: Date): TenantReport {
  const { name, schema, lane, periodMs, running, lastRun, lastSuccessAt, addedAt } = tenant;
  const state = tenantState(tenant, now);
  const lastGood = lastSuccessAt ?? addedAt;
  const report = {
    name,
    schema,
    lane,
    periodMs,
    state,
    since: sinceOf(tenant, state)?.toISOString() ?? null,
    running: running && { replica: running.replica, since: running.since.toISOString() },
    lastRun: lastRun && {
      startedAt: lastRun.startedAt.toISOString(),
      finishedAt: lastRun.finishedAt.toISOString(),
      outcome: lastRun.outcome,
      exitCode: lastRun.exitCode,
      message: lastRun.message,
      pending: lastRun.pending,
      usedUpSlice: lastRun.usedUpSlice,
      ...(lastRun.outgrewLane && { outgrewLane: true as const }),
    },
    lastSuccessAt: lastSuccessAt?.toISOString() ?? null,
    pending: lastRun?.pending ?? null,
    secondsStale: Math.max(0, Math.floor((now.getTime() - lastGood.getTime()) / 1000)),
  };
  return {
    ...report,
    reason: tenantReason(report, ENGLISH_REASONS, (count) => count.toLocaleString('en-US')),
  };
}

function sinceOf({ running, lastSuccessAt, addedAt }: TenantSummary, state: TenantState): Date | null {
  if (state === 'paused' || state === 'disabled') return null;
  if (state === 'running') return running?.since ?? null;
  return state === 'waiting' ? addedAt : (lastSuccessAt ?? addedAt);
}

function worstFirst(one: TenantReport, other: TenantReport): number {
  return (
    TENANT_STATES.indexOf(one.state) - TENANT_STATES.indexOf(other.state) ||
    other.secondsStale - one.secondsStale ||
    byText(one.name, other.name)
  );
}

/** Names are plain letters, so their order is the same in every language and in the database. */
function byText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
