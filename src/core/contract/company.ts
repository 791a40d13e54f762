import { z } from 'zod';
import { entityContract, LISTED, SHOWN, SHOWN_FIND } from './operation.js';
import { countryRule } from './doubts.js';
import * as field from './fields.js';
import * as reply from './reply-fields.js';
import { regionRecord, regionReference } from './region.js';

/** Company request fields (interface §2). It does not show which are required; only the name is assumed to be. */
export const companyFields = {
  region: regionReference.optional(),
  name: field.requiredText,
  postal_code: field.text.optional(),
  address: field.text.optional(),
  phone: field.text.optional(),
  email: field.text.optional(),
  license_number: field.text.optional(),
  industry: field.uuid.optional(),
  about: field.text.optional(),
  website: field.url.optional(),
  latitude: field.decimalText.optional(),
  longitude: field.decimalText.optional(),
  logo_uri: field.url.optional(),
  cover_uri: field.url.optional(),
};

/** Request body of Put Company. */
export const companyBody = z.strictObject(
  {
    ...companyFields,
    region: companyFields.region.describe(
      'The interface does not say whether it is required. The strict sandbox, and this worker by default, refuse a company without it.',
    ),
  },
  { error: 'must be an object' },
);

export type CompanyBody = z.infer<typeof companyBody>;

/** `data` of Put Company. */
const companyResult = reply.putResult.extend({ name: reply.text, created_at: reply.time });

/** Employer record of a response: `reference` links the company to its vacancies. */
export const employerRecord = z.looseObject({
  id: field.uuid,
  reference: field.uuid,
  client_id: reply.uuid,
  name: reply.text,
  postal_code: reply.text,
  address: reply.text,
  phone: reply.text,
  email: reply.text,
  region: reply.part(regionRecord),
});

/** Id and name of a catalogue entry in a response. */
export const namedRecord = z.looseObject({ id: field.uuid, name: reply.text });

/** `data` of Find Company. */
export const companyRead = z.looseObject({
  id: field.uuid,
  license_number: reply.text,
  about: reply.text,
  website: reply.text,
  latitude: reply.degreesText,
  longitude: reply.degreesText,
  created_at: reply.time,
  updated_at: reply.time,
  logo_uri: reply.text,
  cover_uri: reply.text,
  industry: reply.part(namedRecord),
  employer: employerRecord,
});

/** Put, Find and Delete Company of the job-placement area. */
export const companyContract = entityContract({
  name: 'companies',
  area: 'jobs',
  noun: { one: 'company', many: 'companies' },
  label: 'name',
  path: '/api/v1/employers/{id}/company',
  operations: [
    {
      name: 'putCompany',
      title: 'Put Company',
      method: 'PUT',
      ...SHOWN,
      body: companyBody,
      reply: companyResult,
    },
    { name: 'findCompany', title: 'Find Company', method: 'GET', ...SHOWN_FIND, reply: companyRead },
    {
      name: 'deleteCompany',
      title: 'Delete Company',
      method: 'DELETE',
      ...LISTED,
      reply: reply.deleted,
    },
  ],
  doubts: [countryRule],
  schemas: {
    CatalogueEntry: namedRecord,
    EmployerRecord: employerRecord,
    CompanyBody: companyBody,
    CompanyResult: companyResult,
    Company: companyRead,
  },
});
