import { UUID_PATTERN } from '../field-types.js';

export type Fields = Readonly<Record<string, unknown>>;

export type RecognisedLayout = 'applied-at' | 'flat';

/** Words of a cancellation, in the names of fields or as a status; the last is the Indonesian one. */
const CANCELLED = /cancel|withdr|batal/i;

/** Fields in which services name the event. */
const EVENT_FIELDS = ['event', 'event_name', 'event_type'];

/** Fields beside `name` that only an application in the flat layout has on its top level. */
const FLAT_FIELDS = ['bod', 'pob', 'gender', 'experiences', 'educations', 'skills'];

/**
 * Which layout of `new-job-application` this is (interface §6).
 *
 * Both have the application's `id` and a `job` object. Layout A also has a `job_seeker` object, and as a rule
 * `applied_at`: without it the time of the webhook stands in, because an application must not be lost for it. Layout B has
 * `name` and one more of the applicant's fields on the top level. A payload that mentions a cancellation or names another
 * event is neither, whatever else it has: as a new application it would count as a repeat of the first and be lost.
 */
export function recogniseLayout(fields: Fields): RecognisedLayout | null {
  if (!isUuid(fields.id) || !isFields(fields.job)) return null;
  if (speaksOfCancellation(fields) || namesAnotherEvent(fields)) return null;
  if (isFields(fields.job_seeker)) return 'applied-at';
  const applicant = typeof fields.name === 'string' && FLAT_FIELDS.some((field) => field in fields);
  return applicant ? 'flat' : null;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID_PATTERN.test(value);
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
function namesAnotherEvent(fields: Fields): boolean {
  return EVENT_FIELDS.map((field) => fields[field]).some(
    (event) =>
      typeof event === 'string' &&
      !/^new-job-applications?(-notification)?$/.test(event.toLowerCase().replace(/[^a-z]+/g, '-')),
  );
}
