import type { OperationName } from '../src/contract/operations.js';

/** What is done with the fields of replies and events, by path. A test holds the paths to the contract. */
type Uses = Readonly<Record<string, string>>;

const KEPT_LINKS: Uses = {
  id: 'kept as `remote_id`',
  reference: 'kept as `reference`; children are sent with it',
};

/** The field of the body that a read-back compares it with. */
const sent = (field: string) => `read-back of \`${field}\``;

const REHOSTED = 'not compared: the service hosts pictures itself';

function sameFields(prefix: string, ...fields: readonly string[]): Uses {
  return Object.fromEntries(fields.map((field) => [`${prefix}${field}`, sent(field)]));
}

const region = (prefix: string): Uses => ({
  [`${prefix}region.regionable_type`]: sent('region.type'),
  [`${prefix}region.regionable_id`]: sent('region.id'),
});

/** Fields of replies that are used; every other one is not. */
export const REPLY_USES: Readonly<Partial<Record<OperationName, Uses>>> = {
  putCompany: KEPT_LINKS,
  putVacancy: KEPT_LINKS,
  putInstitution: KEPT_LINKS,
  putTraining: KEPT_LINKS,
  updateApplicationStatus: { status: 'kept', hired_at: 'kept' },
  findCompany: {
    ...sameFields('', 'license_number', 'about', 'website', 'latitude', 'longitude'),
    'industry.id': sent('industry'),
    logo_uri: REHOSTED,
    cover_uri: REHOSTED,
    'employer.id': KEPT_LINKS.id ?? '',
    'employer.reference': KEPT_LINKS.reference ?? '',
    ...sameFields('employer.', 'name', 'postal_code', 'address', 'phone', 'email'),
    ...region('employer.'),
  },
  findVacancy: {
    min_experience: sent('min_experience'),
    ...sameFields('vacancy.', 'gender', 'marital', 'min_age', 'max_age', 'qualification', 'quota'),
    ...sameFields('vacancy.', 'disability_allowed'),
    'vacancy.min_education.id': sent('min_education'),
    'vacancy.job.id': KEPT_LINKS.id ?? '',
    'vacancy.job.reference': KEPT_LINKS.reference ?? '',
    ...sameFields('vacancy.job.', 'title', 'description', 'client_url', 'expire_at', 'status'),
    'vacancy.job.min_salary_currency': sent('min_salary.currency'),
    'vacancy.job.min_salary_amount': sent('min_salary.amount'),
    'vacancy.job.max_salary_currency': sent('max_salary.currency'),
    'vacancy.job.max_salary_amount': sent('max_salary.amount'),
    'vacancy.job.employer.reference': sent('employer.id'),
    ...region('vacancy.job.'),
    'job_type.id': sent('job_type'),
    'job_function.id': sent('job_function'),
    'industry.id': sent('industry'),
  },
  findInstitution: {
    ...KEPT_LINKS,
    ...sameFields('', 'name', 'address', 'phone', 'email'),
    logo_uri: REHOSTED,
    ...region(''),
  },
  findTraining: {
    ...KEPT_LINKS,
    ...sameFields('', 'title', 'description', 'address', 'media', 'difficulty_level', 'price', 'certified'),
    ...sameFields('', 'bnsp_certified', 'quota', 'expired_date', 'start_date', 'finish_date'),
    cover_uri: REHOSTED,
    ...region(''),
    'institution.reference': sent('institution.id'),
  },
};

/** Fields of webhook payloads that become a field of their own; lists are kept as JSON, the rest as raw payload. */
export const EVENT_USES: Readonly<Record<'applied-at' | 'flat', Uses>> = {
  'applied-at': {
    id: 'applicationId',
    applied_at: 'appliedAt',
    'job.id': 'jobId',
    'job.title': 'jobTitle',
    'job_seeker.name': 'name',
    'job_seeker.email': 'email',
    'job_seeker.phone': 'phone',
    'job_seeker.pob': 'birthPlace',
    'job_seeker.gender': 'gender',
    'job_seeker.province': 'province',
    'job_seeker.city': 'city',
    'job_seeker.age': 'age',
    skills: 'skills',
  },
  flat: {
    id: 'applicationId',
    'job.id': 'jobId',
    'job.title': 'jobTitle',
    name: 'name',
    bod: 'birthDate',
    pob: 'birthPlace',
    gender: 'gender',
    email: 'email',
    phone: 'phone',
    skills: 'skills',
  },
};
