import { z } from 'zod';
import { isPlatformTimestamp, PLATFORM_TIMESTAMP_PATTERN } from './time.js';

/** Types of the fields that bodies are made of, strict ones: what we send. */

/**
 * Any 8-4-4-4-12 hexadecimal text. Version and variant bits are not judged: the interface says "UUID string" and
 * Postgres takes any. Both cases stand in the pattern itself, because a JSON schema has no flags.
 */
export const UUID_PATTERN = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

/** Types of body fields as the interface names them (§2). No length or range: none is shown. */
export const text = z.string({ error: 'must be text' });
export const requiredText = text.regex(/\S/, { error: 'must not be blank' });
export const uuid = text.regex(UUID_PATTERN, { error: 'must be a UUID' }).meta({ format: 'uuid' });
export const url = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
export const wholeNumber = z.int({ error: 'must be a whole number' });
export const flag = z.boolean({ error: 'must be true or false' });
/** `YYYY-MM-DD`, a day that exists. */
export const day = z.iso.date({ error: 'must be a date written YYYY-MM-DD' });
/** "Decimal degrees written as text": no exponent. */
export const decimalText = text.regex(/^-?\d+(\.\d+)?$/, { error: 'must be decimal degrees as text' });
/** `YYYY-MM-DD HH:MM:SS`, a time of a day that exists; local time of the platform. */
export const localTime = z
  .stringFormat('local-time', isPlatformTimestamp, {
    error: (issue) =>
      typeof issue.input === 'string' ? 'must be a time written YYYY-MM-DD HH:MM:SS' : 'must be text',
  })
  .meta({ pattern: PLATFORM_TIMESTAMP_PATTERN.source });

/** Amount of money: both fields are needed when the object is there. */
export const money = z.strictObject(
  { currency: requiredText, amount: wholeNumber },
  { error: 'must be an object with currency and amount' },
);

/**
 * The platform's words where the interface and its public answers show a closed choice: `male` and `pkwtt` (interface
 * §2 and §6), `female`, `single` and `open` in public answers; `married`, `pkwt` and `closed` are their counterparts
 * (assumed). Other words are sent, with a warning; a strict platform may refuse them.
 */
export const KNOWN_WORDS = {
  gender: ['male', 'female'],
  marital: ['single', 'married'],
  employment_type: ['pkwtt', 'pkwt'],
  vacancyStatus: ['open', 'closed'],
} as const;
