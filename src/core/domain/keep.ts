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

/** `webhook.keep`: what stays of an application, from the most to the least. */
export const KEEPS = ['body', 'columns', 'minimal'] as const;

export type Keep = (typeof KEEPS)[number];
