import { credentialOf, type PlatformCredential } from './platform-credential.js';
import { grouped, withFullStop } from '../../core/domain/text.js';
import type { SharedPause } from './state/shared-rates.js';
import { REASON_TEXTS as texts } from './texts.js';
import { OTHER_VERSION } from './fleet.js';
import type { Lane, TenantRun, TenantSummary } from './state/types.js';

/** Jobs that wait and that run, by lane. `longestWait`: seconds for which a due tenant has waited for a free slot; 0: none waits. */
export type JobCounts = Readonly<
  Record<Lane, { readonly ready: number; readonly active: number; readonly longestWait: number }>
>;

/** The state of the fleet: what `fleet status --json` prints. Public interface. */
export interface FleetReport {
  /** When it was read. */
  readonly at: string;
  readonly counts: Readonly<Record<TenantState, number>>;
  /** Records to be sent, of all tenants of which it is known. */
  readonly pending: number;
  /** Null: the engine's tables cannot be read now; a replica creates them. */
  readonly jobs: JobCounts | null;
  /** Waits that a platform asked for: nothing is sent with these client ids until then. */
  readonly pauses: readonly (PlatformCredential & { readonly until: string })[];
  /** Replicas that run something, by name. One that runs nothing leaves no trace. */
  readonly replicas: readonly { readonly name: string; readonly tenants: number }[];
  /** The worst first: by state in the order of `TENANT_STATES`, then by the seconds without a success, then by name. */
  readonly tenants: readonly TenantReport[];
}

/** The state of the fleet at `now`, by the database's clock. Tenants that were removed are left out. */
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
  const { name, schema, ledger, move, lane, periodMs, running, lastRun, lastSuccessAt, addedAt, waitsFor } =
    tenant;
  const state = standingOf(tenant, now);
  const lastGood = lastSuccessAt ?? addedAt;
  const report = {
    name,
    schema,
    ledger,
    movingTo: move?.to ?? null,
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
    ledgerBytes: null,
    waitsFor: state === 'paused' || state === 'disabled' ? null : waitsFor,
  };
  return {
    ...report,
    reason: tenantReason(report),
  };
}

function sinceOf({ running, lastSuccessAt, addedAt }: TenantSummary, state: TenantState): Date | null {
  if (state === 'paused' || state === 'disabled') return null;
  if (state === 'running') return running?.since ?? null;
  return lastSuccessAt ?? addedAt;
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

/** The whole fleet in one word, for the first line that people read. */
export type FleetStanding = 'failing' | 'stale' | 'needs-correction' | 'fine' | 'empty';

/** How bad it is, and how many tenants need people. Paused and disabled ones are as somebody decided. */
export function fleetStanding({ counts, tenants }: FleetReport) {
  const bad = (['failing', 'stale', 'needs-correction'] as const).filter((state) => counts[state] > 0);
  const standing: FleetStanding = bad[0] ?? (tenants.length === 0 ? 'empty' : 'fine');
  return { standing, needing: counts.failing + counts.stale + counts['needs-correction'] };
}

/** How one tenant stands: an entry of `fleet list --json`. Times are ISO 8601. Public interface. */
export interface TenantReport {
  readonly name: string;
  readonly schema: string;
  /** The database of its ledger, `host:port/database`; `fleet`: the fleet's own. Null: that of its `state.url`. */
  readonly ledger: string | null;
  /** Where its ledger moves; null: it stays. */
  readonly movingTo: string | null;
  readonly lane: Lane;
  readonly periodMs: number;
  readonly state: TenantState;
  /**
   * `running`: since the run began. `ok`, `failing`, `stale`, `needs-correction`: since the last success, or since it is
   * in the fleet. `waiting`: likewise. Null: not known.
   */
  readonly since: string | null;
  readonly running: { readonly replica: string; readonly since: string } | null;
  readonly lastRun:
    | (Omit<TenantRun, 'startedAt' | 'finishedAt'> & {
        readonly startedAt: string;
        readonly finishedAt: string;
      })
    | null;
  /** Null: no run has succeeded. */
  readonly lastSuccessAt: string | null;
  /** Records that the last run left to be sent; null: not known. */
  readonly pending: number | null;
  /** Why it is so, and what it waits for: cause, then hint; null: it is ok. */
  readonly reason: string | null;
  /** Seconds since the last success, or since it is in the fleet. */
  readonly secondsStale: number;
  /** Of its ledger on disk; null: not read (only `fleet status` does), not in time, or it is at its `state.url`. */
  readonly ledgerBytes: number | null;
  /** It must run alone, because replicas ended during its run, and this tenant runs alone now; null: it waits for none. */
  readonly waitsFor: string | null;
}

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
const STALE_PERIODS = 3;

/** and this grace, milliseconds: a slice of another tenant may have been in front of it. */
const STALE_GRACE_MS = 5 * 60_000;

/** Exit codes after which people have to correct something: records, or what a guard holds. */
const CORRECTABLE: readonly number[] = [3, 4];

/**
 * How a tenant stands. What went wrong counts before what is under way: a tenant that failed is failing until a run
 * ends well.
 *
 * - `paused` (also while its ledger moves), `disabled`: it does not run, so its last run says nothing about now
 * - `failing`: its last run failed
 * - `stale`: no run of it ended for too long, or only slices did
 * - `needs-correction`: its last run ended with 3 or 4. It did all it could, so it is stale only when it runs no more
 * - `waiting`: it never ran, or its ledger is at another version than the replica that took it: an update is under way
 */
function standingOf(tenant: TenantSummary, now: Date): TenantState {
  const { enabled, paused, move, lastRun, running, lastSuccessAt, addedAt, periodMs } = tenant;
  if (!enabled) return 'disabled';
  if (paused || move) return 'paused';
  if (lastRun && hasFailed(lastRun)) return 'failing';
  const toCorrect = lastRun !== null && CORRECTABLE.includes(lastRun.exitCode);
  const wellUntil = Math.max(
    (lastSuccessAt ?? addedAt).getTime(),
    toCorrect ? lastRun.finishedAt.getTime() : 0,
  );
  if (now.getTime() - wellUntil > STALE_PERIODS * periodMs + STALE_GRACE_MS) return 'stale';
  if (toCorrect) return 'needs-correction';
  if (running) return 'running';
  return lastRun === null || isOtherVersion(lastRun) ? 'waiting' : 'ok';
}

/** With exit code 1 and without a message these say nothing about the tenant: its time was over, or its replica stopped. */
const CUT_SHORT: readonly string[] = ['slice', 'aborted'];

function isOtherVersion({ outcome }: Pick<TenantRun, 'outcome'>): boolean {
  return outcome === OTHER_VERSION;
}

function hasFailed({ exitCode, message, outcome }: TenantRun): boolean {
  if (isOtherVersion({ outcome })) return false;
  if (CORRECTABLE.includes(exitCode)) return false;
  if (message !== null) return true;
  return exitCode !== 0 && !(exitCode === 1 && CUT_SHORT.includes(outcome));
}

/**
 * Why a tenant stands as it does, and for whom it waits: cause, then hint. Null: it is ok, so there is nothing to say.
 */
function tenantReason(report: Omit<TenantReport, 'reason'>): string | null {
  const waits = report.waitsFor === null ? null : texts.waitsFor(report.waitsFor);
  return [standingReason(report), waits].filter((text) => text !== null).join(' ') || null;
}

function standingReason({
  name,
  state,
  lastRun,
  running,
  pending,
  movingTo,
}: Omit<TenantReport, 'reason'>): string | null {
  switch (state) {
    case 'ok':
      return null;
    case 'failing': {
      const { exitCode, message } = lastRun ?? { exitCode: 1, message: null };
      const cause = texts.failed(String(exitCode), message === null ? null : withFullStop(message));
      const hints: Readonly<Record<number, (name: string) => string>> = texts.failedHints;
      return `${cause} ${(hints[exitCode] ?? texts.otherHint)(name)}`;
    }
    case 'stale':
      if (lastRun !== null && isOtherVersion(lastRun))
        return texts.otherVersion(withFullStop(lastRun.message ?? ''));
      if (lastRun?.outgrewLane === true) return texts.staleReading(name);
      if (lastRun?.usedUpSlice === true)
        return texts.staleSending(pending === null ? null : grouped(pending));
      if (running) return texts.staleUnderWay(running.replica);
      return lastRun === null ? texts.staleNeverRan : texts.staleNobody;
    case 'needs-correction':
      return lastRun?.exitCode === 4 ? texts.held(name) : texts.toCorrect(name);
    case 'running':
      return texts.running(running?.replica ?? '');
    case 'waiting':
      if (lastRun !== null) return texts.otherVersion(withFullStop(lastRun.message ?? ''));
      return texts.waiting(name);
    case 'paused':
      return movingTo === null ? texts.paused(name) : texts.moving(name, movingTo);
    case 'disabled':
      return texts[state](name);
  }
}

/** In the order of their names, as `fleet list` and `fleet list --json` have them. */
export function tenantsByName(tenants: readonly TenantReport[]): readonly TenantReport[] {
  return tenants.toSorted((one, other) => byText(one.name, other.name));
}
