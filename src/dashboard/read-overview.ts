import type { EntityName } from '../domain/names.js';
import { findTroubles } from '../domain/trouble/find-troubles.js';
import type { Trouble } from '../domain/trouble/trouble.js';
import type { EntityState, ListedRun } from '../ports/runs.js';
import type { InboxCounts } from '../ports/inbox.js';
import type { LeaseHolder } from '../ports/clock.js';
import type { StatusCounts } from '../ports/ledger.js';
import type { State } from '../ports/state.js';
import type { ConfiguredEntity } from '../sync/run-context.js';
import { type AreaWatch, gatherFacts } from '../sync/troubles.js';
import { foldRuns, type RunLine } from './fold-runs.js';
import { judgeHealth, type HealthState } from './health.js';

/** One entity as its card shows it. */
export interface EntityHealth {
  readonly name: EntityName;
  readonly counts: StatusCounts;
  readonly state: EntityState;
  readonly health: HealthState;
}

/** Everything the first page shows. */
export interface OverviewReading {
  /** The state database's time of this reading. */
  readonly now: Date;
  readonly entities: readonly EntityHealth[];
  readonly troubles: readonly Trouble[];
  /** The latest run; null: none yet. */
  readonly lastRun: ListedRun | null;
  /** The end of the history, the latest first. */
  readonly runs: readonly RunLine[];
  readonly leases: readonly LeaseHolder[];
  readonly nextDue: Date | null;
  /** A run was requested and has not begun yet. */
  readonly asked: boolean;
  /** Null: no webhooks are received. */
  readonly inbox: InboxCounts | null;
}

export interface OverviewOptions {
  readonly state: State;
  readonly entities: readonly ConfiguredEntity[];
  readonly watch: AreaWatch;
  readonly counts: (entity: EntityName) => Promise<StatusCounts>;
  /** `notify.staleAfter` */
  readonly staleAfterMs: number;
  readonly receivesWebhooks: boolean;
}

/** Runs that are read, and lines that are shown of them. */
const RUNS = 200;
const LINES = 10;

/** Years from this one on mean never. */
const NEVER_YEAR = 9999;

/** Reads the overview. Errors: SyncError `state-unavailable`, `state-failed`. */
export async function readOverview(options: OverviewOptions): Promise<OverviewReading> {
  const { state, watch, counts, staleAfterMs, receivesWebhooks } = options;
  const [runs, { now }, leases, due, inbox] = await Promise.all([
    state.runs.recent(RUNS),
    state.pushHours.recent(1),
    state.leases.holders(),
    state.schedules.read('sync'),
    receivesWebhooks ? state.inbox.counts() : null,
  ]);
  const facts = await gatherFacts(state, {
    now,
    entities: options.entities.map(({ name }) => name),
    configured: options.entities,
    counts,
    reasons: state,
    areas: watch.known(),
    storedAreas: state.areaStates,
    idle: leases.length === 0,
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
    lastRun: runs[0] ?? null,
    runs: foldRuns(runs, true).slice(0, LINES),
    leases,
    nextDue: due && due.at.getUTCFullYear() < NEVER_YEAR ? due.at : null,
    // During a sweep the due time may pass without a request.
    asked: due?.overdue === true && leases.length > 0 && runs[0]?.finishedAt !== null,
    inbox,
  };
}
