import type { JsonObject, JsonValue } from '../domain/json.js';
import { canonicalJson } from '../domain/payload/canonical-json.js';
import type { ReadBack, ReadBackRule } from './read-back.js';
import { sameValue } from './same-value.js';
import { shownAt } from './shown-at.js';
import { shownValues, type ShownValue } from './shown-values.js';

/** One field whose value at the platform is not the one that was sent. */
export interface Drift {
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
 * for where the contract's Find has it, and as the request has it; what the reply does not show is not compared. A field
 * that was not sent counts as null. So do the empty values that a service fills in by itself (empty text, 0, false),
 * because sending again would not change them. Pure.
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

/** Whether a reply shows any field of a record; one that shows none says nothing about it. Pure. */
export function showsAnything(readBack: Pick<ReadBack, 'fields' | 'containers'>, data: JsonObject): boolean {
  return readBack.fields.some((field) => shownValues(readBack, field, data).length > 0);
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
  const held = sure.find(({ value }) => !isEmpty(value))?.value;
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
  return value === null || typeof value !== 'object' || ['picture', 'list', 'any'].includes(rule);
}

function isNothing(value: JsonValue): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

/** What a service fills in where nothing was sent. */
function isEmpty(value: JsonValue): boolean {
  return isNothing(value) || value === 0 || value === false || (Array.isArray(value) && value.length === 0);
}
