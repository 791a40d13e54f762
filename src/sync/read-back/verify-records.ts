import type { OperationName } from '../../contract/operation.js';
import type { AreaStop } from '../../domain/area-condition.js';
import { ERROR_CODES, type ErrorCode } from '../../domain/errors.js';
import type { Emit } from '../../domain/events.js';
import { type Area, AREAS, type EntityName } from '../../domain/names.js';
import { batched } from '../../domain/group-by.js';
import { isTakenDown, type ShownState, stateText } from '../../domain/reply/reply.js';
import type { ReadBackRecord } from '../../state/ledger/read-backs.js';
import { QUIET_MS, settleAll } from '../../runtime/time.js';
import { checkEnvironment } from '../environment.js';
import { withWork } from '../lease.js';
import { type ConfiguredEntity, type RunContext, timeoutOf } from '../run-context.js';
import { runSync } from '../run/run.js';
import {
  allRecords,
  beginSettlement,
  comparing,
  createFindLane,
  createLookKeeper,
  type DoubtSettlement,
  namedRecords,
  sampledRecords,
} from './find-records.js';
import { createEntityFindings, type EntityFindings, isPathDoubted, verifyEntity } from './verify-entity.js';
import {
  countCached,
  countStates,
  type StateOfRecords,
  type VerifyCounters,
  type VerifyNote,
  verifyNotes,
  type VerifyReport,
} from './verify-report.js';

/**
 * `verify`: reads settled records back, area by area, and compares them with what was sent.
 *
 * Each entity's records go through a lane of Finds (find-records.ts) and are compared (verify-entity.ts), whose
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
export async function verifyRecords(context: RunContext, options: VerifyOptions): Promise<VerifyResult> {
  const { state, settings, entities, emit, signal, readBackRateLimit } = context;
  await checkEnvironment(context);
  const readable = entities.filter(({ name, readBack }) => readBack !== null && options.isReadable(name));
  const report = {
    entities: Object.fromEntries(
      readable.map(({ name }) => [name, { checked: 0, same: 0, drifted: 0, missing: 0 }]),
    ) as Record<EntityName, VerifyCounters>,
    drift: [] as VerifyReport['drift'][number][],
  };
  const found: EntityFindings[] = [];
  const pathDoubts: PathDoubt[] = [];
  const cachedNotes: VerifyNote[] = [];
  const of: Record<EntityName, number> = {};
  const undecided: Record<EntityName, number> = {};
  const states: StateOfRecords[] = [];
  for (const { name } of readable) {
    of[name] = options.keys?.length ?? (await state.readBacks.count(name, 'settled'));
    undecided[name] = await state.readBacks.count(name, 'not-live');
  }
  const unequal: Unequal[] = [];
  const settlements: DoubtSettlement[] = [];
  const verifyArea = async (area: Area): Promise<AreaStop | null> => {
    const areaSettings = settings.areas[area];
    const ofArea = readable.filter((entity) => entity.area === area);
    if (!areaSettings || ofArea.length === 0) return null;
    emit({ type: 'read-back-started', area, due: dueIn(of, undecided, ofArea, options.sample) });
    const lane = createFindLane(context, area, readBackRateLimit(area), areaSettings.concurrency);
    for (const entity of ofArea) {
      const { name, readBack } = entity;
      const counters = report.entities[name];
      if (readBack === null || counters === undefined) continue;
      const chosenKeys = options.keys ?? null;
      let whole = options.sample === null && chosenKeys === null && options.repair;
      const settlement = whole ? await beginSettlement(context, name) : null;
      const findings = createEntityFindings(entity, explainedBy(report, entity), settlement !== null);
      found.push(findings);
      const counted = countStates(name);
      const cached = countCached(name);
      const unnamed: NamedState[] = [];
      const before = new Set(await state.readBacks.drifted(name));
      const equal: string[] = [];
      const looked = createLookKeeper(state.readBacks, name);
      await verifyEntity({
        entity,
        readBack,
        records:
          chosenKeys !== null
            ? namedRecords(state.readBacks, name, chosenKeys)
            : options.sample === null
              ? allRecords(state.readBacks, name, 'settled')
              : sampledRecords(state.readBacks, name, options.sample),
        lane,
        readBacks: state.readBacks,
        emit,
        compare: comparing(context),
        clientId: areaSettings.clientId,
        counters,
        onState(record, shown, { requestId }) {
          counted.add(record, shown);
          if (shown.state === 'other' && requestId !== null) unnamed.push({ record, shown, requestId });
        },
        onFound(comparison, key) {
          findings.found(comparison);
          if (comparison.drift.length === 0 && before.has(key)) equal.push(key);
        },
        onUnequal: (record, comparison, shown) => {
          const { key } = record;
          findings.unequal(record, comparison, shown);
          const room = MOST_LISTED - report.drift.length;
          const drift = comparison?.drift.slice(0, room) ?? [];
          report.drift.push(...drift.map((each) => ({ entity: name, key, ...each })));
        },
        onUnanswered: (unanswered) => {
          cached.add(unanswered);
          whole = false;
        },
        // Of one record alone nobody can say whether the platform shows a field otherwise to everybody.
        onLooked: (record, outcome) =>
          chosenKeys !== null && outcome === 'drifted' ? Promise.resolve() : looked.note(record),
      });
      await looked.flush();
      cachedNotes.push(...cached.notes());
      const named = options.fields ?? [];
      const unshown = findings.unshown(named);
      const excused = findings.excused(named);
      Object.assign(counters, {
        same: counters.same + excused.length,
        drifted: counters.drifted - excused.length,
      });
      equal.push(...excused.map(({ key }) => key).filter((key) => before.has(key)));
      // Also of a doubted path: whatever the reason, the platform did not show these records.
      const different = findings
        .different(named)
        .filter(({ fields }) => chosenKeys === null || options.repair || fields === null);
      await state.readBacks.noteDrift(name, { different, equal });
      if (unshown.size > 0)
        report.drift = report.drift.filter((each) => each.entity !== name || !unshown.has(each.field));
      // A status that differs nearly everywhere is shown otherwise than it is sent.
      const isStated = findings.doubted().every(({ field }) => field !== entity.statusField);
      if (isStated) await noteUnnamed(context, name, readBack.find, unnamed);
      states.push(...counted.list().filter(({ state: shown }) => isStated || shown !== 'other'));
      // One that is missing says nothing about a path.
      const pathDoubted = chosenKeys === null && isPathDoubted(counters);
      const { keys, leftOver } = findings.toRepair(named);
      if (pathDoubted) {
        const doubted = doubt(name, counters, readBack.find);
        pathDoubts.push(doubted);
        emit({ type: 'warning', message: doubted.message, hint: doubted.hint });
      } else if (keys.length > 0) unequal.push({ entity: name, keys, leftOver });
      // A field that is not repaired stays in doubt.
      whole &&= !pathDoubted && findings.doubted().length === 0 && lane.stop() === null && !signal.aborted;
      if (settlement && whole) settlements.push(settlement);
    }
    emit({ type: 'read-back-finished', area });
    return lane.end();
  };
  const stops = (await settleAll(AREAS.map(verifyArea))).filter((stop) => stop !== null);
  if (report.drift.length === MOST_LISTED)
    emit({ type: 'warning', message: `Only the first ${MOST_LISTED} differences are listed.` });

  const wrong = Object.values(report.entities).reduce(
    (sum, { drifted, missing }) => sum + drifted + missing,
    states.reduce((sum, { state: shown, records }) => sum + (isTakenDown(shown) ? records : 0), 0),
  );
  const repair = options.repair && unequal.length > 0 && !signal.aborted;
  const repaired = repair
    ? await repairRecords(context, unequal)
    : { count: 0, exitCode: 0, sentHere: false };
  const stillHeld = repaired.sentHere ? await countStillHeld(context, unequal) : 0;
  if (!signal.aborted) for (const settlement of settlements) await settlement.finish();
  if (options.repair && options.sample === null && options.keys === undefined)
    await warnOfUnreadable(
      context,
      entities.filter((entity) => !readable.includes(entity)),
    );
  const exitCode = verifyExitCode({
    interrupted: signal.aborted,
    stops,
    ofRepair: repaired.exitCode,
    leftOver: wrong - repaired.count + stillHeld,
  });
  const whole = { ...report, ...listed(found), ...(states.length > 0 ? { states } : {}) };
  return { report: whole, exitCode, stops, of, pathDoubts, notes: [...cachedNotes, ...verifyNotes(whole)] };
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
  context: RunContext,
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

interface NamedState {
  readonly record: ReadBackRecord;
  readonly shown: ShownState;
  readonly requestId: string;
}

/** Stores a word that no setting names, so that nothing but a person sends the record again. */
async function noteUnnamed(
  { state }: RunContext,
  entity: EntityName,
  operation: OperationName,
  found: readonly NamedState[],
): Promise<void> {
  for (const { record, shown, requestId } of found)
    await state.readBacks.noteState(entity, record, shown, {
      requestId,
      operation,
      reason: `The platform ${stateText(shown)}.`,
    });
}

/** Where parents are missing, their children show no parent; they are put right together. */
function explainedBy({ entities }: Pick<VerifyReport, 'entities'>, { parent }: ConfiguredEntity) {
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
  { state, emit }: RunContext,
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

/** A sample is of those whose state is not open. */
function dueIn(
  of: VerifyResult['of'],
  undecided: VerifyResult['of'],
  entities: readonly ConfiguredEntity[],
  sample: number | null,
): number {
  return entities.reduce((sum, { name }) => {
    const [all = 0, always = 0] = [of[name], undecided[name]];
    return sum + (sample === null ? all : Math.min(all, always + sample));
  }, 0);
}

function doubt(entity: EntityName, { checked }: VerifyCounters, find: string): PathDoubt {
  return {
    entity,
    message: `${entity}: the platform has none of the ${checked} records that were asked for. The path of ${find} may be wrong, so nothing of ${entity} is repaired.`,
    hint: `Look for one of them at the platform. The path is set in platform.operations.${find}. If the records are really gone, send them again: placement-sync resync --entity ${entity}`,
  };
}

interface Unequal extends ReturnType<EntityFindings['toRepair']> {
  readonly entity: EntityName;
}

/** Keys in one statement. */
const BATCH_SIZE = 1_000;

/**
 * Requests that records are sent again, links kept, and sends them; if another process holds the leases, that process
 * sends. Gives how many are repaired (all that another process sends count), how the sending ended, and whether it was
 * done here.
 */
async function repairRecords(
  context: RunContext,
  unequal: readonly Unequal[],
): Promise<{ readonly count: number; readonly exitCode: number; readonly sentHere: boolean }> {
  const { state, settings, emit, clock, signal } = context;
  const batches = unequal.flatMap(({ entity, keys }) =>
    batched(keys, BATCH_SIZE).map((batch) => ({ entity, keys: batch })),
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
async function countStillHeld(context: RunContext, repaired: readonly Unequal[]): Promise<number> {
  const { state, settings, entities, readBackRateLimit } = context;
  let count = 0;
  for (const area of AREAS) {
    const areaSettings = settings.areas[area];
    const ofArea = repaired.flatMap(({ entity: name, leftOver }) => {
      const entity = entities.find((each) => each.name === name);
      return entity?.area === area && entity.readBack !== null && leftOver.size > 0
        ? [{ entity, readBack: entity.readBack, leftOver }]
        : [];
    });
    if (areaSettings === undefined || ofArea.length === 0) continue;
    const quiet = { ...context, emit: () => undefined };
    const lane = createFindLane(quiet, area, readBackRateLimit(area), areaSettings.concurrency);
    for (const { entity, readBack, leftOver } of ofArea) {
      const different: ReadBackRecord[] = [];
      await verifyEntity({
        entity,
        readBack,
        records: chosen(context, entity.name, leftOver),
        lane,
        readBacks: state.readBacks,
        emit: quiet.emit,
        compare: comparing(context),
        clientId: areaSettings.clientId,
        counters: { checked: 0, same: 0, drifted: 0, missing: 0 },
        onState: () => undefined,
        onFound: () => undefined,
        onUnequal: (record) => {
          count += 1;
          different.push(record);
        },
        // A cache shows what was held before: that is no difference.
        onUnanswered: ({ cache }) => (count += cache === undefined ? 1 : 0),
        onLooked: () => Promise.resolve(),
      });
      await state.readBacks.noteDrift(entity.name, { different, equal: [] });
    }
  }
  return count;
}

async function* chosen(
  { state }: RunContext,
  entity: EntityName,
  keys: ReadonlySet<string>,
): AsyncGenerator<ReadBackRecord> {
  for await (const record of allRecords(state.readBacks, entity, 'settled'))
    if (keys.has(record.key)) yield record;
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
