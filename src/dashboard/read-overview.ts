import type { EntityName } from '../domain/entity-name.js';
import type { InboxCounts } from '../ports/inbox.js';
import type { LeaseHolder } from '../ports/leases.js';
import type { PushHour } from '../ports/push-hours.js';
import type { ListedRun } from '../ports/runs.js';
import type { StatusCounts } from '../ports/records.js';
import type { State } from '../ports/state.js';
import type { ConfiguredEntity } from '../sync/configured-entity.js';
import type { StoppedArea } from './area-watch.js';
import { judgeHealth, silentAreas, type EntityFacts, type EntityHealth } from './health.js';
import { findNeeds, type Need, type Reasons } from './needs.js';

/** Everything the first page shows. */
export interface Overview {
  /** The state database's time of this reading. */
  readonly now: Date;
  readonly entities: readonly EntityHealth[];
  readonly needs: readonly Need[];
  readonly runs: readonly ListedRun[];
  readonly hours: readonly PushHour[];
  readonly leases: readonly LeaseHolder[];
  readonly nextDue: Date | null;
  /** Somebody has asked for a run, and whoever works has not begun it yet. */
  readonly asked: boolean;
  /** Null: no webhooks are received. */
  readonly inbox: InboxCounts | null;
}

export interface OverviewOptions {
  readonly state: State;
  readonly entities: readonly ConfiguredEntity[];
  readonly stopped: () => readonly StoppedArea[];
  readonly counts: (entity: EntityName) => Promise<StatusCounts>;
  /** `notify.staleAfter` */
  readonly staleAfterMs: number;
  readonly receivesWebhooks: boolean;
}

/** Hours that the chart shows. */
export const CHART_HOURS = 48;

const RUNS = 10;
const SAMPLES = 3;
const REASONS = 5;

/** The latest year that is a time and not the word for never. */
const NEVER_YEAR = 9999;

/** Reads what is. Errors: SyncError `state-unavailable`, `state-failed`. */
export async function readOverview(options: OverviewOptions): Promise<Overview> {
  const { state, stopped, counts, staleAfterMs, receivesWebhooks } = options;
  const [facts, runs, { now, hours }, leases, due, inbox] = await Promise.all([
    Promise.all(options.entities.map((entity) => readFacts(state, entity, counts))),
    state.runs.recent(RUNS),
    state.pushHours.recent(CHART_HOURS),
    state.leases.holders(),
    state.schedules.read('sync'),
    receivesWebhooks ? state.inbox.counts() : null,
  ]);
  const areaOf = (name: EntityName) => options.entities.find((one) => one.name === name)?.area ?? null;
  const silent = silentAreas(hours, now, areaOf);
  const unreachable = new Set([...silent.keys(), ...stopped().map(({ area }) => area)]);
  const lastRun = runs.find(({ finishedAt }) => finishedAt !== null) ?? null;
  const entities = facts.map((one) => judgeHealth(one, { now, lastRun, unreachable, staleAfterMs }));
  const reasons = new Map<EntityName, Reasons>();
  for (const { name, counts } of facts) reasons.set(name, await readReasons(state, name, counts));
  return {
    now,
    entities,
    needs: findNeeds(entities, reasons, { stopped: stopped(), silent, idle: leases.length === 0 }),
    runs,
    hours,
    leases,
    nextDue: due && due.at.getUTCFullYear() < NEVER_YEAR ? due.at : null,
    // While a sweep is under way the time may have passed without anybody having asked.
    asked: due?.overdue === true && leases.length > 0 && runs[0]?.finishedAt !== null,
    inbox,
  };
}

async function readFacts(
  state: State,
  { name, area, parent }: ConfiguredEntity,
  count: OverviewOptions['counts'],
): Promise<EntityFacts> {
  const counts = await count(name);
  return {
    name,
    area,
    parent: parent?.entity ?? null,
    counts,
    state: await state.entityStates.read(name),
  };
}

/** Asks only for what the counts say is there. */
async function readReasons(
  { records, recordLists }: State,
  entity: EntityName,
  { rejected, invalid, blocked }: EntityFacts['counts'],
): Promise<Reasons> {
  const attention = blocked === 0 ? [] : await records.needingAttention(entity, SAMPLES);
  return {
    rejected: rejected === 0 ? [] : await recordLists.rejectedReasons(entity, REASONS),
    invalid:
      invalid === 0
        ? { codes: [], others: [], onlyCodes: 0 }
        : await recordLists.invalidReasons(entity, REASONS),
    blocked: attention
      .filter(({ status }) => status === 'waiting')
      .map(({ key, parentKey }) => ({ key, parentKey })),
  };
}
