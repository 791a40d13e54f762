import { z } from 'zod';

/**
 * Types of fields in replies. A reply is read leniently: a field may be missing or null wherever the interface does
 * not need it, and its text is not checked: a wrong telephone number does not mean that the platform refused the
 * request.
 */
export const replyText = z.string().nullish();
export const replyNumber = z.number().nullish();
export const replyFlag = z.boolean().nullish();
/** `YYYY-MM-DD HH:MM:SS`, as the interface says; not checked. */
export const replyTime = z
  .string()
  .meta({ examples: ['2026-01-31 08:00:00'] })
  .nullish();
/** Decimal degrees: the interface shows text in one place and a number in another. */
export const replyDegrees = z.union([z.string(), z.number()]).nullish();
