import { z } from 'zod';
import { putResult } from './envelope.js';
import { requiredText, text, url, uuid } from './field-types.js';
import { regionRecord, regionReference } from './region.js';
import { replyText, replyTime } from './reply-types.js';

/** Institution request fields (interface §2). Only the name is taken for granted. */
export const institutionFields = {
  region: regionReference.optional(),
  name: requiredText,
  address: text.optional(),
  phone: text.optional(),
  email: text.nullable().optional(),
  logo_uri: url.optional(),
};

/** Request body of Put Institution. */
export const institutionBody = z.strictObject(institutionFields, { error: 'must be an object' });

export type InstitutionBody = z.infer<typeof institutionBody>;

/** `data` of Put Institution. */
export const institutionResult = putResult.extend({ name: replyText, created_at: replyTime });

/** `data` of Find Institution. The interface does not show it; assumed after the pattern of the employer record. */
export const institutionRead = z.looseObject({
  id: uuid,
  reference: uuid,
  client_id: replyText,
  name: replyText,
  address: replyText,
  phone: replyText,
  email: replyText,
  logo_uri: replyText,
  region: regionRecord.nullish(),
  created_at: replyTime,
  updated_at: replyTime,
});

export type InstitutionRead = z.infer<typeof institutionRead>;

/** The links that a Put of this institution would return. */
export function institutionLinks(read: InstitutionRead): { readonly id: string; readonly reference: string } {
  return { id: read.id, reference: read.reference };
}
