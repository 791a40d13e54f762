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

/**
 * How sure a fact is. `specified`: stated in the service interface. `documented`: on the operator's public
 * pages. `assumed`: by analogy with the other operations.
 */
export type Mark = 'specified' | 'documented' | 'assumed';

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
  readonly mark: { readonly method: Mark; readonly path: Mark };
  /** Deletes are off until the operator enables them. */
  readonly enabledByDefault: boolean;
  readonly hasBody: boolean;
}

const COMPANY_PATH = '/api/v1/employers/{id}/company';
const VACANCY_PATH = '/api/v1/jobs/{id}/industrial-vacancy';
const APPLICATION_STATUS_PATH = '/api/v1/job-applications/{id}/status';
const INSTITUTION_PATH = '/api/v1/institutions/{id}';
const TRAINING_PATH = '/api/v1/trainings/{id}';

type Described = Pick<Operation, 'title' | 'area' | 'entity' | 'path' | 'maturity' | 'mark'>;

function operation(name: OperationName, method: OperationMethod, described: Described): Operation {
  return {
    name,
    method,
    ...described,
    enabledByDefault: method !== 'DELETE',
    hasBody: method === 'PUT' || method === 'PATCH',
  };
}

const COMPANIES = { area: 'jobs', entity: 'companies', path: COMPANY_PATH } as const;
const VACANCIES = { area: 'jobs', entity: 'vacancies', path: VACANCY_PATH } as const;
const INSTITUTIONS = { area: 'training', entity: 'institutions', path: INSTITUTION_PATH } as const;
const TRAININGS = { area: 'training', entity: 'trainings', path: TRAINING_PATH } as const;

const SPECIFIED = { method: 'specified', path: 'specified' } as const;
/** Listed in the interface with its method, without a path. */
const LISTED = { method: 'specified', path: 'assumed' } as const;

export const OPERATIONS: Readonly<Record<OperationName, Operation>> = {
  putCompany: operation('putCompany', 'PUT', {
    ...COMPANIES,
    title: 'Put Company',
    maturity: 'Testing',
    mark: SPECIFIED,
  }),
  findCompany: operation('findCompany', 'GET', {
    ...COMPANIES,
    title: 'Find Company',
    maturity: 'Testing',
    mark: SPECIFIED,
  }),
  deleteCompany: operation('deleteCompany', 'DELETE', {
    ...COMPANIES,
    title: 'Delete Company',
    maturity: null,
    mark: LISTED,
  }),
  putVacancy: operation('putVacancy', 'PUT', {
    ...VACANCIES,
    title: 'Put Job Vacancy',
    maturity: 'Testing',
    mark: SPECIFIED,
  }),
  findVacancy: operation('findVacancy', 'GET', {
    ...VACANCIES,
    title: 'Find Job Vacancy',
    maturity: 'Testing',
    mark: SPECIFIED,
  }),
  deleteVacancy: operation('deleteVacancy', 'DELETE', {
    ...VACANCIES,
    title: 'Delete Job Vacancy',
    maturity: null,
    mark: LISTED,
  }),
  updateApplicationStatus: operation('updateApplicationStatus', 'PATCH', {
    area: 'jobs',
    entity: 'application-statuses',
    path: APPLICATION_STATUS_PATH,
    title: 'Update Job Application Status',
    maturity: 'Developing',
    mark: SPECIFIED,
  }),
  putInstitution: operation('putInstitution', 'PUT', {
    ...INSTITUTIONS,
    title: 'Put Institution',
    maturity: 'Testing',
    mark: SPECIFIED,
  }),
  findInstitution: operation('findInstitution', 'GET', {
    ...INSTITUTIONS,
    title: 'Find Institution',
    maturity: null,
    mark: LISTED,
  }),
  deleteInstitution: operation('deleteInstitution', 'DELETE', {
    ...INSTITUTIONS,
    title: 'Delete Institution',
    maturity: null,
    mark: LISTED,
  }),
  putTraining: operation('putTraining', 'PUT', {
    ...TRAININGS,
    title: 'Put Training',
    maturity: null,
    mark: { method: 'documented', path: 'documented' },
  }),
  findTraining: operation('findTraining', 'GET', {
    ...TRAININGS,
    title: 'Find Training',
    maturity: null,
    mark: { method: 'documented', path: 'assumed' },
  }),
  deleteTraining: operation('deleteTraining', 'DELETE', {
    ...TRAININGS,
    title: 'Delete Training',
    maturity: null,
    mark: { method: 'documented', path: 'assumed' },
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
