import { z } from 'zod';
import { entityContract, LISTED, SHOWN } from './operation.js';
import { countryRule } from './doubts.js';
import {
  deleteResult,
  putResult,
  replyPart,
  replyText,
  replyTextOrNull,
  replyTime,
  replyUuid,
  requiredText,
  text,
  url,
  uuid,
} from './fields.js';
import { regionRecord, regionReference } from './region.js';

/** Institution request fields (interface §2). Only the name is assumed to be required. */
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
const institutionResult = putResult.extend({ name: replyText, created_at: replyTime });

/** `data` of Find Institution. The interface does not show it; assumed after the pattern of the employer record. */
export const institutionRead = z.looseObject({
  id: uuid,
  reference: uuid,
  client_id: replyUuid,
  name: replyText,
  address: replyText,
  phone: replyText,
  email: replyTextOrNull,
  logo_uri: replyText,
  region: replyPart(regionRecord),
  created_at: replyTime,
  updated_at: replyTime,
});

/** Put, Find and Delete Institution of the training area. */
export const institutionContract = entityContract({
  name: 'institutions',
  area: 'training',
  noun: { one: 'institution', many: 'institutions' },
  label: 'name',
  path: '/api/v1/institutions/{id}',
  operations: [
    {
      name: 'putInstitution',
      title: 'Put Institution',
      method: 'PUT',
      ...SHOWN,
      body: institutionBody,
      reply: institutionResult,
    },
    { name: 'findInstitution', title: 'Find Institution', method: 'GET', ...LISTED, reply: institutionRead },
    {
      name: 'deleteInstitution',
      title: 'Delete Institution',
      method: 'DELETE',
      ...LISTED,
      reply: deleteResult,
    },
  ],
  doubts: [countryRule],
  schemas: {
    InstitutionBody: institutionBody,
    InstitutionResult: institutionResult,
    Institution: institutionRead,
  },
});
