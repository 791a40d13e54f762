import { url } from '../contract/fields.js';
import { instantInZone, isPlatformTimestamp } from '../contract/time.js';
import type { Issue } from '../domain/issue.js';
import type { RowValue } from '../domain/row.js';

/**
 * Rules for single values of a row: text as the source returns it becomes a value of the body, or a fault that says
 * what is wrong. A rule knows neither column nor record; the row reader adds these.
 */

/** What makes a value unusable, or doubtful, without the place where it was found. */
export type Fault = Omit<Issue, 'field' | 'column' | 'value'>;

/** The outcome of one value rule: a value, possibly with a warning, or a fault. */
export type Reading<T> =
  { readonly value: T; readonly warning?: Fault } | { readonly value?: never; readonly fault: Fault };

export function fault(
  code: Fault['code'],
  message: string,
  hint?: string,
  shared?: Pick<Fault, 'common' | 'lookup'>,
): { readonly fault: Fault } {
  return { fault: { code, message, ...(hint === undefined ? {} : { hint }), ...shared } };
}

/**
 * The text of one row value. Null, and text that is empty or blank, is absent (`null`); any other text is passed on
 * untouched, except that text which no database can store is refused. A boolean (of a JSON column) is taken as the text
 * Postgres would print; numbers come as text already, with all their digits.
 */
export function scalarText(value: RowValue | undefined): Reading<string | null> {
  if (value === null || value === undefined) return { value: null };
  if (typeof value === 'string') return storable(value.trim() === '' ? null : value);
  // What JavaScript calls Infinity is a number of Postgres with hundreds of digits.
  if (typeof value === 'number') return { value: String(value).replace('Infinity', '1e999') };
  if (typeof value === 'boolean') return { value: String(value) };
  return fault(
    'type',
    `must be one value, not ${Array.isArray(value) ? 'an array' : 'a JSON object'}`,
    'Return a single value from the query, for instance with array_to_string() or ->>.',
  );
}

/**
 * Refuses text that Postgres cannot hold as text or jsonb. A column of type json may hold the escapes of a NUL or of
 * half a surrogate pair; one such record would end the sweep when it is written to the ledger.
 */
export function storable<T extends string | null>(text: T): Reading<T> {
  if (text === null || (text.isWellFormed() && !text.includes('\0'))) return { value: text };
  return fault(
    'format',
    'contains a NUL or half of a surrogate pair, which Postgres cannot store as text',
    'The column is of type json and contains an escape such as \\u0000: cut it out in the query with replace().',
  );
}

/** The number is not in the message, so that all of a column are one group. */
const ROUNDED: Fault = {
  code: 'doubtful',
  message: 'has a fraction and is rounded',
  hint: 'The platform takes whole numbers. Round it in the query as you want it: round(), floor() or ceil().',
};

/** What people write for a number, and how the query makes one of it: the first that fits. */
const WRITTEN: readonly (readonly [form: RegExp, hint: string])[] = [
  [
    /^[+-]?\d{1,3}(\.\d{3})+$/,
    "If the point groups digits: replace(column, '.', ''). If it is a decimal point: split_part(column, '.', 1).",
  ],
  [
    /^[+-]?\d{1,3},\d{3}$/,
    "If the comma groups digits: replace(column, ',', ''). If it is a decimal comma: replace(column, ',', '.').",
  ],
  [/^[+-]?\d+,\d+$/, "Write a decimal point: replace(column, ',', '.')."],
  [
    /\d\.\d{3},\d*\D*$/,
    "Keep the digits before the comma: replace(substring(column from '[0-9][0-9.]*'), '.', '').",
  ],
  [
    /\d,\d{3}\.\d*\D*$/,
    "Keep the digits before the point: replace(substring(column from '[0-9][0-9,]*'), ',', '').",
  ],
  [/^\D*\d{1,3}([.,'’\s]\d{3})+\D*$/, "Keep the digits: regexp_replace(column, '[^0-9]', '', 'g')."],
  [/^\D*\d+(?!.*(juta|jt|ribu|rb|k$|m))\D*$/i, "Keep the digits: substring(column from '[0-9]+')."],
  [/^/, "Return null where there is no number: case when column ~ '^[0-9]+$' then column end."],
];

const NO_CAST = 'Digits may stay text: a cast would stop all records at one cell that is no number.';

function noNumber(text: string, message: string): { readonly fault: Fault } {
  const written = WRITTEN.find(([form]) => form.test(text.trim().slice(0, SHOWN)));
  return fault('type', message, noNumberHint(text) ?? `${written?.[1] ?? ''} ${NO_CAST}`);
}

/** Characters of a text that are looked at to say what to do about it. */
const SHOWN = 100;

/**
 * `750.000` and `1.000`: in a text nobody can know whether the point groups digits, and a thousandth of a pay must not be
 * published. A group does not begin with 0.
 */
const POINT_GROUPS = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;

/**
 * A whole number from numeric text of any Postgres type. A fraction is rounded half up (towards the larger number)
 * with a warning; beyond ±(2^53 − 1) JSON readers lose digits, so it is refused.
 *
 * @param isNumber whether the column is of a numeric type; then 5.000 is 5
 */
export function wholeNumber(text: string, isNumber = false): Reading<number> {
  const number = decimal(text, isNumber);
  if (number === null) return noNumber(text, 'must be a whole number');
  const magnitude = number.digits === '0' ? 0 : number.digits.length + number.exponent;
  // 17 digits are beyond any safe integer; also keeps 1e999999999 from being written out.
  const rounded = magnitude > 17 ? null : roundHalfUp(number, magnitude);
  if (rounded === null || !Number.isSafeInteger(Number(rounded.value))) {
    return fault('range', 'must be between −9007199254740991 and 9007199254740991');
  }
  const value = Number(rounded.value);
  return rounded.exact ? { value } : { value, warning: ROUNDED };
}

function roundHalfUp(
  number: Decimal,
  magnitude: number,
): { readonly value: bigint; readonly exact: boolean } {
  if (number.digits === '0') return { value: 0n, exact: true };
  if (number.exponent >= 0) {
    const value = BigInt(number.digits + '0'.repeat(number.exponent));
    return { value: number.negative ? -value : value, exact: true };
  }
  const whole = BigInt(magnitude > 0 ? number.digits.slice(0, magnitude) : '0');
  // The digits behind the point, whose zeros in front are cut when the number is below 0.1.
  const fraction = magnitude >= 0 ? number.digits.slice(magnitude) : '0';
  if (magnitude >= 0 && /^0*$/.test(fraction))
    return { value: number.negative ? -whole : whole, exact: true };
  const half = fraction.startsWith('5') && /^50*$/.test(fraction);
  const up = fraction >= '5' && !(number.negative && half);
  const value = up ? whole + 1n : whole;
  return { value: number.negative ? -value : value, exact: false };
}

/** A decimal number as `digits` × 10^`exponent`, without rounding. */
interface Decimal {
  readonly negative: boolean;
  /** At least one digit; no leading zeros unless it is zero. */
  readonly digits: string;
  readonly exponent: number;
}

/** SQL: text of ISO 8601 as Postgres prints a moment. */
const POSTGRES_FORM = String.raw`regexp_replace(translate(regexp_replace(column, ' ?(Z|UTC|GMT)$', '+00', 'i'), 'Tt', '  '), ' ?([+-]\d\d):?(\d\d)$', '\1:\2')`;

/** Numbers of Postgres that are none, as it prints them. */
const NO_NUMBER = /^(nan|[+-]?inf(inity)?)$/i;

/** What to do about NaN and Infinity; null for any other text. */
function noNumberHint(text: string): string | null {
  const trimmed = text.trim();
  if (!NO_NUMBER.test(trimmed)) return null;
  return `JSON has no ${trimmed}: return null for it, nullif(column, '${trimmed}').`;
}

const DECIMAL_FORM = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,9}))?$/i;

/**
 * Reads text such as `5`, `5.00`, `-.5` or `1.5e+3`, blanks around it allowed, as decimal digits: binary floating
 * point would round 1.005e3 wrongly.
 *
 * @param isNumber whether a point can only be a decimal point
 * @returns null when the text is not a number in this form (NaN, Infinity, digit groups, currency signs)
 */
export function decimal(text: string, isNumber: boolean): Decimal | null {
  const match = DECIMAL_FORM.exec(text.trim());
  if (match === null || (!isNumber && POINT_GROUPS.test(text.trim()))) return null;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  if (whole === '' && fraction === '') return null;
  const digits = (whole + fraction).replace(/^0+(?=\d)/, '');
  return { negative: sign === '-', digits, exponent: Number(exponent) - fraction.length };
}

/** A number with or without fraction, from numeric text; one that JSON readers would change is refused. */
export function amount(text: string, isNumber = false): Reading<number> {
  const number = decimal(text, isNumber);
  const value = Number(text.trim());
  if (number === null || Number.isNaN(value)) return noNumber(text, 'must be a number');
  // Fifteen significant digits survive binary floating point.
  if (hasMoreThan15(number.digits) || !Number.isFinite(value))
    return fault('range', 'has more than 15 digits');
  return { value };
}

/** Without its zeros at the end: `/0+$/` would take the square of the time for thousands of zeros within a number. */
function hasMoreThan15(digits: string): boolean {
  return /[1-9]/.test(digits.slice(15));
}

/** The words that Postgres itself reads as a boolean. */
const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 't', 'yes', 'y', 'on', '1'].map((word) => [word, true] as const),
  ...['false', 'f', 'no', 'n', 'off', '0'].map((word) => [word, false] as const),
]);

export function boolean(text: string): Reading<boolean> {
  const value = WORDS.get(text.trim().toLowerCase());
  if (value !== undefined) return { value };
  return fault(
    'type',
    'must be true or false',
    "Return a boolean from the query, for instance (column = 'Y') as the column.",
  );
}

const TIME = String.raw`\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?`;
/** A day; a day with a time; and what Postgres prints of a timestamptz. */
const DATE_FORM = new RegExp(
  String.raw`^(\d{4})-(\d{2})-(\d{2})(?:[ T](${TIME})| ${TIME}[+-]\d{2}(?::\d{2}){0,2})?$`,
);
/** A time with a zone in any other form: text of somewhere else, whose day may be another one here. */
const FOREIGN_ZONE = new RegExp(String.raw`^\d{4}-\d{2}-\d{2}[ T]${TIME} ?(?:z|utc|gmt|[+-]\d)`, 'i');

/**
 * The day of a date or timestamp as Postgres prints it, in the platform's zone. A timestamp without zone is local time
 * there, with a warning while the source's zone is not known. Text with a time zone in another form is refused:
 * `2026-01-15T23:00:00Z` is the sixteenth in Jakarta.
 */
export function date(text: string, zones?: Zones): Reading<string> {
  const trimmed = text.trim();
  const match = DATE_FORM.exec(zones ? instantInZone(trimmed, zones.platform) : trimmed);
  if (match === null) return refused(trimmed);
  const [, year = '', month = '', day = '', localTime] = match;
  if (!exists(Number(year), Number(month), Number(day))) {
    const common = '<number> is not a day of the calendar';
    return fault('format', `${year}-${month}-${day} is not a day of the calendar`, undefined, { common });
  }
  const value = `${year}-${month}-${day}`;
  const warning = localTime === undefined ? undefined : zonelessWarning(zones);
  return warning ? { value, warning } : { value };
}

function refused(text: string): Reading<string> {
  const infinite = /^(-?)infinity$/i.exec(text);
  if (infinite !== null) {
    return fault(
      'format',
      `is "${text}"; the platform needs a date`,
      `Return null for it from the query: nullif(column, '${text}').`,
      { common: 'is "…"; the platform needs a date' },
    );
  }
  if (FOREIGN_ZONE.test(text) && !/BC$/i.test(text)) {
    return fault(
      'format',
      'is text with a time zone, so the day here is not certain',
      `Write it as Postgres does: ${POSTGRES_FORM}.`,
    );
  }
  return fault(
    'format',
    'must be a day between the years 1 and 9999',
    String.raw`Return a day as 2027-12-31. Of text such as 31/12/2027: regexp_replace(column, '^(\d\d)/(\d\d)/(\d{4})$', '\3-\2-\1'). to_date would stop all records at one wrong day.`,
  );
}

function exists(year: number, month: number, day: number): boolean {
  // setUTCFullYear, because the constructor takes the years 0 to 99 for 1900 to 1999.
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, day);
  return year > 0 && moment.getUTCMonth() === month - 1 && moment.getUTCDate() === day;
}

/** As Postgres prints a timestamp, with or without a zone. */
const FORM = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}:\d{2})(?:\.\d+)?([+-]\d{2}(?::?\d{2}){0,2})?)?$/;

/**
 * `YYYY-MM-DD HH:MM:SS` in the platform's zone; a day alone begins at midnight, parts of a second are cut. A time
 * without zone gets a warning while the source's zone is not known.
 */
export function localTime(text: string, zones?: Zones): Reading<string> {
  const trimmed = text.trim();
  const [, day, time, offset] = FORM.exec(zones ? instantInZone(trimmed, zones.platform) : trimmed) ?? [];
  const value = `${day ?? ''} ${time ?? '00:00:00'}`;
  if (day === undefined || !isPlatformTimestamp(value)) {
    return fault(
      'format',
      'must be a date and time',
      `Return a timestamp from the query. Text with a time zone: ${POSTGRES_FORM}.`,
    );
  }
  const warning = time !== undefined && offset === undefined ? zonelessWarning(zones) : undefined;
  return warning ? { value, warning } : { value };
}

/** In which zones the times of a row are. IANA names. */
export interface Zones {
  /** `source.timeZone`; null: nobody has said it. */
  readonly source: string | null;
  readonly platform: string;
}

/** The warning about a time without zone, where it decides what is sent; undefined: its zone is known. */
function zonelessWarning(zones: Zones | undefined): Fault | undefined {
  if (zones?.source !== null) return undefined;
  return {
    code: 'zone',
    message: `has no time zone; it is read as local time of ${zones.platform}`,
    hint: 'Ask in which zone the application writes it, and set source.timeZone to that zone.',
  };
}

const PLAIN_FORM = /^-?\d+(\.\d+)?$/;

/**
 * Decimal degrees as text, the way Postgres prints the column (`-6.2000` keeps its zeros), but never with an
 * exponent: float8 prints 0.00001 as `1e-05`, which the platform does not document.
 *
 * @param limit the largest magnitude: 90 for a latitude, 180 for a longitude
 */
export function coordinate(text: string, limit: 90 | 180): Reading<string> {
  const trimmed = text.trim();
  const number = decimal(trimmed, true);
  if (number === null) {
    return fault(
      'format',
      'must be decimal degrees',
      noNumberHint(trimmed) ?? 'Return decimal degrees with a point, such as -6.2088.',
    );
  }
  // The exponent is bounded first: written out, 1e-999999999 would fill the memory.
  if (Math.abs(Number(trimmed)) > limit || Math.abs(number.exponent) > 1_000) {
    return fault('range', `must be between −${String(limit)} and ${String(limit)}`);
  }
  return { value: PLAIN_FORM.test(trimmed) ? trimmed : plain(number) };
}

/** Written out, without an exponent. */
export function plain({ negative, digits, exponent }: Decimal): string {
  const sign = negative ? '-' : '';
  if (exponent >= 0) return sign + (digits === '0' ? '0' : digits + '0'.repeat(exponent));
  const padded = digits.padStart(1 - exponent, '0');
  const whole = padded.slice(0, exponent);
  return `${sign}${whole}.${padded.slice(exponent)}`;
}

/** Elements of a skills column; they are counted before any is looked at. */
const MOST_SKILLS = 1_000;

function hasManyCommas(value: RowValue): boolean {
  if (typeof value !== 'string') return false;
  let at = -1;
  for (let count = 0; count < MOST_SKILLS; count += 1) {
    at = value.indexOf(',', at + 1);
    if (at === -1) return false;
  }
  return true;
}

/**
 * The elements of a skills column: an array (text[] or jsonb) of text or numbers, or text with commas. Trimmed;
 * null and blank elements are dropped; order and repeats are kept, because lookups come first.
 */
export function skillElements(value: RowValue): Reading<readonly string[]> {
  const many = Array.isArray(value) ? value.length > MOST_SKILLS : hasManyCommas(value);
  if (many) {
    const hint = 'Is it the column of the skills? Return the most important ones.';
    return fault('range', `has more than ${MOST_SKILLS.toLocaleString('en')} elements`, hint);
  }
  if (Array.isArray(value)) return arrayElements(value);
  if (typeof value === 'string' && !looksLikeArray(value)) return { value: cleaned(value.split(',')) };
  if (typeof value === 'number') return { value: [String(value)] };
  return fault(
    'type',
    'must be an array of text, or text with commas',
    'Cast the column in the query, for instance column::jsonb or column::text[].',
  );
}

function arrayElements(values: readonly RowValue[]): Reading<readonly string[]> {
  const texts: string[] = [];
  for (const each of values) {
    if (each === null) continue;
    if (typeof each !== 'string' && typeof each !== 'number') {
      return fault('type', 'must be an array of text', 'Return a flat array of skill codes from the query.');
    }
    const text = storable(String(each));
    if ('fault' in text) return text;
    texts.push(text.value);
  }
  return { value: cleaned(texts) };
}

function cleaned(texts: readonly string[]): readonly string[] {
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}

/** An array that came as text: splitting it at commas would send its brackets and quotes. */
function looksLikeArray(text: string): boolean {
  return /^\s*(\[[^]*\]|\{[^]*\})\s*$/.test(text);
}

/** A URL of http or https, sent as it is. */
export function webAddress(text: string): Reading<string> {
  if (/\s/.test(text)) {
    return fault(
      'format',
      'must be a URL without blanks',
      "Write blanks inside of it as %20 and cut those around it, for instance replace(trim(column), ' ', '%20').",
    );
  }
  if (url.safeParse(text).success) return { value: text };
  return fault(
    'format',
    'must be an http or https URL',
    "If the scheme is missing, add it in the query: 'https://' || column.",
  );
}
