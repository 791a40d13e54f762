import type { EntityName } from '../../domain/entity-name.js';
import type { InboxCounts } from '../../ports/inbox.js';
import type { LeaseHolder } from '../../ports/leases.js';
import type { PushHour } from '../../ports/push-hours.js';
import type { ListedRun } from '../../ports/runs.js';
import type { State } from '../../ports/state.js';
import type { EntityPlan } from '../../sync/entity-plan.js';
import type { StoppedArea } from './area-watch.js';
import { judgeHealth, silentAreas, type EntityFacts, type EntityHealth } from './health.js';
import { findNeeds, issueLine, type Need, type Samples } from './needs.js';

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
  /** Null: no webhooks are received. */
  readonly inbox: InboxCounts | null;
}

export interface OverviewOptions {
  readonly state: State;
  readonly plans: readonly EntityPlan[];
  readonly stopped: () => readonly StoppedArea[];
  /** `notify.staleAfter` */
  readonly staleAfterMs: number;
  readonly receivesWebhooks: boolean;
}

/** Hours that the chart shows. */
export const CHART_HOURS = 48;

const RUNS = 10;
const SAMPLES = 3;
const CODES = 10;

/** The latest year that is a time and not the word for never. */
const NEVER_YEAR = 9999;

/** Reads what is. Errors: SyncError `state-unavailable`, `state-failed`. */
export async function readOverview(options: OverviewOptions): Promise<Overview> {
  const { state, plans, stopped, staleAfterMs, receivesWebhooks } = options;
  const [facts, runs, { now, hours }, leases, due, inbox] = await Promise.all([
    Promise.all(plans.map((plan) => readFacts(state, plan))),
    state.runs.recent(RUNS),
    state.pushHours.recent(CHART_HOURS),
    state.leases.holders(),
    state.schedules.read('sync'),
    receivesWebhooks ? state.inbox.counts() : null,
  ]);
  const areaOf = (name: EntityName) => plans.find(({ entity }) => entity.name === name)?.entity.area ?? null;
  const silent = silentAreas(hours, now, areaOf);
  const unreachable = new Set([...silent.keys(), ...stopped().map(({ area }) => area)]);
  const lastRun = runs.find(({ finishedAt }) => finishedAt !== null) ?? null;
  const entities = facts.map((one) => judgeHealth(one, { now, lastRun, unreachable, staleAfterMs }));
  const samples = new Map<EntityName, Samples>();
  for (const { name, counts } of facts) samples.set(name, await readSamples(state, name, counts));
  return {
    now,
    entities,
    needs: findNeeds(entities, samples, { stopped: stopped(), silent, idle: leases.length === 0 }),
    runs,
    hours,
    leases,
    nextDue: due && due.at.getUTCFullYear() < NEVER_YEAR ? due.at : null,
    inbox,
  };
}

async function readFacts(state: State, { entity: { name, area } }: EntityPlan): Promise<EntityFacts> {
  const counts = await state.records.counts(name);
  return { name, area, counts, state: await state.entityStates.read(name) };
}

/** Asks only for what the counts say is there. */
async function readSamples(
  state: State,
  entity: EntityName,
  counts: EntityFacts['counts'],
): Promise<Samples> {
  const page = (status: 'rejected' | 'invalid') =>
    counts[status] === 0 ? [] : state.recordLists.page(entity, status, { after: null, limit: SAMPLES });
  const rejected = await page('rejected');
  const invalid = await page('invalid');
  const attention = counts.blocked === 0 ? [] : await state.records.needingAttention(entity, SAMPLES);
  return {
    rejected: rejected.map(({ key, lastError }) => ({ key, text: lastError ?? '' })),
    invalid: invalid.map(({ key, issues }) => ({
      key,
      text: issues[0] ? issueLine(entity, issues[0]) : '',
    })),
    blocked: attention
      .filter(({ status }) => status === 'waiting')
      .map(({ key, message }) => ({ key, text: message })),
    unmapped: counts.invalid === 0 ? [] : await state.recordLists.unmapped(entity, CODES),
  };
}
