import { vacancyContract } from '../contract/vacancy.js';
import { companies } from './companies.js';
import type { Entity } from './entity.js';
import { mapRow } from './map-row.js';
import { readBackOf, regionFields, sameNames, unshown, type ReadBackField } from './read-back.js';
import { readRegion, readSalary, type RowReader } from './row-reader.js';
import { column, keyColumns, REGION_COLUMNS } from './columns.js';
import { boolean, webAddress, wholeNumber } from './values.js';

const COLUMNS = [
  ...keyColumns('vacancy'),
  column('company_key', 'Key of the company, as in the companies query.', {
    required: true,
    field: 'employer',
  }),
  column('title', 'Title of the vacancy.', { required: true }),
  column('description', 'Long text.'),
  column('quota', 'Number of positions, a whole number.', { typed: true }),
  column('qualification', 'Long text about what is asked of applicants.'),
  column('industry', 'The platform’s industry id (UUID), or a code with a lookup.', { lookup: true }),
  column('job_type', 'The platform’s job type id (UUID), or a code with a lookup.', { lookup: true }),
  column('job_function', 'The platform’s job function id (UUID), or a code with a lookup.', { lookup: true }),
  ...REGION_COLUMNS,
  column('gender', 'The platform’s word, such as `male`; null: no restriction.', { lookup: true }),
  column('min_education', 'The platform’s education level id (UUID), or a code with a lookup.', {
    lookup: true,
  }),
  column('min_salary_currency', 'Currency of the lower salary; `IDR` when absent.', {
    field: 'min_salary.currency',
    lookup: true,
  }),
  column('min_salary_amount', 'Lower salary, a whole number; null leaves the salary out.', {
    field: 'min_salary.amount',
    whole: true,
    typed: true,
  }),
  column('max_salary_currency', 'Currency of the upper salary; `IDR` when absent.', {
    field: 'max_salary.currency',
    lookup: true,
  }),
  column('max_salary_amount', 'Upper salary, a whole number; null leaves the salary out.', {
    field: 'max_salary.amount',
    whole: true,
    typed: true,
  }),
  column('marital', 'The platform’s word, such as `single`; null: no restriction.', { lookup: true }),
  column('min_age', 'Lowest age in years, a whole number.', { typed: true }),
  column('max_age', 'Highest age in years, a whole number.', { typed: true }),
  column(
    'min_experience',
    'Experience that is asked for, sent as it is: a number, text or JSON. Years are seen in public answers. Null when absent.',
    { lookup: true, typed: true },
  ),
  column('disability_allowed', 'Whether people with a disability are invited, a boolean.'),
  column('confidential', 'Whether the employer’s name is kept back, a boolean.'),
  column('skills', 'Skill codes: text[], a jsonb array, or text with commas.', { lookup: true }),
  column('client_url', 'Address of the vacancy at the partner’s, with http:// or https://.'),
  column('expire_at', 'Last day of the vacancy: a date or a timestamp.'),
  column('status', 'The platform’s word; `open` when absent.', { lookup: true }),
];

function body(read: RowReader) {
  return {
    title: read.text('title'),
    description: read.text('description'),
    quota: read.value('quota', wholeNumber),
    qualification: read.text('qualification'),
    industry: read.id('industry'),
    job_type: read.id('job_type'),
    job_function: read.id('job_function'),
    region: readRegion(read),
    gender: read.text('gender') ?? null,
    min_education: read.id('min_education'),
    min_salary: readSalary(read, 'min_salary'),
    max_salary: readSalary(read, 'max_salary'),
    marital: read.text('marital') ?? null,
    min_age: read.value('min_age', wholeNumber),
    max_age: read.value('max_age', wholeNumber),
    min_experience: read.json('min_experience') ?? null,
    disability_allowed: read.value('disability_allowed', boolean),
    confidential: read.value('confidential', boolean),
    skills: read.skills('skills'),
    client_url: read.value('client_url', webAddress),
    expire_at: read.day('expire_at'),
    status: read.text('status', 'open'),
  };
}

/** Of the employer only its id is compared: the rest is the company's. */
const LINKS = {
  id: 'vacancy.job.id',
  reference: 'vacancy.job.reference',
  clientIds: ['vacancy.job.client_id', 'vacancy.job.employer.client_id'],
  regionDeletedAt: 'vacancy.job.region.regionable.deleted_at',
};

const READ_BACK = readBackOf(vacancyContract, LINKS, [
  ...sameNames('text', 'vacancy.job.', 'title', 'description', 'client_url'),
  { sent: 'employer.id', read: 'vacancy.job.employer.reference', rule: 'uuid' },
  ...sameNames('text', 'vacancy.', 'qualification'),
  ...sameNames('number', 'vacancy.', 'quota', 'min_age', 'max_age'),
  { sent: 'industry', read: 'industry.id', rule: 'uuid' },
  { sent: 'job_type', read: 'job_type.id', rule: 'uuid' },
  { sent: 'job_function', read: 'job_function.id', rule: 'uuid' },
  { sent: 'min_education', read: 'vacancy.min_education.id', rule: 'uuid' },
  ...regionFields('vacancy.job.'),
  {
    sent: 'region.country_code',
    read: 'vacancy.job.region.regionable.province.country.code',
    rule: 'country',
  },
  ...sameNames('word', 'vacancy.', 'gender', 'marital'),
  ...salaryFields('min_salary'),
  ...salaryFields('max_salary'),
  ...sameNames('any', '', 'min_experience'),
  ...sameNames('flag', 'vacancy.', 'disability_allowed'),
  ...unshown('flag', 'confidential'),
  ...unshown('list', 'skills'),
  ...sameNames('date', 'vacancy.job.', 'expire_at'),
  ...sameNames('status', 'vacancy.job.', 'status'),
]);

function salaryFields(name: 'min_salary' | 'max_salary'): ReadBackField[] {
  return [
    { sent: `${name}.currency`, read: `vacancy.job.${name}_currency`, rule: 'word' },
    { sent: `${name}.amount`, read: `vacancy.job.${name}_amount`, rule: 'number' },
  ];
}

/** Job vacancies: Put Job Vacancy of the job-placement area. The employer is put in when sending. */
export const vacancies: Entity = {
  ...vacancyContract,
  titles: { en: 'Vacancies', id: 'Lowongan' },
  description: 'Job vacancies.',
  parent: { entity: companies.name, column: 'company_key', field: 'employer' },
  readBack: READ_BACK,
  statusField: 'status',
  lastDay: 'expire_at',
  columns: COLUMNS,
  assumedRequired: [],
  mapVersion: 4,
  repeatable: true,
  application: false,
  map: (row, context) => mapRow(vacancies, row, context, body),
};
