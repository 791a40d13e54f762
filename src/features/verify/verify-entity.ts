import { isTakenDown, type ShownState, stateText } from '../../core/domain/reply/reply.js';
import { compareLinks, type Comparison } from './compare-read-back.js';
import type { Entity } from '../../core/entities/entity.js';
import { shownState } from './platform-state.js';
import { REGION_DELETED } from '../../core/entities/read-back.js';
import type { ReadBackRecord, ReadBackContext } from './read-backs.js';
import { type FindLane, type Look, lookAtRecords, type Readable } from './read-records.js';
import {
  CLIENT_ID,
  countStates,
  type DoubtedField,
  type LeftOverField,
  type NotComparedField,
  type VerifyCounters,
  type VerifyReport,
} from './verify-report.js';

/**
 * What `verify` makes of the records of one entity.
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
  readonly records: AsyncIterable<ReadBackRecord>;
  /** Right at all times. */
  readonly counters: VerifyCounters;
  readonly findings: EntityFindings;
  /** Of one record alone nobody can say whether the platform shows a field otherwise to everybody. */
  readonly keepDrifted: boolean;
}

/** Reads the records of one entity back and judges them; keeps when it did, and the states that the platform shows. */
export async function verifyEntity(
  context: ReadBackContext,
  entity: Readable,
  lane: FindLane,
  { records, counters, findings, keepDrifted }: VerifyEntityOptions,
) {
  const { readBacks } = context.state;
  const clientId = context.settings.areas[entity.area]?.clientId ?? '';
  return lookAtRecords(context, entity, lane, records, async (record, look, report) => {
    const read = look.kind === 'found' ? stateOf(entity, clientId, record, look) : null;
    const comparison = read?.comparison ?? null;
    const fields = comparison?.drift.map(({ field }) => field) ?? [];
    const kept = comparison !== null && fields.length === 0 ? null : keptState(record, comparison !== null);
    const shown = read?.shown ?? kept;
    const differs = comparison === null ? 'missing' : fields.length === 0 ? 'same' : 'drifted';
    const outcome = shown !== null && isUndecided(shown) ? 'not-live' : differs;
    // A record sent after it was read from the ledger differs for that reason alone.
    if (outcome !== 'same' && !(await readBacks.isUnchanged(entity.name, record))) {
      report(record, 'outdated');
      return true;
    }
    if (look.kind === 'found') await noteState(context, entity, record, shown, look.requestId);
    counters.checked += 1;
    if (outcome !== 'not-live') counters[outcome] += 1;
    else counters.notLive = (counters.notLive ?? 0) + 1;
    if (keepDrifted || outcome !== 'drifted') await readBacks.noteLooked(entity.name, record);
    const stated = shown !== null && shown.state !== 'live' ? shown : null;
    report(record, outcome, fields, stated && `the platform ${stateText(stated)}`);
    if (stated) findings.stated(record, stated, look.kind === 'found' ? look.requestId : null);
    if (outcome === 'not-live') return true;
    if (comparison !== null) findings.found(record, comparison);
    if (outcome !== 'same') findings.unequal(record, comparison, shown);
    return counters.missing < counters.checked || counters.checked < DOUBT_AFTER;
  });
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
  { state }: ReadBackContext,
  { name, readBack }: Readable,
  record: ReadBackRecord,
  shown: ShownState | null,
  requestId: string,
): Promise<void> {
  if (shown?.state === 'other') return;
  if (record.platformState === (shown?.state ?? null) && record.platformWord === (shown?.word ?? null))
    return;
  await state.readBacks.noteState(name, record, shown, {
    requestId,
    operation: readBack.find,
    reason: shown && `The platform ${stateText(shown)}.`,
  });
}

function stateOf(
  entity: Readable,
  clientId: string,
  record: ReadBackRecord,
  { data, links: { reference }, state, body, comparison }: Extract<Look, { kind: 'found' }>,
): ReturnType<typeof shownState> {
  const links = compareLinks(entity.readBack, { reference: record.reference, clientId }, { reference, data });
  const whole = {
    ...comparison,
    drift: [...comparison.drift, ...links.drift],
    compared: [...comparison.compared, ...links.compared],
  };
  return shownState(entity, body, whole, state);
}

/** Every Find got 404: the path is probably wrong, not the platform empty. */
export function isPathDoubted({ checked, missing }: VerifyCounters): boolean {
  return checked > 0 && missing === checked;
}

/** What the read-backs of one entity found together. */
export type EntityFindings = ReturnType<typeof createEntityFindings>;

/** A record as it was read from the ledger. */
type JudgedRecord = Pick<ReadBackRecord, 'key' | 'acknowledgedAt'>;

/** A record that the platform shows in a state that nobody has named. */
interface NamedState {
  readonly record: ReadBackRecord;
  readonly shown: ShownState;
  readonly requestId: string;
}

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

interface FindingsOptions {
  /** Fields whose differences have a known cause, so they are not doubted. */
  readonly explained?: readonly string[];
  /** The ledger went back in time. */
  readonly wentBack?: boolean;
  /** Keys of records that were found to differ before. */
  readonly driftedBefore?: ReadonlySet<string>;
  /** Fields that count also where they are doubted. */
  readonly named?: readonly string[];
  /** How many differences may still be listed; absent: none. */
  readonly room?: () => number;
}

export function createEntityFindings(
  entity: Pick<Entity, 'name' | 'columns'>,
  { explained = [], wentBack = false, driftedBefore = new Set(), named = [], room }: FindingsOptions = {},
) {
  const fields = countFields();
  const states = countStates(entity.name);
  const unnamed: NamedState[] = [];
  const equal: string[] = [];
  const records: Unequal[] = [];
  const listed: VerifyReport['drift'][number][] = [];
  const fieldsWhere = (isMeant: (counted: typeof NONE) => boolean) =>
    [...fields.counts].filter(([, counted]) => isMeant(counted));
  const doubted = () =>
    fieldsWhere((counted) => isDoubted(counted, wentBack)).filter(([field]) => !explained.includes(field));
  /** Fields that the platform shows to nobody, or otherwise than we know them, without those that are named. */
  const unshown = (): ReadonlySet<string> =>
    new Set(
      doubted().flatMap(([field, counted]) =>
        (isUnshown(counted) || isOtherClient(field, counted)) && !named.includes(field) ? [field] : [],
      ),
    );
  return {
    found({ key }: JudgedRecord, comparison: Comparison) {
      fields.add(comparison);
      if (comparison.drift.length === 0 && driftedBefore.has(key)) equal.push(key);
    },
    /** A record that the platform shows as not live; `requestId`: of the Find that showed it, null: none did. */
    stated(record: ReadBackRecord, shown: ShownState, requestId: string | null) {
      states.add(record, shown);
      if (shown.state === 'other' && requestId !== null) unnamed.push({ record, shown, requestId });
    },
    states: () => states.list(),
    unnamed: (): readonly NamedState[] => unnamed,
    /** A record that differs; null: it is missing. */
    unequal(
      { key, acknowledgedAt }: JudgedRecord,
      comparison: Comparison | null,
      shown: ShownState | null = null,
    ) {
      const { drift = [], leftOver = [] } = comparison ?? {};
      const fields = comparison && drift.map(({ field }) => field);
      records.push({ key, acknowledgedAt, fields, leftOver, undecided: shown?.state === 'other' });
      const left = Math.max((room?.() ?? 0) - listed.length, 0);
      listed.push(...drift.slice(0, left).map((each) => ({ entity: entity.name, key, ...each })));
    },
    doubted: (): readonly DoubtedField[] =>
      doubted().map(([field, { compared, drifted }]) => ({
        entity: entity.name,
        field,
        compared,
        drifted,
      })),
    records: (): readonly JudgedRecord[] => records,
    /** Differences, without those in fields that are not shown. */
    drift(): VerifyReport['drift'] {
      const out = unshown();
      return listed.filter(({ field }) => !out.has(field));
    },
    /** Records that are drift, those that differ in fields that are not shown only, and those that differ no longer. */
    judged() {
      const out = unshown();
      const excused = records.filter((record) => isExcused(record, out));
      return {
        different: records.filter((record) => !isExcused(record, out)),
        excused: excused.length,
        equal: [...equal, ...excused.map(({ key }) => key).filter((key) => driftedBefore.has(key))],
      };
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
     * Never one whose state a person has to look at. `leftOver`: those of them that differ only in fields which the body
     * leaves out, so that sending helps only where the platform replaces its record.
     */
    toRepair() {
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

/** The column that decides whether the body has this field, or the object around it; null: no column fills it. */
function columnOf({ columns }: Pick<Entity, 'columns'>, field: string): string | null {
  const [top = ''] = field.split('.');
  const whole = columns.find((each) => each.whole === true && each.field?.split('.')[0] === top);
  return (whole ?? columns.find(({ name, field: filled = name }) => filled === field))?.name ?? null;
}
