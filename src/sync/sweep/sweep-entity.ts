import { platformTimestamp } from '../../contract/platform-timestamp.js';
import type { Emit } from '../../domain/events.js';
import { SyncError } from '../../domain/errors.js';
import type { Hold } from '../../domain/guard/hold.js';
import { judgeGuards, type GuardLimits } from '../../domain/guard/judge-guards.js';
import type { Clock } from '../../ports/clock.js';
import type { EntityState } from '../../ports/entity-states.js';
import type { Source, SourceReader } from '../../ports/source.js';
import type { State } from '../../ports/state.js';
import type { EntityPlan } from '../entity-plan.js';
import type { HeldLease } from '../lease/hold-lease.js';
import { entityQuery } from './entity-query.js';
import { checkBalance } from './check-balance.js';
import { sweepCounters, type ChangeTally } from './change-tally.js';
import { fullSweepReason } from './full-sweep-reason.js';
import { guardFindings } from './guard-findings.js';
import { locatorOf } from './locate.js';
import { readChanges } from './read-changes.js';
import { refuseDuplicates } from './refuse-duplicates.js';
import { createStageSink } from './stage-sink.js';
import { withSourceRetry } from './with-source-retry.js';

export interface SweepDependencies {
  /** Aborts when the process is to end. */
  readonly signal: AbortSignal;
  readonly source: Source;
  readonly state: State;
  readonly clock: Clock;
  readonly emit: Emit;
}

export interface SweepSettings {
  readonly guards: GuardLimits;
  readonly fullEveryMs: number;
  /** The platform's zone, in which last days are meant. */
  readonly timeZone: string;
}

export interface SweepResult {
  readonly tally: ChangeTally;
  /** Why nothing was published; null: published. */
  readonly hold: Hold | null;
}

/** How many keys a hold shows. */
const SAMPLE_KEYS = 10;

/**
 * One sweep of one entity: read versions → diff keys → read rows → map → stage → judge guards → publish.
 * `lease`: of the sweep. Errors: SyncError of scope `entity` ends this entity, any other the run; in both
 * cases nothing of the sweep is published unless publishing had begun, and then the next sweep continues it.
 */
export async function sweepEntity(
  { source, state, clock, emit, signal }: SweepDependencies,
  plan: EntityPlan,
  settings: SweepSettings,
  lease: Pick<HeldLease, 'fenced'>,
): Promise<SweepResult> {
  const entity = plan.entity.name;
  const before = await state.entityStates.read(entity);
  const fullReason = fullSweepReason(before, plan.fingerprint, settings.fullEveryMs);
  const startedAt = new Date(clock.now()).toISOString();
  const began = clock.monotonic();
  emit({ type: 'sweep-started', entity, full: fullReason !== null, why: fullReason ?? 'what differs' });

  await lease.fenced((fence) => state.staging.clear(fence));
  const query = entityQuery(plan);
  const sink = createStageSink(state.staging, lease, entity);
  const idsMayDiffer = before.fingerprint === null;
  const examine = async (reader: SourceReader) => {
    const found = await readChanges({
      plan,
      reader,
      ledger: state.ledger,
      sink: {
        ...sink,
        take: (changes) => {
          refuseInterrupted(signal, entity);
          return sink.take(changes);
        },
      },
      emit,
      full: fullReason !== null,
      sameMapping: before.fingerprint === plan.fingerprint,
      firstSweep: before.fingerprint === null,
      now: platformTimestamp(clock.now(), settings.timeZone),
      locate: locatorOf(plan, state.inbox),
    });
    const staged = await sink.finish();
    await lease.fenced((fence) => refuseDuplicates(state.staging, fence, plan, reader, idsMayDiffer));
    return { tally: found, staged };
  };
  const read = () => source.read(query, examine, signal);
  const { tally, staged } = await withSourceRetry(read, sink.restart).catch((error: unknown) => {
    // Whatever failed when it was stopped is no failure of the query.
    refuseInterrupted(signal, entity);
    throw error;
  });

  refuseInterrupted(signal, entity);
  const { renamings, removed } = await lease.fenced((fence) =>
    state.staging.resolveRenamings(fence, entity, idsMayDiffer),
  );
  const vanishedByRenaming = renamings.filter(({ vanishedNow }) => vanishedNow).length;
  const renamedNew = renamings.filter(({ wasNew }) => wasNew).length;
  const settled: ChangeTally = {
    ...tally,
    vanished: tally.vanished - vanishedByRenaming,
    new: tally.new - renamedNew,
    changed: tally.changed + renamedNew,
  };
  checkBalance(entity, settled);

  const hold = await judge(state, lease, plan, settings.guards, settled, before, startedAt);
  if (hold) {
    await lease.fenced((fence) => state.entityStates.hold(fence, entity, hold));
    emit({
      type: 'entity-held',
      entity,
      message: `${hold.message} Keys: ${hold.sampleKeys.join(', ') || 'none'}.`,
      hint: `Nothing of this sweep was applied. Mend the source, or permit it with: placement-sync approve ${entity}`,
    });
  } else {
    const work = `Applying changes of ${entity}`;
    emit({ type: 'work-started', work, total: staged - removed });
    const sweep = {
      renamings,
      expected: staged - removed,
      mark: { fingerprint: plan.fingerprint, full: fullReason !== null, startedAt: before.readAt },
      signal,
      onPublished: (done: number) => emit({ type: 'work-advanced', work, done }),
    };
    await lease
      .fenced((fence) => state.staging.publish(fence, entity, sweep))
      .finally(() => emit({ type: 'work-ended', work }));
  }
  await lease.fenced((fence) => state.staging.clear(fence));
  report(emit, plan, settled, clock.monotonic() - began);
  return { tally: settled, hold };
}

function refuseInterrupted(signal: AbortSignal, entity: string): void {
  if (!signal.aborted) return;
  throw new SyncError(
    'interrupted',
    `Stopped by a signal while ${entity} were read; nothing of ${entity} was applied, what finished before is.`,
    { scope: 'run' },
  );
}

async function judge(
  state: State,
  lease: Pick<HeldLease, 'fenced'>,
  plan: EntityPlan,
  limits: GuardLimits,
  tally: ChangeTally,
  before: EntityState,
  startedAt: string,
): Promise<Hold | null> {
  const verdict = judgeGuards(guardFindings(tally, plan), limits, before.approval);
  if (!verdict) return null;
  const kind = verdict.guard === 'max-invalid-percent' ? 'invalid' : 'vanished';
  return {
    ...verdict,
    sampleKeys: await lease.fenced((fence) =>
      state.staging.sampleKeys(fence, plan.entity.name, kind, SAMPLE_KEYS),
    ),
    since: before.hold?.since ?? startedAt,
  };
}

function report(emit: Emit, plan: EntityPlan, tally: ChangeTally, elapsedMs: number): void {
  const entity = plan.entity.name;
  if (tally.staleRowVersions > 0) {
    emit({
      type: 'stale-row-versions',
      entity,
      count: tally.staleRowVersions,
      sampleKeys: tally.staleSample,
    });
  }
  if (tally.warnings > 0) {
    emit({ type: 'mapping-warnings', entity, count: tally.warnings, sample: tally.warningSample ?? '' });
  }
  emit({
    type: 'sweep-finished',
    entity,
    counters: sweepCounters(entity, tally),
    elapsedMs,
  });
}
