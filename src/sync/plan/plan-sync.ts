import { SyncError } from '../../domain/errors.js';
import { approvalConsequences, type Consequence } from '../../domain/guard/approval-consequences.js';
import { judgeGuards } from '../../domain/guard/judge-guards.js';
import type { EntityReport } from '../../domain/outcome.js';
import { emptyReport } from '../../entities/empty-report.js';
import type { EntityName } from '../../domain/entity-name.js';
import type { ConfiguredEntity } from '../configured-entity.js';
import type { SourceReader } from '../../ports/source.js';
import type { RunContext } from '../run-context.js';
import { withWork } from '../run/with-work.js';
import { collectChanges, type PlannedChange } from './collect-changes.js';
import { sumOfActions, type PlannedActions } from './planned-actions.js';
import { guardFindings, sweepCounters } from '../sweep/change-tally.js';
import { readChanges } from '../sweep/read-changes.js';
import { sweepReason } from '../sweep/sweep-reason.js';

type PlanContext = Pick<
  RunContext,
  'source' | 'state' | 'emit' | 'clock' | 'signal' | 'settings' | 'entities'
>;

export interface PlanOptions {
  /** Bounds the changes that are listed, not those that are counted. */
  readonly limit: number;
  /** Lists each field with its value now and then. */
  readonly diff: boolean;
  /** Lists invalid records before all others, so that no limit hides them; else in the order of the keys. */
  readonly invalidFirst?: boolean;
}

/** What `plan --json` prints: public interface. */
export interface PlanReport {
  readonly entities: Record<EntityName, EntityReport>;
  readonly changes: readonly PlannedChange[];
}

/** A hold that a run would find. */
export interface PlannedHold {
  /** Each guard with its counts. */
  readonly reason: string;
  /** What an approval would cause. */
  readonly consequences: readonly Consequence[];
}

/** The report, and what people see beside it. */
export interface PlanFindings extends PlanReport {
  /** Entities that a guard holds, or would. */
  readonly holds: Record<EntityName, PlannedHold>;
  /** Changes that the limit left out of the list. */
  readonly unlisted: number;
  /** Of all entities together. */
  readonly actions: PlannedActions;
}

interface Found {
  readonly invalid: PlannedChange[];
  readonly others: PlannedChange[];
  readonly actions: PlannedActions[];
  readonly holds: Record<EntityName, PlannedHold>;
  total: number;
}

/**
 * What a run would find; writes nothing. An entity whose query fails has its error in the report.
 */
export async function planSync(context: PlanContext, options: PlanOptions): Promise<PlanFindings> {
  const entities: Record<EntityName, EntityReport> = {};
  const found: Found = { invalid: [], others: [], holds: {}, actions: [], total: 0 };
  for (const entity of context.entities) {
    const { name } = entity;
    try {
      entities[name] = await withWork(context.emit, `Reading ${name}`, () =>
        planEntity(context, entity, found, options),
      );
    } catch (error) {
      if (!(error instanceof SyncError) || error.scope !== 'entity') throw error;
      const { code, message, hint } = error;
      entities[name] = { ...emptyReport(name), error: { code, message } };
      context.emit({ type: 'entity-failed', entity: name, code, message, hint });
    }
  }
  const changes = [...found.invalid, ...found.others].slice(0, options.limit);
  return {
    entities,
    changes,
    holds: found.holds,
    unlisted: found.total - changes.length,
    actions: sumOfActions(found.actions),
  };
}

async function planEntity(
  context: PlanContext,
  configured: ConfiguredEntity,
  found: Found,
  options: PlanOptions,
): Promise<EntityReport> {
  const { source, state, settings, signal } = context;
  const entity = configured.name;
  const before = await state.entityStates.read(entity);
  const counts = await state.records.counts(entity);
  const { limit, diff, invalidFirst = false } = options;
  const collector = collectChanges(configured, state.ledger, {
    limit: limit - found.others.length,
    invalidLimit: invalidFirst ? limit - found.invalid.length : null,
    withDiff: diff,
  });
  const reason = sweepReason(before, configured.fingerprint, settings.sweep.fullEveryMs);
  const examine = (reader: SourceReader) =>
    readChanges({ ...context, entity: configured, reader, sink: collector, reason });
  const counted = await source.read(configured.query, examine, signal);
  for (const change of collector.listed()) {
    (invalidFirst && change.action === 'invalid' ? found.invalid : found.others).push(change);
  }
  found.total += collector.total();
  const renamed = collector.renamed();
  const tally = {
    ...counted,
    vanished: counted.vanished - renamed,
    new: counted.new - renamed,
    changed: counted.changed + renamed,
  };
  const withdrawn = Math.max(collector.withdrawn(), 0);
  found.actions.push({
    create: tally.new,
    update: tally.changed,
    close: configured.onVanished === 'delete' ? 0 : withdrawn,
    delete: configured.onVanished === 'delete' ? withdrawn : 0,
    before: Math.max(counts.pending - collector.replaced(), 0),
    kept: Math.max(tally.vanished - withdrawn, 0),
    invalid: tally.invalid,
  });
  const hold = judgeGuards(guardFindings(tally, configured), settings.guards, before.approval);
  const reasons = [hold, before.pushHold].flatMap((each) => (each ? [`${each.guard}: ${each.message}`] : []));
  if (reasons.length > 0) {
    const push = before.pushHold && { rejected: counts.rejected };
    const consequences = approvalConsequences({ sweep: hold?.counts ?? null, push }, configured);
    found.holds[entity] = { reason: reasons.join(' '), consequences };
  }
  return {
    ...emptyReport(entity),
    ...sweepCounters(entity, tally),
    waiting: counts.waiting,
    pending: Math.max(counts.pending + collector.pendingDelta(), 0),
    held: hold !== null || before.pushHold !== null,
  };
}
