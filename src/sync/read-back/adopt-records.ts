import type { AreaStop } from '../../domain/area-condition.js';
import { ERROR_CODES, SyncError } from '../../domain/errors.js';
import type { Emit, ReadBackOutcome } from '../../domain/events.js';
import { uuidText } from '../../domain/key.js';
import { type Area, AREAS, type EntityName } from '../../domain/names.js';
import type { EntityReport } from '../../domain/outcome.js';
import { runVerdict } from '../../domain/run-ending.js';
import { findTroubles } from '../../domain/trouble/find-troubles.js';
import type { AreaFacts, TroubleKind } from '../../domain/trouble/trouble.js';
import { plural } from '../../domain/text.js';
import { type CompareOptions, compareReadBack } from '../../entities/compare-read-back.js';
import type { Entity } from '../../entities/entity.js';
import { childrenOf, emptyReport } from '../../entities/index.js';
import type { ReadBack } from '../../entities/read-back.js';
import type { ReadBackRecord, ReadBacks } from '../../state/ledger/read-backs.js';
import { checkEnvironment } from '../environment.js';
import type { Found } from '../found.js';
import { type HeldLease, quietUntil, reportTaken, type RunLeases, withLeases } from '../lease.js';
import { takeOverClaims } from '../push/attempt.js';
import type { RunContext } from '../run-context.js';
import { runFacts, whatEnded } from '../run/end.js';
import { sweepAll } from '../run/run.js';
import { settleAll } from '../../runtime/time.js';
import { gatherFacts } from '../troubles.js';
import { allRecords, comparing, createFindLane, type FindLane, sentBody } from './find-records.js';
import { countFields, isUnshown } from './verify-entity.js';
import { countCached, type VerifyNote } from './verify-report.js';

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
  reportTaken(context, held.heldBy);
  return { report, exitCode: ERROR_CODES.busy };
}

/** Gives the exit code. */
async function adoptUnderLeases(
  context: RunContext,
  leases: RunLeases,
  report: AdoptReport,
): Promise<number> {
  const { entities, source, signal } = context;
  const swept = new Map<EntityName, EntityReport>(entities.map(({ name }) => [name, emptyReport(name)]));
  await takeOverClaims(context, leases.push);
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

  const stops = await settleAll(AREAS.map((area) => adoptArea(context, area, leases.push, report)));
  const cause = whatEnded(signal);
  if (cause) {
    const hint = 'Nothing was lost. Run adopt again to continue.';
    throw new SyncError(cause.code, cause.message, { scope: 'run', hint, cause });
  }
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
    worker: false,
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
  rateLimit.learning?.resume((await state.areaStates.read(area))?.learnedRate ?? null);
  const lane = createFindLane(context, area, rateLimit, areaSettings.concurrency);
  // Parents first: a child is compared with the reference of its parent.
  for (const entity of ofArea) {
    const counters = report.entities[entity.name];
    if (counters === undefined || entity.readBack === null) continue;
    const { readBack } = entity;
    const { readBacks } = state;
    const compare = comparing(context);
    const findings = await adoptEntity({ entity, readBack, lane, readBacks, emit, compare, counters, lease });
    const waiting = await readBacks.countWaiting(entity.name);
    const { invalid } = await state.records.counts(entity.name);
    Object.assign(counters, { ...(invalid > 0 ? { invalid } : {}), ...(waiting > 0 ? { waiting } : {}) });
    for (const note of adoptNotes(entity, counters, findings, readBack.find))
      emit({ type: 'warning', ...note });
  }
  emit({ type: 'read-back-finished', area });
  return lane.end();
}

const NO_REFERENCE =
  'the reply does not show the reference that children need: the function reply of platform.adapter says where it is';

/** Records of which it is not known yet whether they differ. After so many, the fields are judged by what was seen. */
const MOST_OPEN = 10_000;

interface AdoptEntityOptions {
  readonly entity: Entity;
  readonly readBack: ReadBack;
  readonly lane: FindLane;
  readonly readBacks: Pick<ReadBacks, 'page' | 'adopt'>;
  readonly emit: Emit;
  readonly compare: Pick<CompareOptions, 'today' | 'timeZone'>;
  readonly counters: AdoptCounters;
  readonly lease: Pick<HeldLease, 'fenced' | 'held'>;
}

interface AdoptFindings {
  /** Fields in which the platform shows nothing for any record: they are not compared. */
  readonly unshown: readonly string[];
  /** Whether a record that differs has a platform id made from `ids.namespace`, not a UUID of the source. */
  readonly madeIds: boolean;
}

/** A record that differs only in fields of which the platform shows nothing. */
interface OpenRecord {
  readonly record: ReadBackRecord;
  readonly links: {
    readonly reference: string | number | null;
    readonly remoteId: string | null;
  };
  readonly fields: readonly string[];
}

/**
 * Reads every record of one entity that was never acknowledged, and stores what the platform holds, record by record.
 * `counters` are right at all times. Ends early when the lease is lost.
 */
async function adoptEntity(options: AdoptEntityOptions): Promise<AdoptFindings> {
  const { entity, readBack, lane, readBacks, emit, compare, counters, lease } = options;
  const hasChildren = childrenOf(entity.name).length > 0;
  const seen = countFields();
  const open: OpenRecord[] = [];
  const unshown = new Set<string>();
  let madeIds = false;
  const cached = countCached(entity.name);
  const report = (
    { key }: ReadBackRecord,
    outcome: ReadBackOutcome,
    fields: readonly string[] = [],
    message: string | null = null,
  ) => {
    emit({ type: 'record-read-back', area: entity.area, entity: entity.name, key, outcome, fields, message });
    return lease.held();
  };

  const store = async ({ record, links, fields }: OpenRecord, equal: boolean): Promise<boolean> => {
    if (!(await lease.fenced((fence) => readBacks.adopt(fence, entity.name, record, { equal, ...links }))))
      return report(record, 'outdated');
    counters.checked += 1;
    counters[equal ? 'adopted' : 'different'] += 1;
    if (!equal && uuidText(record.key) !== record.platformId) madeIds = true;
    return report(record, equal ? 'adopted' : 'different', equal ? [] : fields);
  };

  /** Decides about the open records by what all records show. False: the lease is lost. */
  const settle = async (): Promise<boolean> => {
    for (const [field, counts] of seen.counts) if (isUnshown(counts)) unshown.add(field);
    for (const each of open.splice(0)) {
      if (!lease.held()) return false;
      const equal = each.fields.every((field) => unshown.has(field));
      if (!(await store(each, equal))) return false;
    }
    return true;
  };

  const handle = async (record: ReadBackRecord, found: Found): Promise<boolean> => {
    if (!lease.held()) return false;
    if (found.kind === 'unanswered') {
      cached.add(found);
      return report(record, 'unanswered', [], found.message);
    }
    if (found.kind === 'missing') {
      counters.checked += 1;
      counters.missing += 1;
      return report(record, 'absent');
    }
    const { id, reference } = found.links;
    // Without it no child of the record could be sent.
    if (reference === null && hasChildren) return report(record, 'unanswered', [], NO_REFERENCE);
    const comparison = compareReadBack(readBack, sentBody(entity, record), found.data, {
      ...compare,
      lastDay: entity.lastDay,
    });
    seen.add(comparison);
    const { drift } = comparison;
    const links = { reference, remoteId: id };
    const outcome = { record, links, fields: drift.map(({ field }) => field) };
    // Only all records together say whether the platform shows such a field at all.
    if (drift.length === 0 || drift.some(({ held }) => held !== null && held !== ''))
      return store(outcome, drift.length === 0);
    open.push(outcome);
    return open.length < MOST_OPEN || settle();
  };
  await lane.read(readBack, allRecords(readBacks, entity.name, 'unknown'), handle);
  await settle();
  for (const note of cached.notes()) emit({ type: 'warning', ...note });
  return { unshown: [...unshown], madeIds };
}

/** From so many records on that the platform holds, the share that differs means something. */
const ENOUGH = 5;
/** From this share on, the records are probably not ours. */
const NEARLY_ALL = 0.9;

/** What follows from the counters of one entity. `find`: the name of its Find. */
function adoptNotes(
  { name, parent }: Pick<Entity, 'name' | 'parent'>,
  { checked, adopted, different, missing, waiting = 0 }: AdoptCounters,
  { unshown, madeIds }: AdoptFindings,
  find: string,
): readonly VerifyNote[] {
  const held = adopted + different;
  return [
    ...(checked > 0 && missing === checked
      ? [
          {
            message: `${name}: the platform answered 404 for each of ${checked} records.`,
            hint: `If the platform holds some of them, the path of ${find} is wrong: platform.operations.${find} sets it.`,
          },
        ]
      : []),
    ...(held >= ENOUGH && different >= NEARLY_ALL * held
      ? [
          {
            message: `${name}: ${different} of ${held} records that the platform holds differ. Does another database use the same ${madeIds ? 'ids.namespace' : 'ids'}? Then both write the same records, and each overwrites those of the other.`,
            hint: `Look at one of them before the next run: placement-sync explain ${name} KEY shows what would be sent.${madeIds ? ' If it is a record of another database, give this one an ids.namespace of its own.' : ''} If they are yours, the next run brings them up to date.`,
          },
        ]
      : []),
    ...unshown.map((field) => ({
      message: `${name}: the platform shows nothing in ${field} for any record that has a value there. It probably shows the field to nobody, so it was not compared.`,
      hint: `If the platform really lacks it, send the records again: placement-sync resync --entity ${name}`,
    })),
    ...(waiting > 0 && parent !== null
      ? [
          {
            message: `${name}: ${plural(waiting, 'one record waits', `${waiting} records wait`)} for ${parent.entity} without a reference and ${plural(waiting, 'was', 'were')} not read.`,
            hint: `The platform does not have these ${parent.entity}, or they are invalid. Correct or send them, then run adopt again. Otherwise a run sends what waits after its ${parent.entity}.`,
          },
        ]
      : []),
  ];
}

/** What is counted of one entity: public interface. */
interface AdoptCounters {
  checked: number;
  adopted: number;
  different: number;
  missing: number;
  /** Not read, because their row has errors, so that they cannot be sent; absent: none. */
  invalid?: number;
  /** Not read, because their parent has no reference; absent: none. */
  waiting?: number;
}

/** What `adopt --json` prints: public interface. */
export interface AdoptReport {
  readonly entities: Record<EntityName, AdoptCounters>;
}
