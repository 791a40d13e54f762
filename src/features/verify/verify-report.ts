import type { EntityName } from '../../core/domain/names.js';
import {
  CACHE_HINT,
  cachedFind,
  PLATFORM_STATES,
  type ShownState,
  stateText,
} from '../../core/domain/reply/reply.js';
import type { JsonValue } from '../../core/domain/row.js';
import { grouped, plural } from '../../core/domain/text.js';
import { REGION_DELETED } from '../../core/entities/read-back.js';
import type { ReadBackRecord } from './read-backs.js';

/**
 * What `verify` reports: counts, lists of fields and states, and what a reader should know about them in words
 * (`verifyNotes`).
 */

/** The field with the client that a record belongs to. */
export const CLIENT_ID = /(^|\.)client_id$/;

/** What is counted of one entity: public interface. */
export interface VerifyCounters {
  checked: number;
  same: number;
  drifted: number;
  missing: number;
  /** Not compared: the platform still has to decide, or has refused or removed them. Absent: none. */
  notLive?: number;
}

/** Records of which the platform showed the same state. */
export interface StateOfRecords extends ShownState {
  readonly entity: EntityName;
  readonly records: number;
  readonly sampleKeys: readonly string[];
}

interface OfField {
  readonly entity: EntityName;
  /** Path in the body that is sent. */
  readonly field: string;
}

/** A field of which the reply did not show, of so many records, what the platform holds. */
export interface NotComparedField extends OfField {
  readonly records: number;
}

/** A field that differs in so many records that the way it is compared is doubted. */
export interface DoubtedField extends OfField {
  readonly compared: number;
  readonly drifted: number;
}

/** A field that the platform still holds in so many records, while the source has no value and the body leaves it out. */
export interface LeftOverField extends OfField {
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
  readonly states?: readonly StateOfRecords[];
}

/** What a reader of the result should know, and what to do about it. */
export interface VerifyNote {
  readonly message: string;
  readonly hint: string;
}

/** Counts Finds of one entity that a cache answered: their records were not compared. */
export function countCached(entity: EntityName) {
  let [records, by] = [0, ''];
  return {
    add({ cache = '' }: { readonly cache?: string }): void {
      if (cache !== '' && records++ === 0) by = cache;
    },
    records: () => records,
    notes(): readonly VerifyNote[] {
      if (records === 0) return [];
      const what = plural(records, 'one record was', `${grouped(records)} records were`);
      return [{ message: `${entity}: ${what} not compared: ${cachedFind(by)}.`, hint: CACHE_HINT }];
    },
  };
}

/** What follows from fields that are doubted, and from what the platform holds beyond the body. */
export function verifyNotes({
  doubted = [],
  leftOver = [],
  states = [],
  drift,
}: Pick<VerifyReport, 'doubted' | 'leftOver' | 'states' | 'drift'>): readonly VerifyNote[] {
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
    ...[...new Set(drift.filter(isDeletedRegion).map(({ entity }) => entity))].map((entity) =>
      regionNote(
        entity,
        drift.filter((each) => each.entity === entity && isDeletedRegion(each)),
      ),
    ),
    ...states.flatMap((each) => (each.state === 'pending' ? [] : [stateNote(each)])),
  ];
}

function isDeletedRegion({ field }: VerifyReport['drift'][number]): boolean {
  return field === REGION_DELETED;
}

function regionNote(entity: EntityName, found: VerifyReport['drift']): VerifyNote {
  const keys = found.slice(0, NAMED).map(({ key }) => key);
  return {
    message: `${entity}: the platform has deleted the region of ${found.length} ${plural(found.length, 'record', 'records')} (${keys.join(', ')}). The city was probably renamed or merged. --repair leaves the region alone.`,
    hint: 'Ask the platform for the new id of the region. Then correct the query or the lookup of region_id.',
  };
}

function stateNote({ entity, state, word, records, sampleKeys }: StateOfRecords): VerifyNote {
  const message = `${entity}: the platform ${stateText({ state, word })}: ${records} ${plural(records, 'record', 'records')} (${sampleKeys.join(', ')}). It accepted ${plural(records, 'it', 'them')} before. --repair leaves ${plural(records, 'it', 'them')} to a person.`;
  const [key = ''] = sampleKeys;
  return {
    message,
    hint:
      state === 'other'
        ? `Look at one of them at the platform; the function reply of platform.adapter can say what the word means. To send one again all the same: placement-sync resync --entity ${entity} --key ${key}`
        : `Ask the platform why. To send them again all the same: placement-sync retry --removed --entity ${entity}`,
  };
}

const placeOf = ({ state, word }: StateOfRecords) =>
  2 * PLATFORM_STATES.indexOf(state) + (word === null ? 1 : 0);

/** Counts the states that one entity's records showed, those that are not live. */
export function countStates(entity: EntityName) {
  const counted = new Map<string, StateOfRecords>();
  return {
    add({ key }: Pick<ReadBackRecord, 'key'>, { state, word }: ShownState) {
      const name = `${state} ${word ?? ''}`;
      const { records = 0, sampleKeys = [] } = counted.get(name) ?? {};
      const keys = sampleKeys.length < NAMED ? [...sampleKeys, key] : sampleKeys;
      counted.set(name, { entity, state, word, records: records + 1, sampleKeys: keys });
    },
    list: (): readonly StateOfRecords[] => [...counted.values()].toSorted((a, b) => placeOf(a) - placeOf(b)),
  };
}

/** Records that are named of each state. */
const NAMED = 3;

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
