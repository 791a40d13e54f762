import { platformDay } from '../contract/platform-timestamp.js';
import { canonicalJson } from '../domain/payload/canonical-json.js';
import { uuidText } from '../domain/key/uuid-text.js';
import type { JsonValue } from '../domain/json.js';
import type { ReadBackRule } from './read-back.js';

/** Beginning of a date as services write it, also before a time. */
const DAY = /^\d{4}-\d{2}-\d{2}/;
/** A time with its zone: another day may have begun there. */
const ZONED = /^[^T]*T.*(?:Z|[+-]\d{2}:?\d{2})$/i;

/**
 * Whether a held value is the one that was sent; null: it is not of a kind that can be compared with it, such as the name
 * of an industry where its id was sent. Neither is null. Pure.
 *
 * @param timeZone the platform's
 */
export function sameValue(
  rule: ReadBackRule,
  sent: JsonValue,
  held: JsonValue,
  timeZone: string,
): boolean | null {
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

/** Null: neither true nor false. */
function flagOf(value: JsonValue): boolean | null {
  const text = textOf(value).trim().toLowerCase();
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : null;
}
