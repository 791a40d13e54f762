import { ERROR_CODES, SyncError } from '../../core/domain/errors.js';
import { uuidText } from '../../core/domain/key.js';
import type { EntityName } from '../../core/domain/names.js';
import type { EntityReport } from '../../core/domain/outcome.js';
import { runVerdict } from '../../core/domain/run-ending.js';
import { findTroubles } from '../../core/domain/trouble/find-troubles.js';
import type { TroubleKind } from '../../core/domain/trouble/trouble.js';
import { plural } from '../../core/domain/text.js';
import { childrenOf, emptyReport } from '../../core/entities/index.js';
import type { ReadBackRecord, ReadBackContext } from './read-backs.js';
import { checkEnvironment } from '../../core/run/environment.js';
import { type HeldLease, quietUntil, reportTaken, type RunLeases, withLeases } from '../../core/leases.js';
import { takeOverClaims } from '../../core/push/take-over.js';
import { runFacts, whatEnded } from '../../core/run/end.js';
import { sweepAll } from '../../core/run/run.js';
import { gatherFacts } from '../../core/run/troubles.js';
import {
  allRecords,
  type AreaEnd,
  type FindLane,
  lookAtRecords,
  type Readable,
  readableOf,
  readAreas,
  type Report,
} from './read-records.js';
import { countFields, isUnshown } from './verify-entity.js';
import type { VerifyNote } from './verify-report.js';

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
  context: ReadBackContext,
  isReadable: (entity: EntityName) => boolean,
): Promise<AdoptResult> {
  await checkEnvironment(context);
  const entities = readableOf(context.entities, isReadable);
  const report: { entities: Record<EntityName, AdoptCounters> } = {
    entities: Object.fromEntries(
      entities.map(({ name }) => [name, { checked: 0, adopted: 0, different: 0, missing: 0 }]),
    ),
  };
  const held = await withLeases(context, (leases, signal) =>
    adoptUnderLeases({ ...context, signal }, entities, leases, report),
  );
  if ('result' in held) return { report, exitCode: held.result };
  reportTaken(context, held.heldBy);
  return { report, exitCode: ERROR_CODES.busy };
}

/** Gives the exit code. */
async function adoptUnderLeases(
  context: ReadBackContext,
  entities: readonly Readable[],
  leases: RunLeases,
  report: AdoptReport,
): Promise<number> {
  const { state, source, signal, clock } = context;
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

  const stops = await readAreas(context, entities, {
    async rateLimit(area) {
      // We hold the push lease, so the whole rate is free.
      const limit = context.rateLimit(area, quietUntil(leases.push, clock));
      limit.learning?.resume((await state.areaStates.read(area))?.learnedRate ?? null);
      return limit;
    },
    due: (name) => state.readBacks.count(name, 'unknown'),
    async read(entity, lane) {
      const counters = report.entities[entity.name];
      if (counters) await adoptEntity(context, entity, lane, { counters, lease: leases.push });
    },
  });
  const cause = whatEnded(signal);
  if (cause) {
    const hint = 'Nothing was lost. Run adopt again to continue.';
    throw new SyncError(cause.code, cause.message, { scope: 'run', hint, cause });
  }
  return exitCodeOf(context, swept, stops);
}

/** Troubles that adopting leaves as they are: it sends nothing, so it learns nothing about a push. */
const OF_A_PUSH: readonly TroubleKind[] = ['push-held', 'rejected', 'blocked'];

async function exitCodeOf(
  { state, signal, clock }: ReadBackContext,
  swept: ReadonlyMap<EntityName, EntityReport>,
  stops: readonly AreaEnd[],
): Promise<number> {
  const now = new Date(clock.now());
  const facts = await gatherFacts(state, {
    now,
    entities: [...swept.keys()],
    counts: (entity) => state.records.counts(entity),
    worker: false,
    run: runFacts(signal, swept, null),
    areas: stops.map(({ area, ...stop }) => ({
      area,
      stop: { ...stop, retryAt: null, since: now },
      credentials: 'unknown',
      refusedCause: null,
    })),
  });
  const troubles = findTroubles(facts).filter(({ kind }) => !OF_A_PUSH.includes(kind));
  return runVerdict(troubles, false).exitCode;
}

const NO_REFERENCE =
  'the reply does not show the reference that children need: the function reply of platform.adapter says where it is';

/** Records of which it is not known yet whether they differ. After so many, the fields are judged by what was seen. */
const MOST_OPEN = 10_000;

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
  readonly report: Report;
}

/**
 * Reads every record of one entity that was never acknowledged, and stores what the platform holds, record by record.
 * `counters` are right at all times. Ends early when the lease is lost.
 */
async function adoptEntity(
  context: ReadBackContext,
  entity: Readable,
  lane: FindLane,
  { counters, lease }: { readonly counters: AdoptCounters; readonly lease: HeldLease },
): Promise<void> {
  const { emit, state } = context;
  const { readBacks } = state;
  const { name } = entity;
  const hasChildren = childrenOf(name).length > 0;
  const seen = countFields();
  const open: OpenRecord[] = [];
  const unshown = new Set<string>();
  let madeIds = false;

  const store = async ({ record, links, fields, report }: OpenRecord, equal: boolean): Promise<boolean> => {
    if (!(await lease.fenced((fence) => readBacks.adopt(fence, name, record, { equal, ...links })))) {
      report(record, 'outdated');
      return lease.held();
    }
    counters.checked += 1;
    counters[equal ? 'adopted' : 'different'] += 1;
    if (!equal && uuidText(record.key) !== record.platformId) madeIds = true;
    report(record, equal ? 'adopted' : 'different', equal ? [] : fields);
    return lease.held();
  };

  /** Decides about the open records by what all records show. False: the lease is lost. */
  const settle = async (): Promise<boolean> => {
    for (const [field, counts] of seen.counts) if (isUnshown(counts)) unshown.add(field);
    for (const each of open.splice(0)) {
      const equal = each.fields.every((field) => unshown.has(field));
      if (!lease.held() || !(await store(each, equal))) return false;
    }
    return true;
  };

  const records = allRecords(readBacks, name, 'unknown');
  const { notes } = await lookAtRecords(context, entity, lane, records, async (record, look, report) => {
    if (!lease.held()) return false;
    if (look.kind === 'missing') {
      counters.checked += 1;
      counters.missing += 1;
      report(record, 'absent');
      return true;
    }
    const { links, comparison } = look;
    // Without it no child of the record could be sent.
    if (links.reference === null && hasChildren) {
      report(record, 'unanswered', [], NO_REFERENCE);
      return true;
    }
    seen.add(comparison);
    const { drift } = comparison;
    const outcome = {
      record,
      links: { reference: links.reference, remoteId: links.id },
      fields: drift.map(({ field }) => field),
      report,
    };
    // Only all records together say whether the platform shows such a field at all.
    if (drift.length === 0 || drift.some(({ held }) => held !== null && held !== ''))
      return store(outcome, drift.length === 0);
    open.push(outcome);
    return open.length < MOST_OPEN || settle();
  });
  await settle();
  const waiting = await readBacks.countWaiting(name);
  const { invalid } = await state.records.counts(name);
  Object.assign(counters, { ...(invalid > 0 ? { invalid } : {}), ...(waiting > 0 ? { waiting } : {}) });
  const further = adoptNotes(entity, counters, { unshown: [...unshown], madeIds });
  for (const note of [...notes, ...further]) emit({ type: 'warning', ...note });
}

/** From so many records on that the platform holds, the share that differs means something. */
const ENOUGH = 5;
/** From this share on, the records are probably not ours. */
const NEARLY_ALL = 0.9;

/** What follows from the counters of one entity. */
function adoptNotes(
  { name, parent, readBack: { find } }: Readable,
  { checked, adopted, different, missing, waiting = 0 }: AdoptCounters,
  { unshown, madeIds }: AdoptFindings,
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
