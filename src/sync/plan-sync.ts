import { platformTimestamp } from '../contract/platform-timestamp.js';
import { SyncError } from '../domain/errors.js';
import { judgeGuards } from '../domain/guard/judge-guards.js';
import { emptyReport, type EntityReport } from '../domain/outcome.js';
import type { EntityName } from '../domain/entity-name.js';
import type { EntityPlan } from './entity-plan.js';
import { entityQuery } from './entity-query.js';
import type { SourceReader } from '../ports/source.js';
import type { RunDependencies } from './run-dependencies.js';
import { withWork } from './with-work.js';
import { fullSweepReason } from './sweep/full-sweep-reason.js';
import { collectChanges, type PlannedChange } from './plan/collect-changes.js';
import { sweepCounters } from './sweep/change-tally.js';
import { readChanges } from './sweep/read-changes.js';
import { locatorOf } from './sweep/locate.js';
import type { SweepSettings } from './sweep/sweep-entity.js';

type PlanDependencies = Pick<RunDependencies, 'source' | 'state' | 'emit' | 'clock' | 'signal'>;

export interface PlanOptions {
  /** Bounds the changes that are listed, not those that are counted. */
  readonly limit: number;
  /** Lists each field with its value now and then. */
  readonly diff: boolean;
}

/** What `plan --json` prints: public interface. */
export interface PlanReport {
  readonly entities: Partial<Record<EntityName, EntityReport>>;
  readonly changes: readonly PlannedChange[];
}

/**
 * What a run would find, with nothing written anywhere. An entity whose query fails has its error in the report.
 */
export async function planSync(
  dependencies: PlanDependencies,
  plans: readonly EntityPlan[],
  settings: SweepSettings,
  options: PlanOptions,
): Promise<PlanReport> {
  const entities: Partial<Record<EntityName, EntityReport>> = {};
  const changes: PlannedChange[] = [];
  for (const plan of plans) {
    const name = plan.entity.name;
    try {
      entities[name] = await withWork(dependencies.emit, `Reading ${name}`, () =>
        planEntity(dependencies, plan, settings, changes, options),
      );
    } catch (error) {
      if (!(error instanceof SyncError) || error.scope !== 'entity') throw error;
      const { code, message, hint } = error;
      entities[name] = { ...emptyReport(name), error: { code, message } };
      dependencies.emit({ type: 'entity-failed', entity: name, code, message, hint });
    }
  }
  return { entities, changes };
}

async function planEntity(
  { source, state, emit, clock, signal }: PlanDependencies,
  plan: EntityPlan,
  settings: SweepSettings,
  listed: PlannedChange[],
  options: PlanOptions,
): Promise<EntityReport> {
  const entity = plan.entity.name;
  const before = await state.entityStates.read(entity);
  const counts = await state.records.counts(entity);
  const collector = collectChanges(plan, state.ledger, options.limit - listed.length, options.diff);
  const reason = fullSweepReason(before, plan.fingerprint, settings.fullEveryMs);
  const query = entityQuery(plan);
  const examine = (reader: SourceReader) =>
    readChanges({
      plan,
      reader,
      ledger: state.ledger,
      sink: collector,
      emit,
      full: reason !== null,
      sameMapping: before.fingerprint === plan.fingerprint,
      firstSweep: before.fingerprint === null,
      now: platformTimestamp(clock.now(), settings.timeZone),
      locate: locatorOf(plan, state.inbox),
    });
  const found = await source.read(query, examine, signal);
  listed.push(...collector.listed());
  const renamed = collector.renamed();
  const tally = {
    ...found,
    vanished: found.vanished - renamed,
    new: found.new - renamed,
    changed: found.changed + renamed,
  };
  const hold = judgeGuards(
    {
      ...tally,
      vanished: tally.vanished - tally.expired + tally.settledAnew,
      mayBeEmpty: plan.onVanished === 'ignore',
    },
    settings.guards,
    before.approval,
  );
  return {
    ...emptyReport(entity),
    ...sweepCounters(entity, tally),
    waiting: counts.waiting,
    pending: Math.max(counts.pending + collector.pendingDelta(), 0),
    held: hold !== null || before.pushHold !== null,
  };
}
