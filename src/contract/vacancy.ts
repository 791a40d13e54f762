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
import {
  day,
  deleteResult,
  flag,
  KNOWN_WORDS,
  money,
  putResult,
  replyDay,
  replyFlag,
  replyPart,
  replyText,
  replyTextOrNull,
  replyTime,
  replyUuid,
  replyWholeNumber,
  requiredText,
  text,
  url,
  uuid,
  wholeNumber,
} from './fields.js';
import { extendedRegionRecord, regionReference } from './region.js';

/** Vacancy request fields without the employer (interface §2). Only the title is assumed to be required. */
const vacancyFields = {
  title: requiredText,
  description: text.optional(),
  quota: wholeNumber.optional(),
  qualification: text.optional(),
  industry: uuid.optional(),
  job_type: uuid.optional(),
  job_function: uuid.optional(),
  region: regionReference.optional(),
  gender: text.nullable().optional().describe('Null means no restriction.'),
  min_education: uuid.optional(),
  min_salary: money.optional(),
  max_salary: money.optional(),
  marital: text.nullable().optional(),
  min_age: wholeNumber.optional(),
  max_age: wholeNumber.optional(),
  /** "any or null" in the interface. */
  min_experience: z.unknown().optional(),
  disability_allowed: flag.optional(),
  confidential: flag.optional(),
  skills: z
    .array(text, { error: 'must be a list of text' })
    .optional()
    .describe('Lower-case snake_case skill codes.'),
  client_url: url.optional(),
  expire_at: day.optional(),
  status: requiredText.optional().describe('open is the value used.'),
};

/** The company as it is sent inside a vacancy: its fields plus `id`, which is the company's `reference`. */
const vacancyEmployer = z.strictObject(
  { id: uuid.describe('The company’s reference.'), ...companyFields },
  { error: 'must be an object with id and name' },
);

/** Request body of Put Job Vacancy. */
export const vacancyBody = z.strictObject(
  { ...vacancyFields, employer: vacancyEmployer },
  { error: 'must be an object' },
);

export type VacancyBody = z.infer<typeof vacancyBody>;

/** `data` of Put Job Vacancy. */
const vacancyResult = putResult.extend({ title: replyText, created_at: replyTime });

const jobRecord = z.looseObject({
  id: uuid,
  reference: uuid,
  client_id: replyUuid,
  title: replyText,
  description: replyText,
  min_salary_currency: replyText,
  min_salary_amount: replyWholeNumber,
  max_salary_currency: replyText,
  max_salary_amount: replyWholeNumber,
  client_url: replyText,
  expire_at: replyDay,
  status: replyText,
  employer: replyPart(employerRecord),
  region: replyPart(extendedRegionRecord),
});

/** `data` of Find Job Vacancy. `confidential` and `skills` are not in it. */
export const vacancyRead = z.looseObject({
  id: uuid,
  min_experience: z.unknown().optional(),
  vacancy: z.looseObject({
    id: replyUuid,
    gender: replyTextOrNull,
    marital: replyTextOrNull,
    min_age: replyWholeNumber,
    max_age: replyWholeNumber,
    qualification: replyText,
    quota: replyWholeNumber,
    disability_allowed: replyFlag,
    min_education: replyPart(namedRecord.extend({ level: replyWholeNumber })),
    job: jobRecord,
  }),
  job_type: replyPart(namedRecord),
  job_function: replyPart(namedRecord),
  industry: replyPart(namedRecord),
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
    { name: 'deleteVacancy', title: 'Delete Job Vacancy', method: 'DELETE', ...LISTED, reply: deleteResult },
  ],
  doubts: [
    wordRule('gender', KNOWN_WORDS.gender),
    wordRule('marital', KNOWN_WORDS.marital),
    // `closedStatus` may be any word.
    wordRule('status', KNOWN_WORDS.vacancyStatus, false),
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
    Money: money,
    VacancyEmployer: vacancyEmployer,
    VacancyBody: vacancyBody,
    VacancyResult: vacancyResult,
    Vacancy: vacancyRead,
  },
});
