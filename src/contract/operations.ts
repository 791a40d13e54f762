import type { z } from 'zod';
import { applicationStatusBody, applicationStatusResult } from './application-status.js';
import { companyBody, companyRead, companyResult } from './company.js';
import { deleteResult } from './envelope.js';
import { institutionBody, institutionRead, institutionResult } from './institution.js';
import type { Certainty } from './certainty.js';
import { trainingBody, trainingRead, trainingResult } from './training.js';
import { vacancyBody, vacancyRead, vacancyResult } from './vacancy.js';

/** Everything the platform lists, including what it lists without detail (interface §4). */
export const OPERATION_NAMES = [
  'putCompany',
  'findCompany',
  'deleteCompany',
  'putVacancy',
  'findVacancy',
  'deleteVacancy',
  'updateApplicationStatus',
  'putInstitution',
  'findInstitution',
  'deleteInstitution',
  'putTraining',
  'findTraining',
  'deleteTraining',
] as const;

export type OperationName = (typeof OPERATION_NAMES)[number];

export type OperationMethod = 'PUT' | 'GET' | 'DELETE' | 'PATCH';

export interface Operation {
  readonly name: OperationName;
  /** The operator's own name of it. */
  readonly title: string;
  readonly area: 'jobs' | 'training';
  readonly entity: 'companies' | 'vacancies' | 'institutions' | 'trainings' | 'application-statuses';
  readonly method: OperationMethod;
  /** Relative to the area's base address; `{id}` stands for the record's UUID. */
  readonly path: string;
  /** The interface's label; null where it gives none. */
  readonly maturity: 'Testing' | 'Developing' | null;
  readonly certainty: {
    readonly method: Certainty;
    readonly path: Certainty;
    /** Null: the operation has no body. */
    readonly body: Certainty | null;
    readonly reply: Certainty;
  };
  /** Deletes are off until the operator enables them. */
  readonly enabledByDefault: boolean;
  readonly hasBody: boolean;
  /** The request body; null: none is sent. */
  readonly body: z.ZodType | null;
  /** `data` of the reply's envelope, read leniently. */
  readonly reply: z.ZodType;
}

type Described = Pick<Operation, 'title' | 'area' | 'entity' | 'path' | 'maturity' | 'certainty' | 'reply'>;

function operation(
  name: OperationName,
  method: OperationMethod,
  described: Described & Partial<Pick<Operation, 'body'>>,
): Operation {
  const body = described.body ?? null;
  return { name, method, ...described, enabledByDefault: method !== 'DELETE', hasBody: body !== null, body };
}

const COMPANIES = { area: 'jobs', entity: 'companies', path: '/api/v1/employers/{id}/company' } as const;
const VACANCIES = {
  area: 'jobs',
  entity: 'vacancies',
  path: '/api/v1/jobs/{id}/industrial-vacancy',
} as const;
const INSTITUTIONS = { area: 'training', entity: 'institutions', path: '/api/v1/institutions/{id}' } as const;
const TRAININGS = { area: 'training', entity: 'trainings', path: '/api/v1/trainings/{id}' } as const;
const APPLICATIONS = {
  area: 'jobs',
  entity: 'application-statuses',
  path: '/api/v1/job-applications/{id}/status',
} as const;

/** Shown in the interface in full. */
const SHOWN = {
  maturity: 'Testing',
  certainty: { method: 'specified', path: 'specified', body: 'specified', reply: 'specified' },
} as const;
const SHOWN_FIND = { maturity: 'Testing', certainty: { ...SHOWN.certainty, body: null } } as const;
/** Listed in the interface with its method, without path and reply. */
const LISTED = {
  maturity: null,
  certainty: { method: 'specified', path: 'assumed', body: null, reply: 'assumed' },
} as const;
/** Named in the interface; the method is on the operator's public pages. */
const NAMED = { maturity: null, certainty: { ...LISTED.certainty, method: 'documented' } } as const;

export const OPERATIONS: Readonly<Record<OperationName, Operation>> = {
  putCompany: operation('putCompany', 'PUT', {
    ...COMPANIES,
    ...SHOWN,
    title: 'Put Company',
    body: companyBody,
    reply: companyResult,
  }),
  findCompany: operation('findCompany', 'GET', {
    ...COMPANIES,
    ...SHOWN_FIND,
    title: 'Find Company',
    reply: companyRead,
  }),
  deleteCompany: operation('deleteCompany', 'DELETE', {
    ...COMPANIES,
    ...LISTED,
    title: 'Delete Company',
    reply: deleteResult,
  }),
  putVacancy: operation('putVacancy', 'PUT', {
    ...VACANCIES,
    ...SHOWN,
    title: 'Put Job Vacancy',
    body: vacancyBody,
    reply: vacancyResult,
  }),
  findVacancy: operation('findVacancy', 'GET', {
    ...VACANCIES,
    ...SHOWN_FIND,
    title: 'Find Job Vacancy',
    reply: vacancyRead,
  }),
  deleteVacancy: operation('deleteVacancy', 'DELETE', {
    ...VACANCIES,
    ...LISTED,
    title: 'Delete Job Vacancy',
    reply: deleteResult,
  }),
  updateApplicationStatus: operation('updateApplicationStatus', 'PATCH', {
    ...APPLICATIONS,
    ...SHOWN,
    title: 'Update Job Application Status',
    maturity: 'Developing',
    body: applicationStatusBody,
    reply: applicationStatusResult,
  }),
  putInstitution: operation('putInstitution', 'PUT', {
    ...INSTITUTIONS,
    ...SHOWN,
    title: 'Put Institution',
    body: institutionBody,
    reply: institutionResult,
  }),
  findInstitution: operation('findInstitution', 'GET', {
    ...INSTITUTIONS,
    ...LISTED,
    title: 'Find Institution',
    reply: institutionRead,
  }),
  deleteInstitution: operation('deleteInstitution', 'DELETE', {
    ...INSTITUTIONS,
    ...LISTED,
    title: 'Delete Institution',
    reply: deleteResult,
  }),
  putTraining: operation('putTraining', 'PUT', {
    ...TRAININGS,
    title: 'Put Training',
    maturity: null,
    certainty: { method: 'documented', path: 'documented', body: 'documented', reply: 'assumed' },
    body: trainingBody,
    reply: trainingResult,
  }),
  findTraining: operation('findTraining', 'GET', {
    ...TRAININGS,
    ...NAMED,
    title: 'Find Training',
    reply: trainingRead,
  }),
  deleteTraining: operation('deleteTraining', 'DELETE', {
    ...TRAININGS,
    ...NAMED,
    title: 'Delete Training',
    reply: deleteResult,
  }),
};

/**
 * @param path template of an operation, perhaps overridden by configuration, with `{id}` in it
 * @param id the record's UUID
 * @returns the path to append to the area's base address
 */
export function operationPath(path: string, id: string): string {
  // A function, because a replacement text would read `$&` as a pattern.
  return path.replace('{id}', () => encodeURIComponent(id));
}
