import type { JsonObject, JsonValue } from '../domain/json.js';
import { canonicalJson } from '../domain/payload/canonical-json.js';
import type { ReadBackField, ReadBackRule } from './read-back.js';

/** One field whose value at the platform is not the one that was sent. */
export interface Drift {
  /** Path in the body that is sent. */
  readonly field: string;
  /** Null: absent, or sent as null. */
  readonly sent: JsonValue;
  readonly held: JsonValue;
}

/**
 * Compares what was sent with what is read back, field by field. A field that was not sent counts as null. So do the
 * empty values that a service fills in by itself (empty text, 0, false), because sending again would not change them.
 * Pure.
 *
 * @param body the request body; of a parent in it, only the `id` is compared
 * @param data `data` of the Find
 * @param today `YYYY-MM-DD` in the platform's zone
 * @param lastDay the body's field with the last day of a record that ends by itself; null: it does not
 * @returns the differences in the order of `fields`; none when all is the same
 */
export function compareReadBack(
  fields: readonly ReadBackField[],
  body: JsonObject,
  data: JsonObject,
  { today, lastDay }: { readonly today: string; readonly lastDay: string | null },
): Drift[] {
  const end = lastDay === null ? null : body[lastDay];
  const mayHaveEnded = typeof end === 'string' && end <= today;
  return fields.flatMap(({ sent: field, read, rule }) => {
    const sent = valueAt(body, field);
    const held = valueAt(data, read);
    return isSame(rule, sent, held, mayHaveEnded) ? [] : [{ field, sent, held }];
  });
}

function isSame(rule: ReadBackRule, sent: JsonValue, held: JsonValue, mayHaveEnded: boolean): boolean {
  if (sent === null) return isEmpty(held) || rule === 'picture' || rule === 'status';
  if (rule === 'picture') return !isEmpty(held);
  if (held === null) return isEmpty(sent);
  return SAME[rule](sent, held) || (rule === 'status' && held === 'expired' && mayHaveEnded);
}

const SAME: Readonly<
  Record<Exclude<ReadBackRule, 'picture'>, (sent: JsonValue, held: JsonValue) => boolean>
> = {
  text: (sent, held) => trimmed(sent) === trimmed(held),
  word: (sent, held) => textOf(sent) === textOf(held),
  status: (sent, held) => textOf(sent) === textOf(held),
  number: (sent, held) => numberOf(sent) === numberOf(held),
  degrees: (sent, held) => Math.abs(numberOf(sent) - numberOf(held)) < 1e-6,
  flag: (sent, held) => flagOf(sent) === flagOf(held),
  date: (sent, held) => textOf(sent).slice(0, 10) === textOf(held).slice(0, 10),
  uuid: (sent, held) => textOf(sent).toLowerCase() === textOf(held).toLowerCase(),
  any: (sent, held) => numberOf(sent) === numberOf(held) || anyText(sent) === anyText(held),
};

/** What a service fills in where nothing was sent. */
function isEmpty(value: JsonValue): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === null || value === 0 || value === false;
}

function valueAt(object: JsonObject, path: string): JsonValue {
  let value: JsonValue = object;
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    value = Object.hasOwn(value, step) ? ((value as JsonObject)[step] ?? null) : null;
  }
  return value;
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

function flagOf(value: JsonValue): string {
  const text = textOf(value);
  return { '0': 'false', '1': 'true' }[text] ?? text;
}
