/** What a statement of `webhook.sql` may use as `:name`, and what it stands for. Each is a column of the inbox too. */
export const APPLICATION_PARAMETERS = {
  application_id: 'the application’s UUID, lower case',
  layout: '`applied-at` or `flat`',
  job_id: 'the platform’s id of the vacancy, a UUID',
  job_title: 'its title',
  vacancy_key: 'your key of the vacancy; null when the ledger does not know the job',
  name: 'the applicant’s name',
  email: 'e-mail address as sent',
  phone: 'telephone number as sent',
  gender: '`male` is a value seen',
  birth_date: 'a date, `YYYY-MM-DD`; layout `flat` only',
  birth_place: 'place of birth',
  age: 'whole years; layout `applied-at` only',
  province: 'layout `applied-at` only',
  city: 'layout `applied-at` only',
  applied_at: 'a time with zone; layout `applied-at` only',
  skills: 'a JSON array of text',
  experiences: 'a JSON array of objects as sent',
  trainings: 'a JSON array of objects as sent',
  educations: 'a JSON array of objects as sent',
  certifications: 'a JSON array of objects as sent',
  achievements: 'a JSON array of objects as sent',
  languages: 'a JSON array of objects as sent',
  request_id: 'the Request-Id header',
  request_timestamp: 'the Request-Timestamp header, a time with zone',
  received_at: 'when it was stored, a time with zone',
  body: 'the whole body as text',
} as const;

export type ApplicationParameter = keyof typeof APPLICATION_PARAMETERS;

export const APPLICATION_PARAMETER_NAMES = Object.keys(
  APPLICATION_PARAMETERS,
) as readonly ApplicationParameter[];
