import { vacancyContract } from '../contract/vacancy.js';
import { companies } from './companies.js';
import { VACANCY_DRAFTING } from './drafting/vacancy-drafting.js';
import type { Column, Entity } from './entity.js';
import { mapRow } from './map-row.js';
import { readBackOf, regionFields, sameNames, unshown, type ReadBackField } from './read-back.js';
import { readRegion, readSalary, type RowReader } from './row-reader.js';
import { keyColumns, REGION_COLUMNS } from './columns.js';
import { boolean, webAddress, wholeNumber } from './values.js';

const COLUMNS: readonly Column[] = [
  ...keyColumns('vacancy'),
  {
    name: 'company_key',
    required: true,
    field: 'employer',
    description: 'Key of the company, as in the companies query.',
  },
  { name: 'title', required: true, description: 'Title of the vacancy.' },
  { name: 'description', description: 'Long text.' },
  { name: 'quota', description: 'Number of positions, a whole number.' },
  { name: 'qualification', description: 'Long text about what is asked of applicants.' },
  {
    name: 'industry',
    lookup: true,
    description: 'The platform’s industry id (UUID), or a code with a lookup.',
  },
  {
    name: 'job_type',
    lookup: true,
    description: 'The platform’s job type id (UUID), or a code with a lookup.',
  },
  {
    name: 'job_function',
    lookup: true,
    description: 'The platform’s job function id (UUID), or a code with a lookup.',
  },
  ...REGION_COLUMNS,
  { name: 'gender', lookup: true, description: 'The platform’s word, such as `male`; null: no restriction.' },
  {
    name: 'min_education',
    lookup: true,
    description: 'The platform’s education level id (UUID), or a code with a lookup.',
  },
  {
    name: 'min_salary_currency',
    field: 'min_salary.currency',
    lookup: true,
    description: 'Currency of the lower salary; `IDR` when absent.',
  },
  {
    name: 'min_salary_amount',
    field: 'min_salary.amount',
    whole: true,
    description: 'Lower salary, a whole number; null leaves the salary out.',
  },
  {
    name: 'max_salary_currency',
    field: 'max_salary.currency',
    lookup: true,
    description: 'Currency of the upper salary; `IDR` when absent.',
  },
  {
    name: 'max_salary_amount',
    field: 'max_salary.amount',
    whole: true,
    description: 'Upper salary, a whole number; null leaves the salary out.',
  },
  {
    name: 'marital',
    lookup: true,
    description: 'The platform’s word, such as `single`; null: no restriction.',
  },
  { name: 'min_age', description: 'Lowest age in years, a whole number.' },
  { name: 'max_age', description: 'Highest age in years, a whole number.' },
  {
    name: 'min_experience',
    lookup: true,
    typed: true,
    description:
      'Experience that is asked for, sent as it is: a number, text or JSON. Years are seen in public answers. Null when absent.',
  },
  { name: 'disability_allowed', description: 'Whether people with a disability are invited, a boolean.' },
  { name: 'confidential', description: 'Whether the employer’s name is kept back, a boolean.' },
  {
    name: 'skills',
    lookup: true,
    description: 'Skill codes: text[], a jsonb array, or text with commas.',
  },
  { name: 'client_url', description: 'Address of the vacancy at the partner’s, with http:// or https://.' },
  { name: 'expire_at', description: 'Last day of the vacancy: a date or a timestamp.' },
  { name: 'status', lookup: true, description: 'The platform’s word; `open` when absent.' },
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
const READ_BACK = readBackOf(vacancyContract, { id: 'vacancy.job.id', reference: 'vacancy.job.reference' }, [
  ...sameNames('text', 'vacancy.job.', 'title', 'description', 'client_url'),
  { sent: 'employer.id', read: 'vacancy.job.employer.reference', rule: 'uuid' },
  ...sameNames('text', 'vacancy.', 'qualification'),
  ...sameNames('number', 'vacancy.', 'quota', 'min_age', 'max_age'),
  { sent: 'industry', read: 'industry.id', rule: 'uuid' },
  { sent: 'job_type', read: 'job_type.id', rule: 'uuid' },
  { sent: 'job_function', read: 'job_function.id', rule: 'uuid' },
  { sent: 'min_education', read: 'vacancy.min_education.id', rule: 'uuid' },
  ...regionFields('vacancy.job.'),
  ...unshown('word', 'region.country_code'),
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
  mapVersion: 3,
  repeatable: true,
  application: false,
  drafting: VACANCY_DRAFTING,
  map: (row, context) => mapRow(vacancies, row, context, body),
};
