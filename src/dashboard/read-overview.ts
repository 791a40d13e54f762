import { ERROR_CODES } from '../core/domain/errors.js';
import type { Area, EntityName } from '../core/domain/names.js';
import type { EntityCounters } from '../core/domain/outcome.js';
import { findTroubles } from '../core/domain/trouble/find-troubles.js';
import { isUnreachable, type Trouble, TROUBLE_KINDS } from '../core/domain/trouble/trouble.js';
import type { LeaseHolder } from '../core/ports/clock.js';
import type { InboxCounts } from '../features/webhook/state/inbox.js';
import type { StatusCounts } from '../core/ledger/records.js';
import type { EntityState } from '../core/domain/entity-state.js';
import type { State } from '../features/create-state.js';
import { type GatheredEntity, gatherFacts, type LearnedAreaRate } from '../core/run/troubles.js';
import type { DashboardOptions } from './dashboard-options.js';
import type { ListedRun } from '../core/ledger/runs.js';

/*
 * What the first page shows, read at once: facts of the ledger, the troubles that follow from them, the health of each
 * entity, and the last runs. Several pages share one reading.
 */

export interface EntityHealth {
  readonly name: EntityName;
  readonly counts: StatusCounts;
  readonly state: EntityState;
  readonly health: HealthState;
}

export interface OverviewReading {
  /** The state database's time of this reading. */
  readonly now: Date;
  readonly entities: readonly EntityHealth[];
  readonly troubles: readonly Trouble[];
  /** Areas that take less than the setting allows. */
  readonly learnedRates: readonly LearnedAreaRate[];
  /** The latest runs, the latest first. */
  readonly runs: readonly ListedRun[];
  readonly leases: readonly LeaseHolder[];
  readonly nextDue: Date | null;
  /** A run was requested and has not begun yet. */
  readonly asked: boolean;
  /** Null: no webhooks are received. */
  readonly inbox: InboxCounts | null;
  /** Calls that were refused since one was accepted. */
  readonly refusedWebhooks: number;
  /** What the settings allow; null: no limit. */
  readonly rates: readonly { readonly area: Area; readonly perSecond: number | null }[];
}

/** The latest runs that are read. */
const RUNS = 3;

/** Years from this one on mean never. */
const NEVER_YEAR = 9999;

/** Reads the overview. `isStarting`: the worker of these pages has just begun, and has no lease yet. Errors: SyncError `state-unavailable`, `state-failed`. */
export async function readOverview(
  state: State,
  { context, watch, staleAfterMs, receivesWebhooks }: DashboardOptions,
  { isStarting = false } = {},
): Promise<OverviewReading> {
  const { entities, settings } = context;
  const [runs, { now }, leases, due, inbox] = await Promise.all([
    state.runs.recent(RUNS),
    state.pushHours.recent(1),
    state.leases.holders(),
    state.schedules.read('sync'),
    receivesWebhooks ? state.inbox.counts() : null,
  ]);
  const facts = await gatherFacts(state, {
    now,
    entities: entities.map(({ name }) => name),
    configured: entities,
    counts: (name) => state.records.counts(name),
    reasons: state,
    areas: watch.known(),
    storedAreas: state.areaStates,
    inbox: state.inbox,
    idle: leases.length === 0 && !isStarting,
    worker: true,
    staleAfterMs,
  });
  const troubles = findTroubles(facts);
  return {
    now,
    entities: facts.entities.flatMap((entity) => {
      const { name, counts, state } = entity;
      return counts ? [{ name, counts, state, health: judgeHealth(entity, troubles) }] : [];
    }),
    troubles,
    learnedRates: facts.learnedRates,
    runs,
    rates: Object.entries(settings.areas).map(([area, { ratePerSecond }]) => ({
      area: area as Area,
      perSecond: ratePerSecond,
    })),
    leases,
    nextDue: due && due.at.getUTCFullYear() < NEVER_YEAR ? due.at : null,
    // During a sweep the due time may pass without a request.
    asked: due?.overdue === true && leases.length > 0 && runs[0]?.finishedAt !== null,
    inbox,
    refusedWebhooks: facts.refusedWebhooks?.count ?? 0,
  };
}

export type HealthState =
  | 'ok'
  | 'sending'
  | 'attention'
  | 'held'
  | 'failed'
  | 'refused'
  | 'interrupted'
  | 'stopped'
  | 'stale'
  | 'new';

function judgeHealth(entity: GatheredEntity, troubles: readonly Trouble[]): HealthState {
  const { name, area, counts, state } = entity;
  const own = troubles.filter(
    ({ subject }) => subject && ('area' in subject ? subject.area === area : subject.entity === name),
  );
  const has = (...kinds: readonly Trouble['kind'][]) => own.some(({ kind }) => kinds.includes(kind));
  const left = counts ? counts.pending + counts.waiting - counts.blocked + counts.deferred : 0;
  if (has('held', 'push-held')) return 'held';
  if (has('failed')) return 'failed';
  if (has('auth-refused') && left > 0) return 'refused';
  if (own.some(isUnreachable) && left > 0) return 'interrupted';
  if (has('area-stopped') && left > 0) return 'stopped';
  if (has('stale')) return 'stale';
  if (own.some((one) => 'entity' in (one.subject ?? {}) && !TROUBLE_KINDS[one.kind].passes))
    return 'attention';
  if (left > 0) return 'sending';
  return state.lastSweepAt === null ? 'new' : 'ok';
}

/** A line of the run history: one run, or several quiet ones in a row that ended alike. The latest first. */
export type RunLine = readonly [ListedRun, ...ListedRun[]];

/** The lines of these runs, the latest first. `keepFirst`: the first run has a line of its own. */
export function foldRuns(runs: readonly ListedRun[], keepFirst: boolean): readonly RunLine[] {
  const lines: [ListedRun, ...ListedRun[]][] = [];
  for (const [index, run] of runs.entries()) {
    const line = keepFirst && index === 1 ? undefined : lines.at(-1);
    const endedAlike = run.outcome === line?.[0].outcome && run.exitCode === line[0].exitCode;
    if (line && endedAlike && isQuiet(run) && isQuiet(line[0])) line.push(run);
    else lines.push([run]);
  }
  return lines;
}

/**
 * Whether it ended by itself, found no change, sent nothing and left nothing to send. Records that stay invalid or
 * rejected do not count: else one of them would fill the history.
 */
function isQuiet({ outcome, error, entities }: ListedRun): boolean {
  const ended = outcome === 'complete' || outcome === 'partial';
  return (
    ended &&
    error === null &&
    Object.values(entities).every(
      (report) => !report.held && !report.error && !WORK.some((name) => report[name] > 0),
    )
  );
}

const WORK = ['new', 'changed', 'vanished', 'sent', 'deferred', 'pending'] as const;

/** What a sweep counts, and what a push and the ledger add. */
const SWEPT = ['read', 'new', 'changed', 'vanished', 'expired', 'invalid'] as const;
const PUSHED = ['sent', 'accepted', 'rejected', 'deferred', 'pending'] as const;

type Summed = (typeof SWEPT)[number] | (typeof PUSHED)[number];

/**
 * Adds up what a run counted, of all entities together; null: not known. `unread`: entities whose source was not read, so
 * their zeros mean nothing.
 */
export function sumRun(run: ListedRun) {
  const reports = Object.entries(run.entities);
  const read = reports.filter(([, report]) => wasRead(run, report));
  const sum = (name: Summed, among: typeof reports) =>
    among.length === 0 ? null : among.reduce((total, [, report]) => total + (report[name] ?? 0), 0);
  return {
    counts: Object.fromEntries([
      ...SWEPT.map((name) => [name, sum(name, read)]),
      ...PUSHED.map((name) => [name, sum(name, reports)]),
    ]) as Record<Summed, number | null>,
    unread: reports.filter(([, report]) => !wasRead(run, report)).map(([name]) => name),
  };
}

/**
 * Whether its source was read to the end. A report begins with zeros; they stay when the query fails, when the source is
 * away, or when the run ends before. An error of the platform says nothing about the source.
 */
function wasRead(run: ListedRun, { read, error }: EntityCounters & { error: ListedRun['error'] }): boolean {
  if (read > 0) return true;
  const { code } = error ?? run.error ?? {};
  return code === undefined || (code in ERROR_CODES && ERROR_CODES[code as keyof typeof ERROR_CODES] === 5);
}

const LEAST_MS = 1_000;

/** A reading lives this many times as long as it took, so that reading costs a fixed share of time at most. */
const SHARE = 5;

/** A reading that takes longer is made in the background, milliseconds. */
const LONG_MS = 300;

/** No value is shown that is older, milliseconds: in an older one the trouble is missing for which somebody looks. */
const OLDEST_MS = 10_000;

/**
 * One reading at a time, and not too often: otherwise each open window would add its own every few seconds. During a
 * long reading callers get the one before while that is ten seconds old at most, unless it was forgotten; then they wait.
 * The age of a value counts from the begin of its reading. `now`: milliseconds that never jump.
 */
export function createSharedReading<T>(read: () => Promise<T>, now: () => number) {
  let current: { readonly value: Promise<T>; readonly began: number; goodUntil: number } | null = null;
  let before: { readonly value: T; readonly began: number; readonly tookMs: number } | null = null;

  const begin = (): NonNullable<typeof current> => {
    const began = now();
    const reading = { value: read(), began, goodUntil: Infinity };
    reading.value.then(
      (value) => {
        const tookMs = now() - began;
        reading.goodUntil = Math.min(now() + Math.max(LEAST_MS, SHARE * tookMs), began + OLDEST_MS);
        if (current === reading) before = { value, began, tookMs };
      },
      () => {
        reading.goodUntil = 0;
        // A failure is shown, not hidden behind the reading before.
        if (current === reading) before = null;
      },
    );
    return reading;
  };

  return {
    /** A value that is ten seconds old at most, or the next one; and how long ago its reading began. */
    async read(): Promise<{ readonly value: T; readonly ageMs: number }> {
      if (current === null || now() >= current.goodUntil) current = begin();
      const { value, began, goodUntil } = current;
      const underWay = goodUntil === Infinity;
      if (underWay && before !== null && before.tookMs > LONG_MS && now() - before.began <= OLDEST_MS)
        return { value: before.value, ageMs: now() - before.began };
      return { value: await value, ageMs: now() - began };
    },
    /** Drops the reading: a button changed the state. */
    forget() {
      current = null;
      before = null;
    },
  };
}
