import { UUID_PATTERN } from '../../../core/contract/fields.js';
import { isPlatformTimestamp } from '../../../core/contract/time.js';
import { vacancyContract } from '../../../core/contract/vacancy.js';

/**
 * Reads a webhook about an application: finds its layout, then field by field what the inbox stores. What cannot be
 * read is null; the raw payload is stored too.
 */

/** Digits of the largest id that is a number. */
const MOST_DIGITS = 39;

/** Characters: 64 before the @, 255 behind it. */
const LONGEST_EMAIL = 320;

/**
 * A received webhook as one record, in whichever layout it came. Null: the layout lacks the field, it was not sent,
 * or its value is unusable; the raw payload shows which.
 */
export type ReceivedApplication = Readonly<ReturnType<typeof readApplication>>;

/**
 * The events in a webhook's body: one as a rule; several where the body is a list of them, or has one as its `data`. Of
 * those each has the envelope that it came in. Anything else is one event, whatever it is.
 *
 * @param value what JSON.parse made of the body
 */
function eventsIn(value: unknown): readonly unknown[] {
  if (isEvents(value)) return value;
  if (!isFields(value) || !isEvents(value.data) || isFields(value.job)) return [value];
  return value.data.map((data) => ({ ...value, data }));
}

function isEvents(value: unknown): value is readonly Fields[] {
  return Array.isArray(value) && value.length > 0 && value.every(isFields);
}

/**
 * @param value one of `eventsIn`, or what JSON.parse made of a webhook's body
 * @returns the application in it. Never throws: a field that is not as documented is null, and a payload that is not
 *   a new application is `unrecognised`. All text can be stored in Postgres as it is.
 */
export function readApplication(value: unknown) {
  const payload = isFields(value) ? payloadOf(value) : null;
  const layout = payload === null ? null : recogniseLayout(payload);
  const fields = payload !== null && layout !== null ? payload : {};
  const job = isFields(fields.job) ? fields.job : {};
  const applicant = layout === 'applied-at' && isFields(fields.job_seeker) ? fields.job_seeker : fields;
  return {
    /** `unrecognised`: no layout of a new application; then every other field is null or empty. */
    layout: layout ?? ('unrecognised' as const),
    /** A UUID in lower case, so that a repeat in another case is the same application; or the digits of a number. */
    applicationId: idOf(fields.id),
    jobId: idOf(job.id),
    jobTitle: textOf(job.title),
    name: textOf(applicant.name),
    email: emailOf(applicant.email),
    phone: textOf(applicant.phone),
    gender: textOf(applicant.gender),
    /** `YYYY-MM-DD`, a day that exists; layout B only. */
    birthDate: dayOf(applicant.bod),
    birthPlace: textOf(applicant.pob),
    /** Whole years from 0 to 150; layout A only. */
    age: ageOf(applicant.age),
    province: textOf(applicant.province),
    city: textOf(applicant.city),
    /** `YYYY-MM-DD HH:MM:SS`, local time of the platform. */
    appliedAt: timeOf(fields.applied_at),
    skills: listOf(fields, 'skills').flatMap((skill) => textOf(skill) ?? []),
    experiences: listOf(fields, 'experiences'),
    trainings: listOf(fields, 'trainings'),
    educations: listOf(fields, 'educations'),
    certifications: listOf(fields, 'certifications'),
    achievements: listOf(fields, 'achievements'),
    languages: listOf(fields, 'languages'),
  };
}

/** A number that lost digits is no id: it would be that of another application. */
function idOf(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : null;
  if (typeof value !== 'string') return null;
  const isDigits = value.length <= MOST_DIGITS && /^\d+$/.test(value);
  return isDigits || UUID_PATTERN.test(value) ? value.toLowerCase() : null;
}

/** Text as sent; a telephone number may come as a number. */
function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return null;
  const text = storableText(value);
  return text.trim() === '' ? null : text;
}

/** No address is longer (RFC 5321), and an index entry of the inbox has a largest size. */
function emailOf(value: unknown): string | null {
  const text = textOf(value);
  return text !== null && text.length > LONGEST_EMAIL ? null : text;
}

function timeOf(value: unknown): string | null {
  return typeof value === 'string' && isPlatformTimestamp(value) && !value.startsWith('0000') ? value : null;
}

/** The day of `1998-04-23`, also where a time follows it. */
function dayOf(value: unknown): string | null {
  const day = typeof value === 'string' ? /^(\d{4}-\d{2}-\d{2})(?:[T ].*)?$/.exec(value)?.[1] : undefined;
  return day !== undefined && timeOf(`${day} 00:00:00`) !== null ? day : null;
}

function ageOf(value: unknown): number | null {
  const age = typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value;
  return typeof age === 'number' && Number.isInteger(age) && age >= 0 && age <= 150 ? age : null;
}

function listOf(fields: Fields, name: string): readonly Json[] {
  const value = fields[name];
  return Array.isArray(value) ? value.map((element) => storableJson(element)) : [];
}

type Fields = Readonly<Record<string, unknown>>;

type RecognisedLayout = 'applied-at' | 'flat';

/** Words of a cancellation, in the names of fields or as a status; the last is the Indonesian one. */
const CANCELLED = /cancel|withdr|batal/i;

/** Fields in which services name the event; the last two only in an envelope, where they cannot be the applicant's. */
const EVENT_FIELDS = ['event', 'event_name', 'event_type'];
const ENVELOPE_FIELDS = [...EVENT_FIELDS, 'type', 'topic'];

/** Names of this event, in small letters and with hyphens between the words, if any. */
const THIS_EVENT = /^(new-?)?job-?applications?(-?(new|created|received|submitted))?(-?notification)?$/;

/** Fields beside `name` that only an application in the flat layout has on its top level. */
const FLAT_FIELDS = ['bod', 'pob', 'gender', 'experiences', 'educations', 'skills'];

/**
 * Which layout of `new-job-application` this is (interface §6).
 *
 * Both have the application's `id`, a UUID or a whole number, and a `job` object. Layout A also has a `job_seeker` object, and as a rule
 * `applied_at`: without it the time of the webhook stands in, because an application must not be lost for it. Layout B has
 * `name` and one more of the applicant's fields on the top level. A payload that mentions a cancellation or names another
 * event is neither, whatever else it has: as a new application it would count as a repeat of the first and be lost.
 */
function recogniseLayout(fields: Fields): RecognisedLayout | null {
  if (idOf(fields.id) === null || !isFields(fields.job)) return null;
  if (speaksOfCancellation(fields) || namesAnotherEvent(fields)) return null;
  if (isFields(fields.job_seeker)) return 'applied-at';
  const applicant = typeof fields.name === 'string' && FLAT_FIELDS.some((field) => field in fields);
  return applicant ? 'flat' : null;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `canceled_at: null` is not a cancellation. */
function speaksOfCancellation(fields: Fields): boolean {
  return (
    Object.entries(fields).some(
      ([field, value]) => CANCELLED.test(field) && value !== null && value !== false,
    ) ||
    (typeof fields.status === 'string' && CANCELLED.test(fields.status))
  );
}

/** The event's name is not shown as a field; a payload that has one must name this event. */
function namesAnotherEvent(fields: Fields, among = EVENT_FIELDS): boolean {
  return among
    .map((field) => fields[field])
    .some(
      (event) => typeof event === 'string' && !THIS_EVENT.test(event.toLowerCase().replace(/[^a-z]+/g, '-')),
    );
}

/** What the envelope `{ event, data }` holds, else the payload itself; null: an envelope of another event. */
function payloadOf(fields: Fields): Fields | null {
  if (!isFields(fields.data) || isFields(fields.job)) return fields;
  return speaksOfCancellation(fields) || namesAnotherEvent(fields, ENVELOPE_FIELDS) ? null : fields.data;
}

/** Any JSON value. */
type Json =
  null | boolean | number | string | readonly Json[] | { readonly [field: string]: Json | undefined };

/** Records of the interface are two levels deep; deeper values cannot be such records. */
const MAX_DEPTH = 20;

/**
 * The same value in a form that Postgres can store as text and jsonb: without U+0000, with U+FFFD for half
 * surrogate pairs, and null for what is nested too deep. Never throws for anything that JSON.parse returns.
 */
function storableJson(value: unknown, depth = 0): Json {
  if (typeof value === 'string') return storableText(value);
  if (typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((element) => storableJson(element, depth + 1));
  // From entries, so that a field called __proto__ stays a field.
  return Object.fromEntries(
    Object.entries(value).map(([field, part]) => [storableText(field), storableJson(part, depth + 1)]),
  );
}

function storableText(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}

/**
 * A webhook's body as text: UTF-8 without byte order mark, with U+FFFD for bytes that are none. Lenient, because an
 * application must not be lost for one odd byte in a name; never throws.
 */
export function bodyText(body: Uint8Array): string {
  return new TextDecoder('utf-8').decode(body);
}

/** What `job.id` of a job application names: a record of this kind (interface §6). */
export const APPLIED_TO = vacancyContract;

/**
 * The events in a webhook's body, each with the bytes that are kept of it: those of the body where it is the only one, its
 * own part of a list. Null: the body is not JSON.
 */
export function readEvents(
  body: Uint8Array,
): { readonly application: ReceivedApplication; readonly body: Uint8Array }[] | null {
  const parsed = parseJson(bodyText(body));
  if (parsed === null) return null;
  const { value } = parsed;
  try {
    return eventsIn(value).map((event) => ({
      application: readApplication(event),
      body: event === value ? body : Buffer.from(JSON.stringify(event)),
    }));
  } catch {
    // Nested so deep that it cannot be written again: no application.
    return [{ application: readApplication(null), body }];
  }
}

/**
 * The application's own data in a stored body, which is that of one event: without its envelope, whose time and name may
 * differ each time that it is sent.
 */
export function applicationData(body: Uint8Array): unknown {
  const value = parseJson(bodyText(body))?.value;
  const payload = isFields(value) ? payloadOf(value) : null;
  // The id is written in any case, as a number or as text.
  return payload === null ? null : { ...payload, id: idOf(payload.id) };
}

/**
 * The value of a JSON text, in which a whole number with more digits than a number of JavaScript keeps is text of the same
 * digits. Null: it is not JSON.
 */
function parseJson(text: string): { readonly value: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    return { value: /\d{16}/.test(text) ? (JSON.parse(withLargeNumbersAsText(text)) as unknown) : value };
  } catch {
    return null;
  }
}

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** `text` is valid JSON: what is not within a text and begins with a digit or a minus is a number. */
function withLargeNumbersAsText(text: string): string {
  const parts: string[] = [];
  let copied = 0;
  for (let at = 0; at < text.length;) {
    const sign = text[at] ?? '';
    if (sign === '"') at = endOfText(text, at);
    else if (sign === '-' || (sign >= '0' && sign <= '9')) {
      NUMBER.lastIndex = at;
      const number = NUMBER.exec(text)?.[0] ?? sign;
      if (/^-?\d{16,}$/.test(number) && !Number.isSafeInteger(Number(number))) {
        parts.push(text.slice(copied, at), `"${number}"`);
        copied = at + number.length;
      }
      at += number.length;
    } else at += 1;
  }
  return parts.join('') + text.slice(copied);
}

/** Behind the quote that ends the text which begins at `start`. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end + 1;
  }
  return text.length;
}
