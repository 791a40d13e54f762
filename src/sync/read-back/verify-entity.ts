import type { Emit, ReadBackOutcome } from '../../domain/events.js';
import { isTakenDown, type ShownState, stateText } from '../../domain/reply/reply.js';
import { columnOf } from '../../entities/absent.js';
import {
  compareLinks,
  type CompareOptions,
  compareReadBack,
  type Comparison,
} from '../../entities/compare-read-back.js';
import type { Entity } from '../../entities/entity.js';
import { shownState } from '../../entities/platform-state.js';
import { type ReadBack, REGION_DELETED } from '../../entities/read-back.js';
import type { ReadBackRecord, ReadBacks } from '../../state/ledger/read-backs.js';
import type { Found } from '../found.js';
import type { ConfiguredEntity } from '../run-context.js';
import { type FindLane, sentBody } from './find-records.js';
import {
  CLIENT_ID,
  type DoubtedField,
  type LeftOverField,
  type NotComparedField,
  type VerifyCounters,
} from './verify-report.js';

/**
 * Compares the records of one entity, one by one, and judges its fields by all of them.
 *
 * `verifyEntity` reads and counts; `createEntityFindings` gathers what the comparisons say of each field, because a
 * field that differs nearly everywhere says more about how the platform shows it than about the records; `verifyNotes`
 * puts that into words.
 */

/** Every record belongs to another client: then records name clients by another id than requests do. */
function isOtherClient(field: string, { compared, drifted }: FieldCounts): boolean {
  return CLIENT_ID.test(field) && drifted === compared;
}

/** After so many Finds that all got 404, reading the entity stops. */
const DOUBT_AFTER = 10_000;

interface VerifyEntityOptions {
  readonly entity: Entity & Pick<ConfiguredEntity, 'closedStatus'>;
  readonly readBack: ReadBack;
  readonly records: AsyncIterable<ReadBackRecord>;
  readonly lane: FindLane;
  readonly readBacks: Pick<ReadBacks, 'isUnchanged' | 'noteState'>;
  readonly emit: Emit;
  readonly compare: Pick<CompareOptions, 'today' | 'timeZone'>;
  /** Of the area. */
  readonly clientId: string;
  readonly counters: VerifyCounters;
  /** Gets every record that was found and counts. */
  readonly onFound: (comparison: Comparison, key: string) => void;
  /** Gets what differs in a record; null: it is missing. `shown`: its state; null: none. */
  readonly onUnequal: (
    record: ReadBackRecord,
    comparison: Comparison | null,
    shown: ShownState | null,
  ) => void;
  /** Gets every state that is not live. */
  readonly onState: (record: ReadBackRecord, shown: ShownState, find: StateFind) => void;
  readonly onUnanswered: (found: Extract<Found, { kind: 'unanswered' }>) => void;
  /** Gets every record that was judged. */
  readonly onLooked: (record: ReadBackRecord, outcome: ReadBackOutcome) => Promise<void>;
}

/** Reads the records of one entity back and compares them. `counters` are right at all times. */
export async function verifyEntity(options: VerifyEntityOptions): Promise<void> {
  const { entity, readBack, records, lane, readBacks, emit, counters } = options;
  const report = (
    { key }: ReadBackRecord,
    outcome: ReadBackOutcome,
    fields: readonly string[],
    message: string | null = null,
  ) =>
    emit({ type: 'record-read-back', area: entity.area, entity: entity.name, key, outcome, fields, message });

  const handle = async (record: ReadBackRecord, found: Found): Promise<boolean> => {
    if (found.kind === 'unanswered') {
      options.onUnanswered(found);
      report(record, 'unanswered', [], found.message);
      return true;
    }
    const read = found.kind === 'missing' ? null : compareFound(options, record, found);
    const comparison = read?.comparison ?? null;
    const fields = comparison?.drift.map(({ field }) => field) ?? [];
    const shown =
      read?.shown ?? (comparison !== null && fields.length === 0 ? null : keptState(record, read !== null));
    const outcome =
      shown !== null && isUndecided(shown)
        ? 'not-live'
        : comparison === null
          ? 'missing'
          : fields.length === 0
            ? 'same'
            : 'drifted';
    // A record sent after it was read from the ledger differs for that reason alone.
    if (outcome !== 'same' && !(await readBacks.isUnchanged(entity.name, record))) {
      report(record, 'outdated', []);
      return true;
    }
    if (found.kind === 'found') await noteState(options, record, shown, found.requestId);
    counters.checked += 1;
    await options.onLooked(record, outcome);
    if (outcome !== 'not-live') counters[outcome] += 1;
    else counters.notLive = (counters.notLive ?? 0) + 1;
    report(
      record,
      outcome,
      fields,
      shown && shown.state !== 'live' ? `the platform ${stateText(shown)}` : null,
    );
    if (shown !== null && shown.state !== 'live')
      options.onState(record, shown, { requestId: found.kind === 'found' ? found.requestId : null });
    if (outcome === 'not-live') return true;
    if (comparison !== null) options.onFound(comparison, record.key);
    if (outcome !== 'same') options.onUnequal(record, comparison, shown);
    return counters.missing < counters.checked || counters.checked < DOUBT_AFTER;
  };
  await lane.read(readBack, records, handle);
}

/** The Find that showed a state; null: it was not found, and keeps the one that it had. */
interface StateFind {
  readonly requestId: string | null;
}

/** Whether nothing else of the record is judged: the platform has to decide, or it did and a person has to. */
function isUndecided({ state }: ShownState): boolean {
  return state === 'pending' || isTakenDown(state);
}

/**
 * What a record still counts as of which the platform shows nothing, or not what was accepted: one that was accepted lately
 * may follow, and one that was taken down may be gone. `found`: the platform has it.
 */
function keptState(
  { platformState: state, platformWord: word, mayFollow }: ReadBackRecord,
  found: boolean,
): ShownState | null {
  return state !== null && (mayFollow || (!found && isTakenDown(state))) ? { state, word } : null;
}

/** Stores the state at once, except a word that nobody has named: the field may be shown otherwise than it was sent. */
async function noteState(
  { entity, readBack, readBacks }: VerifyEntityOptions,
  record: ReadBackRecord,
  shown: ShownState | null,
  requestId: string,
): Promise<void> {
  if (shown?.state === 'other') return;
  if (record.platformState === (shown?.state ?? null) && record.platformWord === (shown?.word ?? null))
    return;
  await readBacks.noteState(entity.name, record, shown, {
    requestId,
    operation: readBack.find,
    reason: shown && `The platform ${stateText(shown)}.`,
  });
}

function compareFound(
  { entity, readBack, compare, clientId }: VerifyEntityOptions,
  record: ReadBackRecord,
  { data, links: { reference }, state }: Extract<Found, { kind: 'found' }>,
): ReturnType<typeof shownState> {
  const { reference: known } = record;
  const body = sentBody(entity, record);
  const comparison = compareReadBack(readBack, body, data, { ...compare, lastDay: entity.lastDay });
  const links = compareLinks(readBack, { reference: known, clientId }, { reference, data });
  const whole = {
    ...comparison,
    drift: [...comparison.drift, ...links.drift],
    compared: [...comparison.compared, ...links.compared],
  };
  const { statusField, closedStatus } = entity;
  return shownState({ statusField, closedStatus }, body, whole, state);
}

/** Every Find got 404: the path is probably wrong, not the platform empty. */
export function isPathDoubted({ checked, missing }: VerifyCounters): boolean {
  return checked > 0 && missing === checked;
}

/** What the read-backs of one entity found together. */
export type EntityFindings = ReturnType<typeof createEntityFindings>;

/** A record as it was read from the ledger. */
type JudgedRecord = Pick<ReadBackRecord, 'key' | 'acknowledgedAt'>;

interface Unequal extends JudgedRecord {
  /** Null: the record is missing. */
  readonly fields: readonly string[] | null;
  readonly leftOver: readonly string[];
  /** The platform shows a state that nobody has named: a person decides. */
  readonly undecided: boolean;
}

function isExcused({ fields }: Unequal, unshown: ReadonlySet<string>): boolean {
  return fields?.every((field) => unshown.has(field)) === true;
}

/**
 * @param explained fields whose differences have a known cause, so they are not doubted
 * @param wentBack the ledger went back in time
 */
export function createEntityFindings(
  entity: Pick<Entity, 'name' | 'columns'>,
  explained: readonly string[],
  wentBack: boolean,
) {
  const fields = countFields();
  const records: Unequal[] = [];
  const fieldsWhere = (isMeant: (counted: typeof NONE) => boolean) =>
    [...fields.counts].filter(([, counted]) => isMeant(counted));
  const doubted = () =>
    fieldsWhere((counted) => isDoubted(counted, wentBack)).filter(([field]) => !explained.includes(field));
  /** Fields that the platform shows to nobody, or otherwise than we know them, without those that are named. */
  const unshown = (named: readonly string[]): ReadonlySet<string> =>
    new Set(
      doubted().flatMap(([field, counted]) =>
        (isUnshown(counted) || isOtherClient(field, counted)) && !named.includes(field) ? [field] : [],
      ),
    );
  return {
    found: fields.add,
    /** A record that differs; null: it is missing. */
    unequal(
      { key, acknowledgedAt }: JudgedRecord,
      comparison: Comparison | null,
      shown: ShownState | null = null,
    ) {
      const { drift = [], leftOver = [] } = comparison ?? {};
      const fields = comparison && drift.map(({ field }) => field);
      records.push({ key, acknowledgedAt, fields, leftOver, undecided: shown?.state === 'other' });
    },
    doubted: (): readonly DoubtedField[] =>
      doubted().map(([field, { compared, drifted }]) => ({
        entity: entity.name,
        field,
        compared,
        drifted,
      })),
    unshown,
    /** Records that differ in such fields only: they are not drift. */
    excused(named: readonly string[]): readonly JudgedRecord[] {
      const out = unshown(named);
      return records.filter((record) => isExcused(record, out));
    },
    /** Records that are drift: they are missing, or differ in another field. */
    different(named: readonly string[]): readonly Unequal[] {
      const out = unshown(named);
      return records.filter((record) => !isExcused(record, out));
    },
    notCompared: (): readonly NotComparedField[] =>
      fieldsWhere(({ unknown }) => unknown > 0).map(([field, { unknown }]) => ({
        entity: entity.name,
        field,
        records: unknown,
      })),
    leftOver: (): readonly LeftOverField[] =>
      fieldsWhere(({ leftOver }) => leftOver > 0).map(([field, { leftOver }]) => ({
        entity: entity.name,
        field,
        records: leftOver,
        column: columnOf(entity, field) ?? field,
      })),
    /**
     * What is to be sent again: records that are missing, or differ in a field that is not doubted or that is named.
     * Never one whose state a person has to look at. `leftOver`: those of them that differ only in fields which the body leaves out, so that sending helps only where
     * the platform replaces its record.
     */
    toRepair(named: readonly string[]) {
      const out = new Set(doubted().map(([field]) => field));
      const counting = (fields: readonly string[]) =>
        fields.filter((field) => (!out.has(field) || named.includes(field)) && field !== REGION_DELETED);
      const chosen = records.filter(
        ({ fields, undecided }) => !undecided && (fields === null || counting(fields).length > 0),
      );
      const onlyLeft = chosen.filter(
        ({ fields, leftOver }) =>
          fields !== null && counting(fields).every((each) => leftOver.includes(each)),
      );
      return { keys: chosen.map(({ key }) => key), leftOver: new Set(onlyLeft.map(({ key }) => key)) };
    },
  };
}

const NONE = { compared: 0, drifted: 0, empty: 0, silent: 0, unknown: 0, leftOver: 0 };

/** Counts what the comparisons of one entity's records say about its fields. */
export function countFields() {
  /** By path in the body that is sent. */
  const counts = new Map<string, typeof NONE>();
  const count = (fields: readonly string[], what: keyof typeof NONE) => {
    for (const field of fields) {
      const before = counts.get(field) ?? NONE;
      counts.set(field, { ...before, [what]: before[what] + 1 });
    }
  };
  return {
    counts,
    add({ compared, notCompared, empty, drift, leftOver }: Comparison) {
      count(compared, 'compared');
      count(notCompared, 'unknown');
      count(empty, 'silent');
      count(leftOver, 'leftOver');
      count(
        drift.map(({ field }) => field),
        'drifted',
      );
      count(
        drift.filter(({ held }) => held === null || held === '').map(({ field }) => field),
        'empty',
      );
    },
  };
}

/** How one field compared in the records that were read back. */
interface FieldCounts {
  readonly compared: number;
  readonly drifted: number;
  /** Drifted ones of which the platform shows nothing in the field. */
  readonly empty: number;
  /** Compared ones with nothing on either side: they say nothing about how the platform shows the field. */
  readonly silent: number;
}

/** From so many records on, most of them are a pattern. */
const ENOUGH = 3;

/**
 * Whether a difference says more about how the platform shows a field than about its records: it shows nothing in it
 * for any of several, or most of them differ in it. Sending them again would change nothing.
 *
 * @param wentBack the ledger went back in time, so that many records may differ in the same field
 */
export function isDoubted(counts: FieldCounts, wentBack = false): boolean {
  const { compared, drifted } = counts;
  return isUnshown(counts) || (!wentBack && compared >= ENOUGH && drifted * 2 > compared);
}

/**
 * Whether the platform shows nothing in a field for any of several records that have a value: then it shows the field
 * to nobody, and a record that differs only there does not count as different.
 */
export function isUnshown({ compared, empty, silent }: FieldCounts): boolean {
  return empty > 1 && empty === compared - silent;
}
