import { z } from 'zod';
import { entityContract, LISTED, SHOWN, SHOWN_FIND } from './operation.js';
import { companyFields, employerRecord, namedRecord } from './company.js';
import {
  betweenRule,
  countryRule,
  pastDayRule,
  placesRule,
  reversedRule,
  salaryRule,
  skillsRule,
  wordRule,
} from './doubts.js';
import * as field from './fields.js';
import * as reply from './reply-fields.js';
import { extendedRegionRecord, regionReference } from './region.js';

/** Vacancy request fields without the employer (interface §2). Only the title is assumed to be required. */
const vacancyFields = {
  title: field.requiredText,
  description: field.text.optional(),
  quota: field.wholeNumber.optional(),
  qualification: field.text.optional(),
  industry: field.uuid.optional(),
  job_type: field.uuid.optional(),
  job_function: field.uuid.optional(),
  region: regionReference.optional(),
  gender: field.text.nullable().optional().describe('Null means no restriction.'),
  min_education: field.uuid.optional(),
  min_salary: field.money.optional(),
  max_salary: field.money.optional(),
  marital: field.text.nullable().optional(),
  min_age: field.wholeNumber.optional(),
  max_age: field.wholeNumber.optional(),
  /** "any or null" in the interface. */
  min_experience: z.unknown().optional(),
  disability_allowed: field.flag.optional(),
  confidential: field.flag.optional(),
  skills: z
    .array(field.text, { error: 'must be a list of text' })
    .optional()
    .describe('Lower-case snake_case skill codes.'),
  client_url: field.url.optional(),
  expire_at: field.day.optional(),
  status: field.requiredText.optional().describe('open is the value used.'),
};

/** The company as it is sent inside a vacancy: its fields plus `id`, which is the company's `reference`. */
const vacancyEmployer = z.strictObject(
  { id: field.uuid.describe('The company’s reference.'), ...companyFields },
  { error: 'must be an object with id and name' },
);

/** Request body of Put Job Vacancy. */
export const vacancyBody = z.strictObject(
  { ...vacancyFields, employer: vacancyEmployer },
  { error: 'must be an object' },
);

export type VacancyBody = z.infer<typeof vacancyBody>;

/** `data` of Put Job Vacancy. */
const vacancyResult = reply.putResult.extend({ title: reply.text, created_at: reply.time });

const jobRecord = z.looseObject({
  id: field.uuid,
  reference: field.uuid,
  client_id: reply.uuid,
  title: reply.text,
  description: reply.text,
  min_salary_currency: reply.text,
  min_salary_amount: reply.wholeNumber,
  max_salary_currency: reply.text,
  max_salary_amount: reply.wholeNumber,
  client_url: reply.text,
  expire_at: reply.day,
  status: reply.text,
  employer: reply.part(employerRecord),
  region: reply.part(extendedRegionRecord),
});

/** `data` of Find Job Vacancy. `confidential` and `skills` are not in it. */
export const vacancyRead = z.looseObject({
  id: field.uuid,
  min_experience: z.unknown().optional(),
  vacancy: z.looseObject({
    id: reply.uuid,
    gender: reply.textOrNull,
    marital: reply.textOrNull,
    min_age: reply.wholeNumber,
    max_age: reply.wholeNumber,
    qualification: reply.text,
    quota: reply.wholeNumber,
    disability_allowed: reply.flag,
    min_education: reply.part(namedRecord.extend({ level: reply.wholeNumber })),
    job: jobRecord,
  }),
  job_type: reply.part(namedRecord),
  job_function: reply.part(namedRecord),
  industry: reply.part(namedRecord),
});

/** Above this, a lowest or highest age is a slip. */
const OLDEST = 100;

/** Put, Find and Delete Job Vacancy of the job-placement area. */
export const vacancyContract = entityContract({
  name: 'vacancies',
  area: 'jobs',
  noun: { one: 'job vacancy', many: 'job vacancies' },
  label: 'title',
  path: '/api/v1/jobs/{id}/industrial-vacancy',
  operations: [
    {
      name: 'putVacancy',
      title: 'Put Job Vacancy',
      method: 'PUT',
      ...SHOWN,
      body: vacancyBody,
      reply: vacancyResult,
    },
    { name: 'findVacancy', title: 'Find Job Vacancy', method: 'GET', ...SHOWN_FIND, reply: vacancyRead },
    {
      name: 'deleteVacancy',
      title: 'Delete Job Vacancy',
      method: 'DELETE',
      ...LISTED,
      reply: reply.deleted,
    },
  ],
  doubts: [
    wordRule('gender', field.KNOWN_WORDS.gender),
    wordRule('marital', field.KNOWN_WORDS.marital),
    // `closedStatus` may be any word.
    wordRule('status', field.KNOWN_WORDS.vacancyStatus, false),
    skillsRule('skills'),
    countryRule,
    salaryRule('min_salary'),
    salaryRule('max_salary'),
    reversedRule('min_salary.amount', 'max_salary.amount', ['min_salary.currency', 'max_salary.currency']),
    placesRule('quota'),
    betweenRule('min_age', OLDEST),
    betweenRule('max_age', OLDEST),
    reversedRule('min_age', 'max_age'),
    pastDayRule('expire_at', { field: 'status', open: 'open' }),
  ],
  schemas: {
    Money: field.money,
    VacancyEmployer: vacancyEmployer,
    VacancyBody: vacancyBody,
    VacancyResult: vacancyResult,
    Vacancy: vacancyRead,
  },
});
