import { isPlatformTimestamp } from '../platform-timestamp.js';
import { isFields, isUuid, recogniseLayout, type Fields, type RecognisedLayout } from './recognise-layout.js';
import { storableJson, storableText, type Json } from './storable-json.js';

/** Characters: 64 before the @, 255 behind it. */
const LONGEST_EMAIL = 320;

/**
 * A received webhook as one record, in whichever layout it came. Null: the layout lacks the field, it was not sent,
 * or its value is unusable; the raw payload shows which.
 */
export interface ReceivedApplication {
  /** `unrecognised`: no layout of a new application; then every other field is null or empty. */
  readonly layout: RecognisedLayout | 'unrecognised';
  /** UUID in lower case, so that a repeat in another case is the same application. */
  readonly applicationId: string | null;
  readonly jobId: string | null;
  readonly jobTitle: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly gender: string | null;
  /** `YYYY-MM-DD`, a day that exists; layout B only. */
  readonly birthDate: string | null;
  readonly birthPlace: string | null;
  /** Whole years from 0 to 150; layout A only. */
  readonly age: number | null;
  readonly province: string | null;
  readonly city: string | null;
  /** `YYYY-MM-DD HH:MM:SS`, local time of the platform. */
  readonly appliedAt: string | null;
  readonly skills: readonly string[];
  readonly experiences: readonly Json[];
  readonly trainings: readonly Json[];
  readonly educations: readonly Json[];
  readonly certifications: readonly Json[];
  readonly achievements: readonly Json[];
  readonly languages: readonly Json[];
}

/**
 * @param value what JSON.parse made of a webhook's body
 * @returns the application in it. Never throws: a field that is not as documented is null, and a payload that is not
 *   a new application is `unrecognised`. All text can be stored in Postgres as it is.
 */
export function readApplication(value: unknown): ReceivedApplication {
  const layout = isFields(value) ? recogniseLayout(value) : null;
  const fields = isFields(value) && layout !== null ? value : {};
  const job = isFields(fields.job) ? fields.job : {};
  const applicant = layout === 'applied-at' && isFields(fields.job_seeker) ? fields.job_seeker : fields;
  return {
    layout: layout ?? 'unrecognised',
    applicationId: uuidOf(fields.id),
    jobId: uuidOf(job.id),
    jobTitle: textOf(job.title),
    name: textOf(applicant.name),
    email: emailOf(applicant.email),
    phone: textOf(applicant.phone),
    gender: textOf(applicant.gender),
    birthDate: dayOf(applicant.bod),
    birthPlace: textOf(applicant.pob),
    age: ageOf(applicant.age),
    province: textOf(applicant.province),
    city: textOf(applicant.city),
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

function uuidOf(value: unknown): string | null {
  return isUuid(value) ? value.toLowerCase() : null;
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
