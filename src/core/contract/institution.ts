import { z } from 'zod';
import { entityContract, LISTED, SHOWN } from './operation.js';
import { countryRule } from './doubts.js';
import * as field from './fields.js';
import * as reply from './reply-fields.js';
import { regionRecord, regionReference } from './region.js';

/** Institution request fields (interface §2). Only the name is assumed to be required. */
export const institutionFields = {
  region: regionReference.optional(),
  name: field.requiredText,
  address: field.text.optional(),
  phone: field.text.optional(),
  email: field.text.nullable().optional(),
  logo_uri: field.url.optional(),
};

/** Request body of Put Institution. */
export const institutionBody = z.strictObject(institutionFields, { error: 'must be an object' });

export type InstitutionBody = z.infer<typeof institutionBody>;

/** `data` of Put Institution. */
const institutionResult = reply.putResult.extend({ name: reply.text, created_at: reply.time });

/** `data` of Find Institution. The interface does not show it; assumed after the pattern of the employer record. */
export const institutionRead = z.looseObject({
  id: field.uuid,
  reference: field.uuid,
  client_id: reply.uuid,
  name: reply.text,
  address: reply.text,
  phone: reply.text,
  email: reply.textOrNull,
  logo_uri: reply.text,
  region: reply.part(regionRecord),
  created_at: reply.time,
  updated_at: reply.time,
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
      reply: reply.deleted,
    },
  ],
  doubts: [countryRule],
  schemas: {
    InstitutionBody: institutionBody,
    InstitutionResult: institutionResult,
    Institution: institutionRead,
  },
});
