import type { Emit, ReadBackOutcome } from '../../domain/events.js';
import type { EntityName } from '../../domain/names.js';
import type { JsonValue } from '../../domain/row.js';
import { plural } from '../../domain/text.js';
import { columnOf } from '../../entities/absent.js';
import {
  compareLinks,
  type CompareOptions,
  compareReadBack,
  type Comparison,
} from '../../entities/compare-read-back.js';
import type { Entity } from '../../entities/entity.js';
import type { ReadBack } from '../../entities/read-back.js';
import type { ReadBackRecord, ReadBacks } from '../../ports/record-lists.js';
import { type FindLane, type Found, sentBody } from './find-records.js';

/**
 * Compares the records of one entity, one by one, and judges its fields by all of them.
 *
 * `verifyEntity` reads and counts; `createEntityFindings` gathers what the comparisons say of each field, because a
 * field that differs nearly everywhere says more about how the platform shows it than about the records; `verifyNotes`
 * puts that into words.
 */

const CLIENT_ID = /(^|\.)client_id$/;

/** Every record belongs to another client: then records name clients by another id than requests do. */
function isOtherClient(field: string, { compared, drifted }: FieldCounts): boolean {
  return CLIENT_ID.test(field) && drifted === compared;
}

/** After so many Finds that all got 404, reading the entity stops. */
const DOUBT_AFTER = 10_000;

interface VerifyEntityOptions {
  readonly entity: Entity;
  readonly readBack: ReadBack;
  readonly records: AsyncIterable<ReadBackRecord>;
  readonly lane: FindLane;
  readonly readBacks: Pick<ReadBacks, 'isUnchanged'>;
  readonly emit: Emit;
  readonly compare: Pick<CompareOptions, 'today' | 'timeZone'>;
  /** Of the area. */
  readonly clientId: string;
  readonly counters: VerifyCounters;
  /** Gets every record that was found and counts. */
  readonly onFound: (comparison: Comparison, key: string) => void;
  /** Gets what differs in a record; null: it is missing. */
  readonly onUnequal: (record: ReadBackRecord, comparison: Comparison | null) => void;
  readonly onUnanswered: () => void;
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
      options.onUnanswered();
      report(record, 'unanswered', [], found.message);
      return true;
    }
    const comparison = found.kind === 'missing' ? null : compareFound(options, record, found);
    const fields = comparison?.drift.map(({ field }) => field) ?? [];
    const outcome = comparison === null ? 'missing' : fields.length === 0 ? 'same' : 'drifted';
    // A record sent after it was read from the ledger differs for that reason alone.
    if (outcome !== 'same' && !(await readBacks.isUnchanged(entity.name, record))) {
      report(record, 'outdated', []);
      return true;
    }
    counters.checked += 1;
    counters[outcome] += 1;
    report(record, outcome, fields);
    if (comparison !== null) options.onFound(comparison, record.key);
    if (outcome !== 'same') options.onUnequal(record, comparison);
    return counters.missing < counters.checked || counters.checked < DOUBT_AFTER;
  };
  await lane.read(readBack, records, handle);
}

function compareFound(
  { entity, readBack, compare, clientId }: VerifyEntityOptions,
  record: ReadBackRecord,
  { data, links: { reference } }: Extract<Found, { kind: 'found' }>,
): Comparison {
  const { reference: known } = record;
  const body = sentBody(entity, record);
  const comparison = compareReadBack(readBack, body, data, { ...compare, lastDay: entity.lastDay });
  const links = compareLinks(readBack, { reference: known, clientId }, { reference, data });
  return {
    ...comparison,
    drift: [...comparison.drift, ...links.drift],
    compared: [...comparison.compared, ...links.compared],
  };
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
    unequal({ key, acknowledgedAt }: JudgedRecord, comparison: Comparison | null) {
      const { drift = [], leftOver = [] } = comparison ?? {};
      records.push({ key, acknowledgedAt, fields: comparison && drift.map(({ field }) => field), leftOver });
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
    different(named: readonly string[]): readonly JudgedRecord[] {
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
     * `leftOver`: those of them that differ only in fields which the body leaves out, so that sending helps only where
     * the platform replaces its record.
     */
    toRepair(named: readonly string[]) {
      const out = new Set(doubted().map(([field]) => field));
      const counting = (fields: readonly string[]) =>
        fields.filter((field) => !out.has(field) || named.includes(field));
      const chosen = records.filter(({ fields }) => fields === null || counting(fields).length > 0);
      const onlyLeft = chosen.filter(
        ({ fields, leftOver }) =>
          fields !== null && counting(fields).every((each) => leftOver.includes(each)),
      );
      return { keys: chosen.map(({ key }) => key), leftOver: new Set(onlyLeft.map(({ key }) => key)) };
    },
  };
}

/** What is counted of one entity: public interface. */
export interface VerifyCounters {
  checked: number;
  same: number;
  drifted: number;
  missing: number;
}

interface OfField {
  readonly entity: EntityName;
  /** Path in the body that is sent. */
  readonly field: string;
}

/** A field of which the reply did not show, of so many records, what the platform holds. */
interface NotComparedField extends OfField {
  readonly records: number;
}

/** A field that differs in so many records that the way it is compared is doubted. */
interface DoubtedField extends OfField {
  readonly compared: number;
  readonly drifted: number;
}

/** A field that the platform still holds in so many records, while the source has no value and the body leaves it out. */
interface LeftOverField extends OfField {
  readonly records: number;
  /** The column whose `absent: null` clears it. */
  readonly column: string;
}

/** What `verify --json` prints: public interface. */
export interface VerifyReport {
  readonly entities: Record<EntityName, VerifyCounters>;
  readonly drift: readonly (OfField & {
    readonly key: string;
    readonly sent: JsonValue;
    readonly held: JsonValue;
  })[];
  /** The lists below are there when they are not empty. */
  readonly notCompared?: readonly NotComparedField[];
  readonly doubted?: readonly DoubtedField[];
  readonly leftOver?: readonly LeftOverField[];
}

/** What a reader of the result should know, and what to do about it. */
export interface VerifyNote {
  readonly message: string;
  readonly hint: string;
}

/** What follows from fields that are doubted, and from what the platform holds beyond the body. */
export function verifyNotes({
  doubted = [],
  leftOver = [],
  drift,
}: Pick<VerifyReport, 'doubted' | 'leftOver' | 'drift'>): readonly VerifyNote[] {
  const firsts = leftOver.filter(
    (each, index) => leftOver.findIndex((other) => isOfOneColumn(each, other)) === index,
  );
  return [
    ...doubted.map((field) =>
      drift.some((each) => each.entity === field.entity && each.field === field.field)
        ? doubtNote(field)
        : unshownNote(field),
    ),
    ...firsts.map((first) => leftOverNote(leftOver.filter((each) => isOfOneColumn(each, first)))),
  ];
}

function isOfOneColumn(one: LeftOverField, other: LeftOverField): boolean {
  return one.entity === other.entity && one.column === other.column;
}

function doubtNote({ entity, field, compared, drifted }: DoubtedField): VerifyNote {
  return {
    message: `${entity}: ${field} differs in ${drifted} of ${compared} records. That says more about how the platform shows the field than about the records, so --repair leaves it alone.`,
    hint: sendAgain(entity, field),
  };
}

/** A difference that is not listed as drift. */
function unshownNote({ entity, field, drifted }: DoubtedField): VerifyNote {
  if (CLIENT_ID.test(field)) {
    return {
      message: `${entity}: ${field} is another UUID than our clientId in all of ${drifted} records. Records probably name clients by another id, so this does not count as drift.`,
      hint: 'Ask the operator which client owns these records if you are not sure.',
    };
  }
  return {
    message: `${entity}: the platform shows nothing in ${field} for any of ${drifted} records that were sent with it. It probably shows the field to nobody, so this does not count as drift.`,
    hint: sendAgain(entity, field),
  };
}

function sendAgain(entity: string, field: string): string {
  return `Compare one record with the platform. To send these records again all the same: placement-sync verify --entity ${entity} --repair --field ${field}`;
}

function leftOverNote(fields: readonly LeftOverField[]): VerifyNote {
  const { entity = '', column = '' } = fields[0] ?? {};
  const records = Math.max(...fields.map((each) => each.records));
  return {
    message: `${entity}: the platform still holds ${fields.map(({ field }) => field).join(' and ')} in ${records} ${plural(records, 'record', 'records')} for which your query has no value.`,
    hint: `--repair clears the field if the platform replaces the whole record. If it merges, only null clears the field. Then set entities.${entity}.absent: { ${column}: null }`,
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
