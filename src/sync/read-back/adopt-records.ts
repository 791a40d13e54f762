import { platformDay } from '../../contract/time.js';
import { type Area, AREAS, type EntityName } from '../../domain/names.js';
import { ERROR_CODES, SyncError } from '../../domain/errors.js';
import type { EntityReport } from '../../domain/outcome.js';
import { emptyReport } from '../../entities/index.js';
import type { AreaStop } from '../../domain/area-condition.js';
import { runVerdict } from '../../domain/run-ending.js';
import { findTroubles } from '../../domain/trouble/find-troubles.js';
import type { AreaFacts, TroubleKind } from '../../domain/trouble/trouble.js';
import { checkEnvironment } from '../environment/check-environment.js';
import { adoptEntity } from './adopt-entity.js';
import { adoptNotes } from './adopt-notes.js';
import type { AdoptCounters, AdoptReport } from './adopt-report.js';
import { createFindLane } from './find-records.js';
import { runFacts } from '../run/judge-run.js';
import type { RunContext } from '../run-context.js';
import { takingOver } from '../push/taking-over.js';
import { timeoutOf } from '../run-settings.js';
import { sweepAll } from '../run/sweep-all.js';
import { whatEnded } from '../run/what-ended.js';
import { gatherFacts } from '../troubles/gather-facts.js';
import type { HeldLease } from '../lease/hold-lease.js';
import { quietUntil } from '../lease/quiet-time.js';
import { withLeases, type RunLeases } from '../lease/with-leases.js';

export interface AdoptResult {
  readonly report: AdoptReport;
  readonly exitCode: number;
}

/**
 * Builds the ledger from what the platform already holds: a sweep, and one Find for every record that was never
 * acknowledged. A record that is held as desired is acknowledged and not sent; the rest stays pending, with its links
 * if the platform has it. Sends nothing. After an early stop the next `adopt` continues. `isReadable`: whether
 * the Find of an entity may be used. Errors: SyncError `environment-changed`, `lease-lost`, or what the state database
 * throws.
 */
export async function adoptRecords(
  context: RunContext,
  isReadable: (entity: EntityName) => boolean,
): Promise<AdoptResult> {
  await checkEnvironment(context);
  const entities = context.entities.filter(({ name, readBack }) => readBack !== null && isReadable(name));
  const report: { entities: Record<EntityName, AdoptCounters> } = {
    entities: Object.fromEntries(
      entities.map(({ name }) => [name, { checked: 0, adopted: 0, different: 0, missing: 0 }]),
    ),
  };
  const held = await withLeases(context, (leases, signal) =>
    adoptUnderLeases({ ...context, entities, signal }, leases, report),
  );
  if ('result' in held) return { report, exitCode: held.result };
  const { name, holder, secondsLeft } = held.heldBy;
  const own = holder === context.holder;
  context.emit({ type: 'lease-taken', lease: name, holder, secondsLeft, own });
  return { report, exitCode: ERROR_CODES.busy };
}

/** Gives the exit code. */
async function adoptUnderLeases(
  context: RunContext,
  leases: RunLeases,
  report: AdoptReport,
): Promise<number> {
  const { state, settings, entities, source, signal } = context;
  const swept = new Map<EntityName, EntityReport>(entities.map(({ name }) => [name, emptyReport(name)]));
  await leases.push.fenced((fence) =>
    state.queue.takeOver(
      fence,
      null,
      takingOver(entities, (entity) => timeoutOf(settings, entity)),
    ),
  );
  try {
    // No resend request for age: adopting sends nothing.
    const ageless = entities.map((entity) => ({ ...entity, refreshAfterMs: null }));
    await sweepAll({ ...context, entities: ageless }, leases.sweep, swept);
  } catch (error) {
    const cause = whatEnded(signal);
    if (cause) throw cause;
    if (!signal.aborted) throw error;
  }
  await source.close();

  const ends = await Promise.allSettled(AREAS.map((area) => adoptArea(context, area, leases.push, report)));
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure) throw failure.reason;
  const cause = whatEnded(signal);
  if (cause) {
    const hint = 'Nothing was lost. Run adopt again to continue.';
    throw new SyncError(cause.code, cause.message, { scope: 'run', hint, cause });
  }
  const stops = ends.map((end) => (end.status === 'fulfilled' ? end.value : null));
  return exitCodeOf(context, swept, stops);
}

/** Troubles that adopting leaves as they are: it sends nothing, so it learns nothing about a push. */
const OF_A_PUSH: readonly TroubleKind[] = ['push-held', 'rejected', 'blocked'];

/** `stops`: why adopting stopped asking each area, in the order of AREAS. */
async function exitCodeOf(
  { state, signal, clock }: RunContext,
  swept: ReadonlyMap<EntityName, EntityReport>,
  stops: readonly (AreaStop | null)[],
): Promise<number> {
  const now = new Date(clock.now());
  const facts = await gatherFacts(state, {
    now,
    entities: [...swept.keys()],
    counts: (entity) => state.records.counts(entity),
    run: runFacts(signal, swept, null),
    areas: AREAS.flatMap((area, index): AreaFacts[] => {
      const stop = stops[index];
      const stopped = stop && { ...stop, retryAt: null, since: now };
      return stopped ? [{ area, stop: stopped, credentials: 'unknown', refusedCause: null }] : [];
    }),
  });
  const troubles = findTroubles(facts).filter(({ kind }) => !OF_A_PUSH.includes(kind));
  return runVerdict(troubles, false).exitCode;
}

async function adoptArea(
  context: RunContext,
  area: Area,
  lease: HeldLease,
  report: AdoptReport,
): Promise<AreaStop | null> {
  const { state, settings, clock, emit, signal } = context;
  const areaSettings = settings.areas[area];
  const ofArea = context.entities.filter((entity) => entity.area === area);
  if (!areaSettings || ofArea.length === 0 || signal.aborted) return null;
  const counts = await Promise.all(ofArea.map(({ name }) => state.readBacks.count(name, 'unknown')));
  emit({ type: 'read-back-started', area, due: counts.reduce((sum, count) => sum + count, 0) });
  // We hold the push lease, so the whole rate is free.
  const rateLimit = context.rateLimit(area, quietUntil(lease, clock));
  const lane = createFindLane(context, area, rateLimit, areaSettings.concurrency);
  // Parents first: a child is compared with the reference of its parent.
  for (const entity of ofArea) {
    const counters = report.entities[entity.name];
    if (counters === undefined || entity.readBack === null) continue;
    const { timeZone } = settings.platform;
    const compare = { today: platformDay(clock.now(), timeZone), timeZone };
    const { readBack } = entity;
    const { readBacks } = state;
    const findings = await adoptEntity({
      ...{ entity, readBack, lane, readBacks, emit, compare, counters, lease },
    });
    const waiting = await readBacks.countWaiting(entity.name);
    const { invalid } = await state.records.counts(entity.name);
    Object.assign(counters, { ...(invalid > 0 ? { invalid } : {}), ...(waiting > 0 ? { waiting } : {}) });
    for (const note of adoptNotes(entity, counters, findings, readBack.find))
      emit({ type: 'warning', ...note });
  }
  emit({ type: 'read-back-finished', area });
  return lane.end();
}
