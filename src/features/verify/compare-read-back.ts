import { HOME_COUNTRY } from '../../core/contract/region.js';
import { platformDay } from '../../core/contract/time.js';
import { uuidText } from '../../core/domain/key.js';
import { canonicalJson } from '../../core/domain/payload.js';
import type { JsonObject, JsonValue } from '../../core/domain/row.js';
import { type ReadBack, type ReadBackRule, REGION_DELETED } from '../../core/entities/read-back.js';
import { shownAt, type ShownValue, shownValues } from '../../core/entities/shown-values.js';

/**
 * Compares the body that was sent with what a Find shows of it. For each field of the body the reply is searched for
 * what may be its value (`shownValues`); each is judged by the kind of the field, and what cannot be compared is not
 * counted.
 */

/** One field whose value at the platform is not the one that was sent. */
interface Drift {
  /** Path in the body that is sent. */
  readonly field: string;
  /** Null: absent, or sent as null. */
  readonly sent: JsonValue;
  readonly held: JsonValue;
}

/** What a read-back says about one record. */
export interface Comparison {
  /** In the order of the entity's fields. */
  readonly drift: readonly Drift[];
  /** Fields of the drift that the platform holds and the body leaves out. */
  readonly leftOver: readonly string[];
  /** Fields of which the reply shows what the platform holds. */
  readonly compared: readonly string[];
  /** Of the compared fields, those that have a value on neither side: they say nothing about how a reply shows them. */
  readonly empty: readonly string[];
  /** Fields that were sent, and the reply does not show what the platform holds of them. */
  readonly notCompared: readonly string[];
}

export interface CompareOptions {
  /** `YYYY-MM-DD` in the platform's zone. */
  readonly today: string;
  /** The body's field with the last day of a record that ends by itself; null: it does not. */
  readonly lastDay: string | null;
  /** The platform's. */
  readonly timeZone: string;
}

/**
 * Compares what was sent with what is read back, field by field. Half of the replies are assumed, so a field is looked
 * for where the contract's Find has it, and as the request has it; what the reply does not show is not compared. A
 * field that was not sent counts as null. So do the empty values that a service fills in by itself (empty text, 0,
 * false), because sending again would not change them.
 *
 * @param body the request body; of a parent in it, only the `id` is compared
 * @param data `data` of the Find
 */
export function compareReadBack(
  readBack: Pick<ReadBack, 'fields' | 'containers'>,
  body: JsonObject,
  data: JsonObject,
  options: CompareOptions,
): Comparison {
  const drift: Drift[] = [];
  const leftOver: string[] = [];
  const compared: string[] = [];
  const empty: string[] = [];
  const notCompared: string[] = [];
  for (const field of readBack.fields) {
    const sent = shownAt(body, '', field.sent);
    const shown = shownValues(readBack, field, data);
    const verdict = judge(field.rule, sent, shown, options, () => mayHaveEnded(body, options));
    if (verdict !== 'unknown') compared.push(field.sent);
    else if (!isEmpty(sent ?? null) || shown.length > 0) notCompared.push(field.sent);
    if (verdict === 'same' && isEmpty(sent ?? null)) empty.push(field.sent);
    if (typeof verdict !== 'object') continue;
    drift.push({ field: field.sent, sent: sent ?? null, ...verdict });
    if (sent === undefined) leftOver.push(field.sent);
  }
  notCompared.push(...furtherFields(readBack, body, data));
  return { drift, leftOver, compared, empty, notCompared };
}

/** The reference and the client by which we know a record. */
interface KnownLinks {
  /** Null: the ledger has none. */
  readonly reference: string | null;
  readonly clientId: string;
}

/**
 * The same of what no body has: the record's reference, the clients that its objects belong to, and a deleted region. A client is compared
 * only by UUID, because the interface shows no other id.
 *
 * @param shown the reference that the Find shows, where the settings say, and its `data`
 */
export function compareLinks(
  { linkPaths }: Pick<ReadBack, 'linkPaths'>,
  known: KnownLinks,
  shown: { readonly reference: string | number | null; readonly data: JsonObject },
): Pick<Comparison, 'drift' | 'compared'> {
  const owner = uuidText(known.clientId);
  const links = [
    {
      field: 'reference',
      sent: known.reference,
      held: shown.reference === null ? null : String(shown.reference),
    },
    ...(linkPaths.clientIds ?? []).map((path) => {
      const held = shownAt(shown.data, '', path);
      return {
        field: path
          .split('.')
          .slice(path.endsWith('.employer.client_id') ? -2 : -1)
          .join('.'),
        sent: owner,
        held: typeof held === 'string' ? uuidText(held) : null,
      };
    }),
  ].filter(({ sent, held }) => sent !== null && held !== null);
  const deletedAt = linkPaths.regionDeletedAt && shownAt(shown.data, '', linkPaths.regionDeletedAt);
  const deleted = deletedAt ? [{ field: REGION_DELETED, sent: null, held: deletedAt }] : [];
  return {
    compared: links.map(({ field }) => field),
    drift: [...links.filter(({ sent, held }) => sent?.toLowerCase() !== held?.toLowerCase()), ...deleted],
  };
}

type Verdict = 'same' | 'unknown' | { readonly held: JsonValue };

function judge(
  rule: ReadBackRule,
  sent: JsonValue | undefined,
  shown: readonly ShownValue[],
  { timeZone }: CompareOptions,
  ended: () => boolean,
): Verdict {
  if (sent === undefined || sent === null) return judgeNothing(rule, sent, shown);
  const same = shown.map(({ value }) =>
    isNothing(value) ? isEmpty(sent) : sameValue(rule, sent, value, timeZone),
  );
  if (same.includes(true)) return 'same';
  const differing = shown.find(({ sure }, index) => sure && same[index] === false);
  if (differing === undefined) return 'unknown';
  return rule === 'status' && differing.value === 'expired' && ended() ? 'same' : { held: differing.value };
}

/** A record without a status gets one from the service, and may get a picture; but null says that there is to be none. */
function judgeNothing(rule: ReadBackRule, sent: null | undefined, shown: readonly ShownValue[]): Verdict {
  const sure = shown.filter(({ value, sure: isSure }) => isSure && isComparable(rule, value));
  if (sure.length === 0) return 'unknown';
  const held = sure.find(({ value }) => !isEmpty(value) && !(rule === 'country' && isHome(value)))?.value;
  if (held === undefined || rule === 'status') return 'same';
  return rule === 'picture' && sent === undefined ? 'unknown' : { held };
}

/** Fields that the interface does not list. What a service shows of them, and how, is not known. */
function furtherFields(
  { fields }: Pick<ReadBack, 'fields'>,
  body: JsonObject,
  data: JsonObject,
): readonly string[] {
  const known = new Set(fields.map(({ sent }) => sent.split('.')[0]));
  return Object.entries(body).flatMap(([name, value]) => {
    const held = shownAt(data, '', name);
    const same = held !== undefined && canonicalJson(held) === canonicalJson(value);
    return known.has(name) || isEmpty(value) || same ? [] : [name];
  });
}

function mayHaveEnded(body: JsonObject, { today, lastDay }: CompareOptions): boolean {
  const end = lastDay === null ? null : body[lastDay];
  return typeof end === 'string' && end <= today;
}

/** An object where the request has a single value is another thing. */
function isComparable(rule: ReadBackRule, value: JsonValue): boolean {
  if (rule === 'country' && value !== null) return countryOf(value) !== null;
  return value === null || typeof value !== 'object' || ['picture', 'list', 'any'].includes(rule);
}

function isNothing(value: JsonValue): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

/** What a service fills in where nothing was sent. */
function isEmpty(value: JsonValue): boolean {
  return isNothing(value) || value === 0 || value === false || (Array.isArray(value) && value.length === 0);
}

/** Beginning of a date as services write it, also before a time. */
const DAY = /^\d{4}-\d{2}-\d{2}/;
/** A time with its zone: another day may have begun there. */
const ZONED = /^[^T]*T.*(?:Z|[+-]\d{2}:?\d{2})$/i;

/**
 * Whether a held value is the one that was sent; null: it is not of a kind that can be compared with it, such as the
 * name of an industry where its id was sent. Neither is null.
 *
 * @param timeZone the platform's
 */
function sameValue(rule: ReadBackRule, sent: JsonValue, held: JsonValue, timeZone: string): boolean | null {
  if (rule === 'picture') return true;
  if (rule === 'list') return sameList(sent, held);
  if (rule === 'any') return numberOf(sent) === numberOf(held) || anyText(sent) === anyText(held);
  if (typeof held === 'object') return null;
  return textOf(sent) === textOf(held) || RULES[rule](sent, held, timeZone);
}

const RULES: Readonly<
  Record<
    Exclude<ReadBackRule, 'picture' | 'list' | 'any'>,
    (sent: JsonValue, held: JsonValue, timeZone: string) => boolean | null
  >
> = {
  text: (sent, held) => trimmed(sent) === trimmed(held) || sameNumber(sent, held),
  word: sameNumber,
  country(sent, held) {
    const country = countryOf(held);
    return country === null ? null : country === countryOf(sent);
  },
  status: () => false,
  number: (sent, held) => byNumber(sent, held, (a, b) => a === b),
  degrees: (sent, held) => byNumber(sent, held, (a, b) => Math.abs(a - b) < 1e-6),
  flag(sent, held) {
    const flag = flagOf(held);
    return flag === null ? null : flag === flagOf(sent);
  },
  date(sent, held, timeZone) {
    const text = textOf(held);
    if (!DAY.test(text)) return null;
    const day = textOf(sent).slice(0, 10);
    const at = ZONED.test(text) ? Date.parse(text) : Number.NaN;
    return text.slice(0, 10) === day || (!Number.isNaN(at) && platformDay(at, timeZone) === day);
  },
  uuid(sent, held) {
    const asked = uuidText(textOf(sent));
    const found = uuidText(textOf(held));
    return asked !== null && found === null ? null : asked !== null && asked === found;
  },
};

/** A service may hold a text of digits as a number. */
function sameNumber(sent: JsonValue, held: JsonValue): boolean {
  return typeof sent !== typeof held && numberOf(sent) === numberOf(held);
}

function byNumber(
  sent: JsonValue,
  held: JsonValue,
  isSame: (a: number, b: number) => boolean,
): boolean | null {
  const [a, b] = [numberOf(sent), numberOf(held)];
  return Number.isNaN(b) ? null : isSame(a, b);
}

function sameList(sent: JsonValue, held: JsonValue): boolean | null {
  const [asked, found] = [wordsOf(sent), wordsOf(held)];
  if (asked === null || found === null) return null;
  return asked.size === found.size && [...asked].every((word) => found.has(word));
}

/** Null: not a list of words. */
function wordsOf(value: JsonValue): ReadonlySet<string> | null {
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) return null;
  return new Set(
    (value as readonly string[]).map((word) =>
      word
        .trim()
        .toLowerCase()
        .replace(/[\s_-]+/g, '_'),
    ),
  );
}

/** Text as it is, and everything else as JSON with its fields in order. */
function anyText(value: JsonValue): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function trimmed(value: JsonValue): string {
  return textOf(value).replace(/\r\n?/g, '\n').trim();
}

/** NaN, which equals nothing, for a value that is not a number. */
function numberOf(value: JsonValue): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

/** Null: no code of two letters, such as a name or a number. */
function countryOf(value: JsonValue): string | null {
  return typeof value === 'string' && /^[a-z]{2}$/i.test(value.trim()) ? value.trim().toUpperCase() : null;
}

function isHome(value: JsonValue): boolean {
  return countryOf(value) === HOME_COUNTRY;
}

/** Null: neither true nor false. */
function flagOf(value: JsonValue): boolean | null {
  const text = textOf(value).trim().toLowerCase();
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : null;
}
