/** Columns of the inbox with values of the applicant. */
export const PERSONAL_COLUMNS = [
  'name',
  'email',
  'phone',
  'gender',
  'birth_date',
  'birth_place',
  'age',
  'province',
  'city',
] as const;

/** Columns of the inbox with lists of the applicant's life, as JSON. */
export const LIST_COLUMNS = [
  'skills',
  'experiences',
  'trainings',
  'educations',
  'certifications',
  'achievements',
  'languages',
] as const;

/** What a statement of `webhook.sql` may use as `:name`. Each is a column of the inbox too, as docs/webhook.md has it. */
export const APPLICATION_PARAMETER_NAMES = [
  'application_id',
  'application_ref',
  'version',
  'layout',
  'job_id',
  'job_ref',
  'job_title',
  'vacancy_key',
  ...PERSONAL_COLUMNS,
  'applied_at',
  ...LIST_COLUMNS,
  'request_id',
  'request_timestamp',
  'received_at',
  'body',
] as const;

export type ApplicationParameter = (typeof APPLICATION_PARAMETER_NAMES)[number];

/** `webhook.keep`: what stays of an application, from the most to the least. */
export const KEEPS = ['body', 'columns', 'minimal'] as const;

export type Keep = (typeof KEEPS)[number];
