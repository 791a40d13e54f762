import type { OperationName } from '../src/contract/operation.js';
import type { Entity } from '../src/entities/entity.js';
import { ENTITIES } from '../src/entities/index.js';
import type { ReadBack } from '../src/entities/read-back.js';

/** What is done with the fields of replies and events, by path. A test holds the paths to the contract. */
type Uses = Readonly<Record<string, string>>;

const KEPT_LINKS = {
  id: 'kept as `remote_id`',
  reference: 'kept as `reference`; children are sent with it',
};

/** What is done with the reply of each of an entity's operations. */
function usesOf({ operations, application, readBack }: Entity): (readonly [OperationName, Uses])[] {
  return operations.flatMap(({ name, method }) => {
    if (method === 'GET') return readBack === null ? [] : [[name, readBackUses(readBack)] as const];
    if (method === 'DELETE') return [];
    return [[name, application ? { status: 'kept', hired_at: 'kept' } : KEPT_LINKS] as const];
  });
}

/** The field of the body that a read-back compares it with, and the links that are taken over. */
function readBackUses({ fields, linkPaths }: ReadBack): Uses {
  return {
    ...Object.fromEntries(
      fields.flatMap(({ read, sent, rule }) => {
        const picture = 'only whether there is one: the service hosts pictures itself';
        return read === null ? [] : [[read, rule === 'picture' ? picture : `read-back of \`${sent}\``]];
      }),
    ),
    [linkPaths.id]: KEPT_LINKS.id,
    [linkPaths.reference]: KEPT_LINKS.reference,
  };
}

/** Fields of replies that are used; every other one is not. */
export const REPLY_USES: Readonly<Record<OperationName, Uses>> = Object.fromEntries(ENTITIES.flatMap(usesOf));

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
