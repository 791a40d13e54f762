import type { ReadBackContext } from './read-backs.js';
import type { AreaStop } from '../../core/domain/area-condition.js';
import { ERROR_CODES, type ErrorCode } from '../../core/domain/errors.js';
import type { Emit } from '../../core/domain/events.js';
import type { EntityName } from '../../core/domain/names.js';
import { batched } from '../../core/domain/group-by.js';
import { isTakenDown, stateText } from '../../core/domain/reply/reply.js';
import { QUIET_MS } from '../../core/runtime/time.js';
import { checkEnvironment } from '../../core/run/environment.js';
import { withWork } from '../../core/leases.js';
import { type ConfiguredEntity, timeoutOf } from '../../core/context.js';
import { runSync } from '../../core/run/run.js';
import { type FindLane, type Readable, readableOf, readAreas, settledRecords } from './read-records.js';
import { beginSettlement, type DoubtSettlement } from '../../core/run/settle-doubt.js';
import { createEntityFindings, type EntityFindings, isPathDoubted, verifyEntity } from './verify-entity.js';
import {
  type StateOfRecords,
  type VerifyCounters,
  type VerifyNote,
  verifyNotes,
  type VerifyReport,
} from './verify-report.js';

/**
 * `verify`: reads settled records back, area by area, and compares them with what was sent.
 *
 * Each entity's records are read and compared (read-records.ts) and judged (verify-entity.ts), whose
 * findings say which fields are doubted and what is to be repaired. What differs is stored, so that lists can show it.
 * With `repair` it is sent again, and what a platform that merges may still hold is read once more. The exit code says
 * what is left.
 */

export interface VerifyOptions {
  /** Records of each entity, picked at random; null: all. */
  readonly sample: number | null;
  /** Only these settled records, by key or platform id; absent: not so. */
  readonly keys?: readonly string[];
  /** Sends again what drifted or is missing. */
  readonly repair: boolean;
  /** Fields that are repaired also where they are doubted. */
  readonly fields?: readonly string[];
  readonly isReadable: (entity: EntityName) => boolean;
}

export interface VerifyResult {
  readonly report: VerifyReport;
  readonly exitCode: number;
  /** For areas that were not read back completely. */
  readonly stops: readonly AreaStop[];
  /** Records that could have been read, by entity: more than were checked where only a sample was. */
  readonly of: Readonly<Record<EntityName, number>>;
  /** Entities of which nothing was repaired, because every answer was that the record is missing. */
  readonly pathDoubts: readonly PathDoubt[];
  /** Of fields that are doubted, and of what the platform holds beyond the body. */
  readonly notes: readonly VerifyNote[];
}

/** Why nothing of an entity is repaired, and what to do. */
interface PathDoubt extends VerifyNote {
  readonly entity: EntityName;
}

/** Most differences that are listed, to bound memory; the counts go on. */
const MOST_LISTED = 50_000;

/**
 * Reads settled records back with Find and compares them with what was sent. Takes no lease, so a run may be under way:
 * records that it sends meanwhile are not judged. Uses only the share of the rate for reading back.
 * Errors: SyncError `environment-changed`, or what the state database throws.
 */
export async function verifyRecords(context: ReadBackContext, options: VerifyOptions): Promise<VerifyResult> {
  const { state, entities, emit, signal, readBackRateLimit } = context;
  const { sample, repair, keys = null, fields: named = [] } = options;
  const { readBacks } = state;
  await checkEnvironment(context);
  const readable = readableOf(entities, options.isReadable);
  const counted: Record<EntityName, VerifyCounters> = Object.fromEntries(
    readable.map(({ name }) => [name, { checked: 0, same: 0, drifted: 0, missing: 0 }]),
  );
  let drift: VerifyReport['drift'] = [];
  const found: EntityFindings[] = [];
  const pathDoubts: PathDoubt[] = [];
  const cachedNotes: VerifyNote[] = [];
  const states: StateOfRecords[] = [];
  const unequal: Unequal[] = [];
  const settlements: DoubtSettlement[] = [];
  const of: Record<EntityName, number> = {};
  for (const { name } of readable) of[name] = keys?.length ?? (await readBacks.count(name, 'settled'));

  const read = async (entity: Readable, lane: FindLane): Promise<void> => {
    const { name, readBack, statusField } = entity;
    const counters = counted[name] ?? { checked: 0, same: 0, drifted: 0, missing: 0 };
    const whole = sample === null && keys === null && repair;
    const settlement = whole ? await beginSettlement(context, name) : null;
    const findings = createEntityFindings(entity, {
      explained: explainedBy(counted, entity),
      wentBack: settlement !== null,
      driftedBefore: new Set(await readBacks.drifted(name)),
      named,
      room: () => MOST_LISTED - drift.length,
    });
    found.push(findings);
    const { unanswered, notes } = await verifyEntity(context, entity, lane, {
      records: settledRecords(readBacks, name, { keys, sample }),
      counters,
      findings,
      keepDrifted: keys === null,
    });
    cachedNotes.push(...notes);
    const { different, excused, equal } = findings.judged();
    counters.same += excused;
    counters.drifted -= excused;
    // Also of a doubted path: whatever the reason, the platform did not show these records.
    const noted = different.filter(({ fields }) => keys === null || repair || fields === null);
    await readBacks.noteDrift(name, { different: noted, equal });
    drift = [...drift, ...findings.drift()];
    // A status that differs nearly everywhere is shown otherwise than it is sent.
    const isStated = findings.doubted().every(({ field }) => field !== statusField);
    if (isStated) await noteUnnamed(context, entity, findings);
    states.push(...findings.states().filter(({ state: shown }) => isStated || shown !== 'other'));
    // One that is missing says nothing about a path.
    const pathDoubted = keys === null && isPathDoubted(counters);
    const toRepair = findings.toRepair();
    if (pathDoubted) {
      const doubted = doubt(name, counters, readBack.find);
      pathDoubts.push(doubted);
      emit({ type: 'warning', message: doubted.message, hint: doubted.hint });
    } else if (toRepair.keys.length > 0) unequal.push({ entity, ...toRepair });
    // A field that is not repaired stays in doubt.
    const settled = unanswered === 0 && !pathDoubted && findings.doubted().length === 0;
    if (settlement && settled && lane.stop() === null && !signal.aborted) settlements.push(settlement);
  };
  const stops = await readAreas(context, readable, {
    rateLimit: readBackRateLimit,
    due: async (name) => {
      // A sample is of those whose state is not open.
      const all = of[name] ?? 0;
      return sample === null ? all : Math.min(all, sample + (await readBacks.count(name, 'not-live')));
    },
    read,
  });
  if (drift.length >= MOST_LISTED)
    emit({ type: 'warning', message: `Only the first ${MOST_LISTED} differences are listed.` });

  const wrong = Object.values(counted).reduce(
    (sum, { drifted, missing }) => sum + drifted + missing,
    states.reduce((sum, { state: shown, records }) => sum + (isTakenDown(shown) ? records : 0), 0),
  );
  const repaired =
    repair && unequal.length > 0 && !signal.aborted
      ? await repairRecords(context, unequal)
      : { count: 0, exitCode: 0, sentHere: false };
  const stillHeld = repaired.sentHere ? await countStillHeld(context, unequal) : 0;
  if (!signal.aborted) for (const settlement of settlements) await settlement.finish();
  if (repair && sample === null && keys === null)
    await warnOfUnreadable(
      context,
      entities.filter(({ name }) => !(name in counted)),
    );
  const exitCode = verifyExitCode({
    interrupted: signal.aborted,
    stops,
    ofRepair: repaired.exitCode,
    leftOver: wrong - repaired.count + stillHeld,
  });
  const report = { entities: counted, drift, ...listed(found), ...(states.length > 0 ? { states } : {}) };
  return { report, exitCode, stops, of, pathDoubts, notes: [...cachedNotes, ...verifyNotes(report)] };
}

/** What a look at one record at the platform found. `nothing`: it has nothing there to compare. */
export const LOOK_OUTCOMES = ['same', 'drifted', 'missing', 'notLive', 'unanswered', 'nothing'] as const;
export type LookOutcome = (typeof LOOK_OUTCOMES)[number];

/** The push goes on in an area whose reading back stopped, so it must not look like a stopped area. */
export function withoutStops(emit: Emit): Emit {
  return (event) => {
    if (event.type !== 'area-stopped' && event.type !== 'area-paused') emit(event);
  };
}

/** A person waits for a look so long, milliseconds; a pause of the platform may be longer. */
const LOOK_MS = 10_000;

/** Reads one record back now, beside whatever else works. Errors: those of `verifyRecords`. */
export async function lookAtRecord(
  context: ReadBackContext,
  entity: EntityName,
  key: string,
  isReadable: VerifyOptions['isReadable'],
): Promise<LookOutcome> {
  const entities = context.entities.filter(({ name }) => name === entity);
  if ((await context.state.readBacks.named(entity, [key])).length === 0) return 'nothing';
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(LOOK_MS)]);
  const { report } = await verifyRecords(
    { ...context, entities, signal, emit: withoutStops(context.emit) },
    { sample: null, keys: [key], repair: false, isReadable },
  );
  const counters = report.entities[entity];
  if (counters === undefined) return 'nothing';
  return (
    LOOK_OUTCOMES.find((outcome) => outcome in counters && counters[outcome as 'same'] > 0) ?? 'unanswered'
  );
}

/** Stores words that no setting names, so that nothing but a person sends the records again. */
async function noteUnnamed(
  { state }: ReadBackContext,
  { name, readBack }: Readable,
  findings: EntityFindings,
): Promise<void> {
  for (const { record, shown, requestId } of findings.unnamed()) {
    const find = { requestId, operation: readBack.find, reason: `The platform ${stateText(shown)}.` };
    await state.readBacks.noteState(name, record, shown, find);
  }
}

/** Where parents are missing, their children show no parent; they are put right together. */
function explainedBy(entities: VerifyReport['entities'], { parent }: ConfiguredEntity) {
  const counters = parent && entities[parent.entity];
  const missing = counters && counters.missing > 0 && !isPathDoubted(counters);
  return parent && missing ? [`${parent.field}.id`] : [];
}

/** What was found of fields; no list that is empty. */
function listed(found: readonly EntityFindings[]): Partial<VerifyReport> {
  const lists = {
    notCompared: found.flatMap((findings) => findings.notCompared()),
    doubted: found.flatMap((findings) => findings.doubted()),
    leftOver: found.flatMap((findings) => findings.leftOver()),
  };
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
}

/** Nothing of these was compared, so their doubt stays. */
async function warnOfUnreadable(
  { state, emit }: ReadBackContext,
  entities: readonly ConfiguredEntity[],
): Promise<void> {
  for (const { name } of entities) {
    if ((await state.entityStates.read(name)).inDoubtSince === null) continue;
    emit({
      type: 'warning',
      code: 'state-went-back',
      message: `${name} cannot be read back, so it was not compared and stays in doubt.`,
      hint: `Send all its records again: placement-sync resync --entity ${name}.`,
    });
  }
}

function doubt(entity: EntityName, { checked }: VerifyCounters, find: string): PathDoubt {
  return {
    entity,
    message: `${entity}: the platform has none of the ${checked} records that were asked for. The path of ${find} may be wrong, so nothing of ${entity} is repaired.`,
    hint: `Look for one of them at the platform. The path is set in platform.operations.${find}. If the records are really gone, send them again: placement-sync resync --entity ${entity}`,
  };
}

interface Unequal extends ReturnType<EntityFindings['toRepair']> {
  readonly entity: Readable;
}

/** Keys in one statement. */
const BATCH_SIZE = 1_000;

/**
 * Requests that records are sent again, links kept, and sends them; if another process holds the leases, that process
 * sends. Gives how many are repaired (all that another process sends count), how the sending ended, and whether it was
 * done here.
 */
async function repairRecords(
  context: ReadBackContext,
  unequal: readonly Unequal[],
): Promise<{ readonly count: number; readonly exitCode: number; readonly sentHere: boolean }> {
  const { state, settings, emit, clock, signal } = context;
  const batches = unequal.flatMap(({ entity, keys }) =>
    batched(keys, BATCH_SIZE).map((batch) => ({ entity: entity.name, keys: batch })),
  );
  await withWork(emit, 'Requesting resends', async () => {
    for (const { entity, keys } of batches)
      await state.resendRequests.resync(entity, keys, timeoutOf(settings, entity));
  });

  // After the last Find.
  await clock.sleep(QUIET_MS, signal);
  const run = await runSync(context, { trigger: 'manual', pushOnly: true });
  if (run.outcome === 'busy') {
    emit({ type: 'warning', message: 'The process that holds the leases sends again what differs.' });
    return { count: unequal.reduce((sum, { keys }) => sum + keys.length, 0), exitCode: 0, sentHere: false };
  }
  let count = 0;
  for (const { entity, keys } of batches) count += await state.readBacks.countSettled(entity, keys);
  return { count, exitCode: run.exitCode, sentHere: true };
}

/**
 * How many records still differ after they were sent again, of those that differ only in fields which their bodies leave
 * out: a platform that merges what it gets keeps such fields.
 */
async function countStillHeld(context: ReadBackContext, repaired: readonly Unequal[]): Promise<number> {
  const { readBacks } = context.state;
  const leftOver = new Map(repaired.map(({ entity, leftOver }) => [entity.name, leftOver]));
  const entities = repaired.flatMap(({ entity, leftOver }) => (leftOver.size > 0 ? entity : []));
  const quiet = { ...context, emit: () => undefined };
  let count = 0;
  const read = async (entity: Readable, lane: FindLane): Promise<void> => {
    const { name } = entity;
    const counters = { checked: 0, same: 0, drifted: 0, missing: 0 };
    const findings = createEntityFindings(entity);
    const keys = [...(leftOver.get(name) ?? [])];
    const records = settledRecords(readBacks, name, { keys, sample: null });
    const seen = await verifyEntity(quiet, entity, lane, { records, counters, findings, keepDrifted: true });
    // A cache shows what was held before: that is no difference.
    count += counters.drifted + counters.missing + seen.unanswered - seen.cached;
    await readBacks.noteDrift(name, { different: findings.records(), equal: [] });
  };
  const due = () => Promise.resolve(0);
  await readAreas(quiet, entities, { rateLimit: context.readBackRateLimit, due, read });
  return count;
}

export interface VerifyEnd {
  readonly interrupted: boolean;
  /** Of the areas that were not read back completely. */
  readonly stops: readonly { readonly code: ErrorCode }[];
  /** Exit code of the push that sent again what differs; 0: there was none. */
  readonly ofRepair: number;
  /** Records that differ or are missing, and were not repaired. */
  readonly leftOver: number;
}

/** Of several the first: 1 interrupted or the repair failed, 5 an area stopped, 3 a difference is left. */
export function verifyExitCode({ interrupted, stops, ofRepair, leftOver }: VerifyEnd): number {
  if (interrupted || ofRepair === 1) return 1;
  if (stops.length > 0) return Math.max(...stops.map(({ code }) => ERROR_CODES[code]));
  if (ofRepair === 5) return 5;
  return leftOver > 0 ? 3 : 0;
}
