import type { Issue } from '../issue.js';
import { oneLine } from './reply.js';

/**
 * Reads what a refusal says, in whatever shape: a sentence for people, a code for programs, and the fields it is about.
 */

/** More than any form has fields; a reply that lists more is not about one record. */
const MOST_ISSUES = 100;

/** Of nesting, and of values that are looked at: more than any error has. */
const DEEPEST = 8;
const MOST_VALUES = 2_000;

/** Names of a sentence for people, the best first. No record has a field of these names; `error` may also be a code. */
const WORDS = [
  ...['message', 'detail', 'details', 'error_description', 'errorMessage', 'error_message', 'reason', 'msg'],
  ...['pesan', 'text', 'error'],
];

/** Also sentences, but records have such fields: not where fields are listed. */
const LOOSE_WORDS = ['description', 'title'];

/** Names of a word for programs, which an adapter may look for. */
const CODES = ['code', 'error', 'error_code', 'errorCode', 'status', 'type'];

/** Names of a list or a map of errors, by field or not; they are no field themselves. */
const LISTS = new Set([
  ...[
    'errors',
    'error',
    'message',
    'messages',
    'detail',
    'details',
    'violations',
    'fieldErrors',
    'field_errors',
  ],
  ...['fields', 'invalid_params', 'invalid-params', 'issues', 'problems', 'validation', 'causes', 'fault'],
]);

/** Names of an object around everything else. */
const ENVELOPES = new Set(['status', 'response', 'result', 'data', 'meta', 'info']);

/** Names of what was sent, or of what only programmers read. */
const ECHOES = new Set([
  ...[
    'input',
    'request',
    'payload',
    'body',
    'record',
    'params',
    'headers',
    'context',
    'trace',
    'stack',
    'debug',
  ],
  ...['links', '_links', 'old', 'new', 'user'],
]);

type FieldError = Pick<Issue, 'field' | 'message'>;

/** The error that the body of a refusal reports. */
interface Refusal {
  /**
   * The platform's words on one line, single fields first: the general sentence is the same for every refusal. Null
   * when the body has none.
   */
  readonly message: string | null;
  readonly issues: readonly FieldError[];
}

/**
 * Reads the error in a body of any shape. The interface shows none; `{ message, errors: { field: [text, ...] } }` is what
 * services of this family answer. Also known: lists of errors with a field, problem details, `{ error: { message } }`, and
 * whatever contains one of these. If nothing of it is known, every text of the body counts, with its name.
 */
export function readRefusal(json: unknown): Refusal {
  const found: Found = { issues: [], general: [], values: 0 };
  collect(json, { field: '', listed: false }, DEEPEST, found);
  const { issues } = found;
  const fields = issues.map(({ field, message }) => `${field}: ${message}`);
  // Some platforms repeat the first field's error as the general sentence.
  const general = [...new Set(found.general)].filter(
    (text) => !issues.some(({ message }) => message === text),
  );
  const said = [
    ...(fields.length === 0 ? [] : [clauses(fields)]),
    ...(general.length > 1 ? [clauses(general)] : general),
  ];
  if (said.length > 0) return { message: oneLine(said.join(' ')), issues };
  const leaves: string[] = [];
  collectLeaves(json, '', DEEPEST, leaves);
  return { message: leaves.length === 0 ? null : oneLine(leaves.join('; ')), issues };
}

interface Found {
  readonly issues: FieldError[];
  readonly general: string[];
  values: number;
}

interface Place {
  /** The field of the record that the value is about; empty: none. */
  readonly field: string;
  /** Within a list or a map of errors, where names are those of fields. */
  readonly listed: boolean;
}

function collect(value: unknown, place: Place, depth: number, found: Found): void {
  found.values += 1;
  if (depth === 0 || found.values > MOST_VALUES) return;
  if (typeof value === 'string') note(textOf(value), place.field, found);
  else if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) collect(item, place, depth - 1, found);
  } else if (isObject(value)) collectError(value, place, depth - 1, found);
}

function collectError(error: Record<string, unknown>, place: Place, depth: number, found: Found): void {
  const words = ownWords(error, place.listed);
  const field = within(place.field, (words === null ? null : fieldOfError(error)) ?? '');
  if (words !== null) note(words, field, found);
  for (const [name, inner] of Object.entries(error)) {
    const composed = typeof inner === 'object' && inner !== null;
    if (composed && LISTS.has(name)) collect(inner, { field, listed: true }, depth, found);
    else if (words !== null) {
      // What stands beside a sentence belongs to it, or is what was sent. Errors by field may have any name.
      if (place.listed || ECHOES.has(name)) continue;
      const errors = ENVELOPES.has(name) ? lists(inner) : composed ? inner : null;
      collect(errors, { field, listed: true }, depth, found);
    } else if (composed && !place.listed && ENVELOPES.has(name))
      collect(inner, { field, listed: false }, depth, found);
    else if (composed || place.listed)
      collect(inner, { field: within(field, name), listed: true }, depth, found);
  }
}

/** `{ message, data: { name: [text, ...] } }`: only the lists of text. */
function lists(value: unknown): unknown {
  if (!isObject(value)) return null;
  const isList = (inner: unknown) =>
    Array.isArray(inner) && inner.every((item: unknown) => typeof item === 'string');
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => isList(inner)));
}

function within(field: string, name: string): string {
  return [field, oneLine(name)].filter((part) => part !== '').join('.');
}

function note(text: string | null, field: string, { issues, general }: Found): void {
  if (text === null || issues.length === MOST_ISSUES || general.length === MOST_ISSUES) return;
  if (field === '') general.push(text);
  else issues.push({ field: oneLine(field), message: text });
}

/** The sentence of one error, with its title before and its code behind it; null: it has none. */
function ownWords(error: Record<string, unknown>, listed: boolean): string | null {
  const name = [...WORDS, ...(listed ? [] : LOOSE_WORDS)].find((each) => textOf(error[each]) !== null);
  if (name === undefined) return null;
  const words = textOf(error[name]) ?? '';
  const title = name === 'title' ? null : textOf(error.title);
  const said = title === null || words.includes(title) ? words : `${title.replace(/[.:\s]+$/, '')}: ${words}`;
  const code = CODES.filter((each) => each !== name)
    .map((each) => codeOf(error[each]))
    .find((each) => each !== null);
  return code === undefined || code === null || said.includes(code) ? said : `${said} (${code})`;
}

/** A word such as INVALID_SIGNATURE; null for a sentence, for `error`, or for an address. */
function codeOf(value: unknown): string | null {
  // The length comes first: the pattern takes the square of it.
  if (typeof value !== 'string' || value.length > 80) return null;
  return /^[A-Za-z][\w.-]*[_.\d-][\w.-]*$|^[A-Z]{4,}$/.test(value) ? value : null;
}

/** `error.code: E17; ok: false`: nothing of the body is known, but its words survive. */
function collectLeaves(value: unknown, name: string, depth: number, leaves: string[]): void {
  if (depth === 0 || leaves.length >= MOST_ISSUES) return;
  if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      const within = Array.isArray(value) ? name : [name, oneLine(key)].filter(Boolean).join('.');
      collectLeaves(inner, within, depth - 1, leaves);
    }
    return;
  }
  const text = typeof value === 'string' ? textOf(value) : typeof value === 'number' ? String(value) : null;
  if (text !== null && name !== '') leaves.push(`${name}: ${text}`);
}

/** Several sentences as one, its parts set off by semicolons. */
function clauses(texts: readonly string[]): string {
  return `${texts.map((text) => text.replace(/[.;\s]+$/, '')).join('; ')}.`;
}

function textOf(value: unknown): string | null {
  const text = typeof value === 'string' ? oneLine(value) : '';
  return text === '' ? null : text;
}

/** A JSON object, as opposed to an array or a bare value. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names under which one error says which field of the body it is about, the surest first. */
const NAMES = [
  'field',
  'property',
  'attribute',
  'parameter',
  'param',
  'pointer',
  'path',
  'loc',
  'name',
  'key',
];

/** Where services say that the body itself begins: no part of the field's name. */
const BEGINNINGS = ['#', 'body', 'data', 'attributes'];

/** The dotted field that one error of a list is about; null: it names none. */
function fieldOfError(error: Readonly<Record<string, unknown>>): string | null {
  const { source } = error;
  if (typeof source === 'object' && source !== null && !Array.isArray(source)) {
    const found = fieldOfError(source as Readonly<Record<string, unknown>>);
    if (found !== null) return found;
  }
  for (const name of NAMES) {
    const field = dotted(error[name]);
    if (field !== null) return field;
  }
  return null;
}

/** `/data/attributes/region/id`, `['body', 'region', 'id']` and `region.id` are the same. */
function dotted(value: unknown): string | null {
  const steps =
    typeof value === 'string'
      ? value.split(value.includes('/') ? '/' : '.')
      : Array.isArray(value)
        ? value.filter((step) => typeof step === 'string' || typeof step === 'number').map(String)
        : [];
  const named = steps.map(oneLine).filter((step) => step !== '');
  while (named.length > 1 && BEGINNINGS.includes(named[0] ?? '')) named.shift();
  const field = named.join('.');
  // A sentence is no field.
  return field === '' || field.length > 120 || /\s/.test(field) ? null : field;
}

/** The value at a dotted path of a reply; a number is a place in a list. Undefined: there is none. */
export function valueAt(value: unknown, path: string): unknown {
  let at = value;
  for (const step of path.split('.')) {
    if (Array.isArray(at) && /^\d{1,6}$/.test(step)) at = (at as readonly unknown[])[Number(step)];
    else if (isObject(at) && Object.hasOwn(at, step)) at = at[step];
    else return undefined;
  }
  return at;
}

/** `responseCode` of SNAP, the form of Indonesian banks: the status, then service and case. */
const SNAP_FAILURE = /^[45]\d{6}$/;

/** Words of `status` that mean a failure. */
const FAILED = /^(error|errors|fail|failed|failure|nok|ko|gagal)$/i;

/**
 * Whether the body of a success says all the same that the request failed, as services do that answer everything with
 * 200: `{ success: false }`, `{ errors: [..] }`, `{ status: "error" }`.
 */
export function saysFailure(json: unknown): boolean {
  if (!isObject(json)) return false;
  const flags = [json, json.meta].filter(isObject);
  return flags.some(
    ({ success, ok, status, error, errors, responseCode }) =>
      success === false ||
      ok === false ||
      (typeof status === 'string' && FAILED.test(status.trim())) ||
      SNAP_FAILURE.test(String(responseCode)) ||
      error === true ||
      isFilled(error) ||
      isFilled(errors),
  );
}

/** Fields in which a success says that it left something out: `{ warnings: ["skill ignored"] }`. */
const WARNINGS = /^(warnings?|notices?|peringatan|catatan)$/i;

/** Whether the body of a success has warnings, at its top, or in `data` or `meta`. */
export function carriesWarnings(json: unknown): boolean {
  if (!isObject(json)) return false;
  const parts = [json, json.data, json.meta].filter(isObject);
  return parts.some((part) =>
    Object.entries(part).some(([name, value]) => WARNINGS.test(name) && isFilled(value)),
  );
}

function isFilled(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
