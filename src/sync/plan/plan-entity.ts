import { platformDay } from '../../contract/time.js';
import { SyncError } from '../../domain/errors.js';
import { approvalConsequences, type Consequence, type Hold, judgeGuards } from '../../domain/guard.js';
import type { EntityReport } from '../../domain/outcome.js';
import { emptyReport } from '../../entities/index.js';
import type { EntityState } from '../../ports/entity-states.js';
import type { SourceReader } from '../../ports/source.js';
import type { StatusCounts } from '../../ports/records.js';
import type { ConfiguredEntity } from '../configured-entity.js';
import type { RunContext } from '../run-context.js';
import { guardFindings, sweepCounters, type ChangeTally } from '../sweep/change-tally.js';
import { readChanges, type ChangeSink } from '../sweep/read-changes.js';
import { isFull, sweepReason, type SweepReason } from '../sweep/sweep-reason.js';
import { collectChanges, type ChangeCollector, type CollectOptions } from './collect-changes.js';
import type { PlannedChange } from './describe-change.js';
import { createForecaster, type EntityForecast, type Forecaster } from './forecast-entity.js';
import type { PlanState } from './plan-state.js';
import type { PlannedActions } from './planned-actions.js';

export interface PlanContext extends Pick<
  RunContext,
  'source' | 'emit' | 'clock' | 'signal' | 'settings' | 'entities'
> {
  readonly state: PlanState;
}

/** A hold that a run would find. */
export interface PlannedHold {
  /** Each guard with its counts. */
  readonly reason: string;
  /** What an approval would cause. */
  readonly consequences: readonly Consequence[];
}

/** What a plan found in one entity. */
export interface PlannedEntity {
  readonly report: EntityReport;
  readonly changes: readonly PlannedChange[];
  /** Records that are invalid as before. */
  readonly standing: readonly PlannedChange[];
  /** Changes, listed or not. */
  readonly total: number;
  readonly actions: PlannedActions;
  /** Null: no guard holds it. */
  readonly hold: PlannedHold | null;
  readonly forecaster: Forecaster;
  /** Rows that do not differ were not read, so nothing is known of their doubtful values. */
  readonly partial: boolean;
  /** Why its query failed; null: it did not. */
  readonly error: SyncError | null;
}

/** `above`: the forecast of its parents. Errors: SyncError of scope `run`. */
export async function planEntity(
  context: PlanContext,
  entity: ConfiguredEntity,
  options: CollectOptions,
  above: Forecaster | null,
): Promise<PlannedEntity> {
  const { state, settings } = context;
  const before = await state.entityStates.read(entity.name);
  const counts = await state.records.counts(entity.name);
  const collector = collectChanges(entity, state, options);
  const today = platformDay(context.clock.now(), settings.platform.timeZone);
  const forecaster = createForecaster({ entity, forecasts: state.forecasts, counts, today, above });
  const reason = sweepReason(before, entity.fingerprint, settings.sweep.fullEveryMs);
  const read = await readEntity(context, entity, { collector, forecaster, reason }).catch(
    (error: unknown) => {
      if (!(error instanceof SyncError) || error.scope !== 'entity') throw error;
      return error;
    },
  );
  if (read instanceof SyncError) return unread(entity, { before, counts, forecaster, error: read });

  const tally = withoutRenamed(read, collector.renamed());
  const hold = judgeGuards(guardFindings(tally, entity), settings.guards, before.approval);
  // Another mapping is a new try: a push that refusals had stopped goes on.
  const rearmed = before.pushHold !== null && hold === null && before.fingerprint !== entity.fingerprint;
  const pushHold = rearmed ? null : before.pushHold;
  const end = { applied: hold === null, pushed: pushHold === null, read: true, rearmed };
  const forecast = await forecaster.end(end);
  return {
    report: {
      ...emptyReport(entity.name),
      ...sweepCounters(entity.name, tally),
      ...left(entity, forecast, collector.renamed()),
      held: hold !== null || pushHold !== null,
    },
    changes: collector.listed(),
    standing: collector.standing(),
    total: collector.total(),
    actions: {
      ...(end.pushed ? sends(entity, forecast, collector.renamed()) : NOTHING),
      waiting: forecast.waiting,
      held: end.applied ? 0 : tally.new + tally.changed + tally.vanished,
      kept: end.applied ? Math.max(tally.vanished - withdrawn(forecast, collector.renamed()), 0) : 0,
      invalid: tally.invalid,
    },
    hold: plannedHold(entity, hold, pushHold, counts),
    forecaster,
    partial: !isFull(reason),
    error: null,
  };
}

interface Reading {
  readonly collector: ChangeCollector;
  readonly forecaster: Forecaster;
  readonly reason: SweepReason;
}

/** Reads source and ledger as a sweep does, then the invalid records that it did not judge again. */
async function readEntity(
  context: PlanContext,
  entity: ConfiguredEntity,
  { collector, forecaster, reason }: Reading,
): Promise<ChangeTally> {
  const { source, state, signal } = context;
  const sink: ChangeSink = {
    async take(changes) {
      await forecaster.take(changes);
      await collector.take(changes);
    },
    warn: forecaster.warn,
    restart() {
      forecaster.restart();
      collector.restart();
      return Promise.resolve();
    },
  };
  const examine = (reader: SourceReader) => readChanges({ ...context, entity, reader, sink, reason });
  const tally = await source.read(entity.query, examine, signal);
  // A full sweep judges all of them.
  if (isFull(reason)) return tally;
  for await (const page of state.forecasts.invalid(entity.name))
    for (const record of page) if (collector.standInvalid(record)) forecaster.standInvalid(record);
  return tally;
}

/** Its query fails; what is pending is still sent. */
async function unread(
  entity: ConfiguredEntity,
  found: Pick<PlannedEntity, 'forecaster'> & {
    readonly before: EntityState;
    readonly counts: StatusCounts;
    readonly error: SyncError;
  },
): Promise<PlannedEntity> {
  const { before, counts, forecaster, error } = found;
  const { code, message } = error;
  forecaster.restart();
  const pushed = before.pushHold === null;
  const forecast = await forecaster.end({ applied: false, pushed, read: false, rearmed: false });
  const held = before.hold !== null || !pushed;
  return {
    report: { ...emptyReport(entity.name), ...left(entity, forecast, 0), held, error: { code, message } },
    changes: [],
    standing: [],
    total: 0,
    actions: {
      ...(pushed ? sends(entity, forecast, 0) : NOTHING),
      waiting: forecast.waiting,
      kept: 0,
      held: 0,
      invalid: 0,
    },
    hold: plannedHold(entity, null, before.pushHold, counts),
    forecaster,
    partial: false,
    error,
  };
}

/** A UUID that is only written in another case is one record. */
function withoutRenamed(tally: ChangeTally, renamed: number): ChangeTally {
  return {
    ...tally,
    vanished: tally.vanished - renamed,
    new: tally.new - renamed,
    changed: tally.changed + renamed,
  };
}

type Sends = Pick<PlannedActions, 'create' | 'update' | 'close' | 'delete' | 'before'>;

const NOTHING: Sends = { create: 0, update: 0, close: 0, delete: 0, before: 0 };

function sends({ onVanished }: ConfiguredEntity, forecast: EntityForecast, renamed: number): Sends {
  const { create, update, before } = forecast;
  const count = withdrawn(forecast, renamed);
  const deletes = onVanished === 'delete';
  return { create, update, close: deletes ? 0 : count, delete: deletes ? count : 0, before };
}

/** What the ledger holds when the run begins to send. */
function left(entity: ConfiguredEntity, forecast: EntityForecast, renamed: number) {
  const { create, update, close, delete: deleted, before } = sends(entity, forecast, renamed);
  return { pending: create + update + close + deleted + before, waiting: forecast.waiting };
}

function withdrawn({ withdraw }: EntityForecast, renamed: number): number {
  return Math.max(withdraw - renamed, 0);
}

function plannedHold(
  entity: ConfiguredEntity,
  hold: Pick<Hold, 'guard' | 'message' | 'counts'> | null,
  pushHold: EntityState['pushHold'],
  { rejected }: StatusCounts,
): PlannedHold | null {
  const reasons = [hold, pushHold].flatMap((each) => (each ? [`${each.guard}: ${each.message}`] : []));
  if (reasons.length === 0) return null;
  const push = pushHold && { rejected };
  return {
    reason: reasons.join(' '),
    consequences: approvalConsequences({ sweep: hold?.counts ?? null, push }, entity),
  };
}
