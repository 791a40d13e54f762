import { z } from 'zod';
import { entityContract, LISTED, SHOWN, SHOWN_FIND } from './operation.js';
import { countryRule } from './doubts.js';
import {
  decimalText,
  deleteResult,
  putResult,
  replyDegreesText,
  replyPart,
  replyText,
  replyTime,
  replyUuid,
  requiredText,
  text,
  url,
  uuid,
} from './fields.js';
import { regionRecord, regionReference } from './region.js';

/** Company request fields (interface §2). It does not show which are required; only the name is assumed to be. */
export const companyFields = {
  region: regionReference.optional(),
  name: requiredText,
  postal_code: text.optional(),
  address: text.optional(),
  phone: text.optional(),
  email: text.optional(),
  license_number: text.optional(),
  industry: uuid.optional(),
  about: text.optional(),
  website: url.optional(),
  latitude: decimalText.optional(),
  longitude: decimalText.optional(),
  logo_uri: url.optional(),
  cover_uri: url.optional(),
};

/** Request body of Put Company. */
export const companyBody = z.strictObject(companyFields, { error: 'must be an object' });

export type CompanyBody = z.infer<typeof companyBody>;

/** `data` of Put Company. */
const companyResult = putResult.extend({ name: replyText, created_at: replyTime });

/** Employer record of a response: `reference` links the company to its vacancies. */
export const employerRecord = z.looseObject({
  id: uuid,
  reference: uuid,
  client_id: replyUuid,
  name: replyText,
  postal_code: replyText,
  address: replyText,
  phone: replyText,
  email: replyText,
  region: replyPart(regionRecord),
});

/** Id and name of a catalogue entry in a response. */
export const namedRecord = z.looseObject({ id: uuid, name: replyText });

/** `data` of Find Company. */
export const companyRead = z.looseObject({
  id: uuid,
  license_number: replyText,
  about: replyText,
  website: replyText,
  latitude: replyDegreesText,
  longitude: replyDegreesText,
  created_at: replyTime,
  updated_at: replyTime,
  logo_uri: replyText,
  cover_uri: replyText,
  industry: replyPart(namedRecord),
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
    { name: 'deleteCompany', title: 'Delete Company', method: 'DELETE', ...LISTED, reply: deleteResult },
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
