import { SyncError } from '../../core/domain/errors.js';
import { approvalConsequences, type Consequence, type Hold, judgeGuards } from '../../core/domain/guard.js';
import type { EntityReport } from '../../core/domain/outcome.js';
import { emptyReport } from '../../core/entities/index.js';
import type { StatusCounts } from '../../core/ledger/records.js';
import type { EntityState } from '../../core/domain/entity-state.js';
import type { SourceReader } from '../../core/ports/source.js';
import type { ConfiguredEntity, RunContext } from '../../core/context.js';
import {
  emptyTally,
  guardFindings,
  isFull,
  sweepCounters,
  sweepReason,
} from '../../core/sweep/change-tally.js';
import { lookAtSource } from '../../core/sweep/look-at-source.js';
import { type ChangeSink, readChanges } from '../../core/sweep/read-changes.js';
import { gatherChanges } from './gather-changes.js';
import type { PlanState } from './plan-state.js';
import { type SampledRecord, sampleRecords } from './sample-records.js';
import type { PlannedParents } from './wait-for-parents.js';

export interface PlanContext extends Pick<
  RunContext,
  'source' | 'emit' | 'clock' | 'signal' | 'settings' | 'entities'
> {
  readonly state: PlanState;
}

export interface PlannedHold {
  readonly reason: string;
  /** What an approval would cause. */
  readonly consequences: readonly Consequence[];
}

type Gathered = ReturnType<typeof gatherChanges>;

export interface PlannedEntity extends Omit<Awaited<ReturnType<Gathered['end']>>, 'does'> {
  readonly report: EntityReport;
  readonly samples: readonly SampledRecord[];
  readonly actions: PlannedActions;
  /** Null: no guard holds it. */
  readonly hold: PlannedHold | null;
  /** Rows that do not differ were not read, so nothing is known of their doubtful values. */
  readonly partial: boolean;
  readonly error: SyncError | null;
}

interface PlanEntityOptions {
  readonly limit: number;
  readonly withDiff: boolean;
  /** How many records are shown whole. */
  readonly samples: number;
  readonly above: PlannedParents | null;
}

/**
 * What a run would do with one entity, without writing anything: it is read as a sweep reads it, into another sink, and
 * the guards judge the counts as they would in the run. Errors: SyncError of scope `run`.
 */
export async function planEntity(
  context: PlanContext,
  entity: ConfiguredEntity,
  { limit, withDiff, samples, above }: PlanEntityOptions,
): Promise<PlannedEntity> {
  const { source, state, settings, signal } = context;
  const { name } = entity;
  const before = await state.entityStates.read(name);
  const counts = await state.records.counts(name);
  const gathered = gatherChanges({ entity, state, counts, above, limit, withDiff });
  const sample = sampleRecords(entity, samples);
  const reason = sweepReason(before, entity.fingerprint, settings.sweep.fullEveryMs);
  const sink: ChangeSink = {
    async take(changes) {
      await gathered.take(changes);
      sample.take(changes);
    },
    warn: gathered.warn,
    restart() {
      sample.restart();
      return gathered.restart();
    },
  };
  const examine = async (reader: SourceReader) => {
    const { other } = await lookAtSource(reader, settings, entity, before);
    return { tally: await readChanges({ ...context, entity, reader, sink, reason }), other };
  };
  const read = await source.read(entity.query, examine, signal).catch((error: unknown) => {
    if (!(error instanceof SyncError) || error.scope !== 'entity') throw error;
    return error;
  });
  const error = read instanceof SyncError ? read : null;
  if (error) await sink.restart();
  // A full sweep judges all of them.
  else if (!isFull(reason)) await gathered.standInvalid();

  const respelled = gathered.respelled();
  const { tally, other } = read instanceof SyncError ? { tally: emptyTally(), other: null } : read;
  const settled = {
    ...tally,
    vanished: tally.vanished - respelled,
    new: tally.new - respelled,
    changed: tally.changed + respelled,
  };
  const findings = { ...guardFindings(settled, entity), otherSource: other };
  const hold = error ? null : judgeGuards(findings, settings.guards, before.approval);
  const applied = error === null && hold === null;
  // Another mapping is a new try: a push that refusals had stopped goes on.
  const pushHold = applied && before.fingerprint !== entity.fingerprint ? null : before.pushHold;
  const pushed = pushHold === null;
  const { does, ...found } = await gathered.end({ applied, pushed, read: error === null });
  const { kept, gone, waiting, ...sent } = does;
  return {
    ...found,
    report: {
      ...emptyReport(name),
      ...sweepCounters(name, settled),
      pending: sent.create + sent.update + sent.close + sent.delete + sent.before,
      waiting,
      held: (error ? before.hold : hold) !== null || !pushed,
      error: error && { code: error.code, message: error.message },
    },
    samples: sample.records(),
    actions: {
      ...NO_ACTIONS,
      ...(pushed && sent),
      waiting,
      kept,
      gone,
      held: applied ? 0 : settled.new + settled.changed + settled.vanished,
      invalid: settled.invalid,
    },
    hold: plannedHold(entity, hold, pushHold, counts),
    partial: error === null && !isFull(reason),
    error,
  };
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

const NO_ACTIONS = {
  create: 0,
  update: 0,
  close: 0,
  delete: 0,
  /** To be sent already before this plan, also those whose parent comes only now. */
  before: 0,
  /** They stay behind, because their parent does not come. */
  waiting: 0,
  /** Vanished records that the platform keeps. */
  kept: 0,
  /** Vanished records that the platform does not have. */
  gone: 0,
  /** Changes of sweeps that a guard holds: nothing of them is applied. */
  held: 0,
  invalid: 0,
};

export type PlannedActions = Readonly<typeof NO_ACTIONS>;

export function sumOfActions(all: readonly PlannedActions[]): PlannedActions {
  const sums = { ...NO_ACTIONS };
  for (const name of Object.keys(sums) as (keyof PlannedActions)[])
    for (const actions of all) sums[name] += actions[name];
  return sums;
}
