import type { OperationName } from '../src/contract/operations.js';
import type { EntityName } from '../src/domain/entity-name.js';
import { entity } from '../src/entities/index.js';

/** What is done with the fields of replies and events, by path. A test holds the paths to the contract. */
type Uses = Readonly<Record<string, string>>;

const KEPT_LINKS: Uses = {
  id: 'kept as `remote_id`',
  reference: 'kept as `reference`; children are sent with it',
};

/** The field of the body that a read-back compares it with, and the links that are taken over. */
function readBackUses(name: EntityName, links: { readonly id: string; readonly reference: string }): Uses {
  const fields = entity(name).readBack?.fields ?? [];
  return {
    ...Object.fromEntries(
      fields.map(({ read, sent, rule }) => [
        read,
        rule === 'picture'
          ? 'only whether there is one: the service hosts pictures itself'
          : `read-back of \`${sent}\``,
      ]),
    ),
    [links.id]: KEPT_LINKS.id ?? '',
    [links.reference]: KEPT_LINKS.reference ?? '',
  };
}

/** Fields of replies that are used; every other one is not. */
export const REPLY_USES: Readonly<Partial<Record<OperationName, Uses>>> = {
  putCompany: KEPT_LINKS,
  putVacancy: KEPT_LINKS,
  putInstitution: KEPT_LINKS,
  putTraining: KEPT_LINKS,
  updateApplicationStatus: { status: 'kept', hired_at: 'kept' },
  findCompany: readBackUses('companies', { id: 'employer.id', reference: 'employer.reference' }),
  findVacancy: readBackUses('vacancies', { id: 'vacancy.job.id', reference: 'vacancy.job.reference' }),
  findInstitution: readBackUses('institutions', { id: 'id', reference: 'reference' }),
  findTraining: readBackUses('trainings', { id: 'id', reference: 'reference' }),
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
