import { z } from 'zod';
import { readAs } from './documented.js';
import { day, decimalText, flag, localTime, text, uuid, wholeNumber } from './field-types.js';

/**
 * Types of fields in replies. A reply is read leniently: a field may be missing or null wherever the interface does
 * not need it, and its text is not checked: a wrong telephone number does not mean that the platform refused the
 * request. The OpenAPI document has the interface's own types.
 */
const lenientText = () => z.string().nullish();
const lenientNumber = () => z.number().nullish();

export const replyText = readAs(lenientText(), text);
/** Text that the interface shows as null too. */
export const replyTextOrNull = readAs(lenientText(), text.nullable());
export const replyUuid = readAs(lenientText(), uuid);
export const replyWholeNumber = readAs(lenientNumber(), wholeNumber);
export const replyFlag = readAs(z.boolean().nullish(), flag);
/** `YYYY-MM-DD` */
export const replyDay = readAs(lenientText(), day);
/** `YYYY-MM-DD HH:MM:SS` */
export const replyTime = readAs(lenientText(), localTime.meta({ examples: ['2026-01-31 08:00:00'] }));
/** ISO 8601 with numeric UTC offset. */
export const replyMoment = readAs(
  lenientText(),
  z.string().meta({
    format: 'date-time',
    description: 'ISO 8601 with numeric UTC offset.',
    examples: ['2026-01-31T08:00:00+07:00'],
  }),
);
/** Decimal degrees: the interface shows text in one place and a number in another, so both are read everywhere. */
const lenientDegrees = () => z.union([z.string(), z.number()]).nullish();
export const replyDegreesText = readAs(lenientDegrees(), decimalText);
export const replyDegrees = readAs(lenientDegrees(), z.number());
/** An amount with a fraction, read as text too. */
export const replyAmount = readAs(z.union([z.number(), z.string()]).nullish(), z.number());
