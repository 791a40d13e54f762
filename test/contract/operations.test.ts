import { describe, expect, it } from 'vitest';
import { operationPath } from '../../src/contract/operation.js';
import { ENTITIES, operation, OPERATION_NAMES, OPERATIONS } from '../../src/entities/index.js';

const ID = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';

/** Of these kinds of records, the table below is what the interface says. */
const KNOWN = ['companies', 'vacancies', 'institutions', 'trainings', 'application-statuses'];
const KNOWN_OPERATIONS = OPERATION_NAMES.filter((name) => KNOWN.includes(operation(name).entity));

describe('the operations', () => {
  it.each([
    ['putCompany', 'PUT', '/api/v1/employers/{id}/company', 'jobs'],
    ['findCompany', 'GET', '/api/v1/employers/{id}/company', 'jobs'],
    ['deleteCompany', 'DELETE', '/api/v1/employers/{id}/company', 'jobs'],
    ['putVacancy', 'PUT', '/api/v1/jobs/{id}/industrial-vacancy', 'jobs'],
    ['findVacancy', 'GET', '/api/v1/jobs/{id}/industrial-vacancy', 'jobs'],
    ['deleteVacancy', 'DELETE', '/api/v1/jobs/{id}/industrial-vacancy', 'jobs'],
    ['updateApplicationStatus', 'PATCH', '/api/v1/job-applications/{id}/status', 'jobs'],
    ['putInstitution', 'PUT', '/api/v1/institutions/{id}', 'training'],
    ['findInstitution', 'GET', '/api/v1/institutions/{id}', 'training'],
    ['deleteInstitution', 'DELETE', '/api/v1/institutions/{id}', 'training'],
    ['putTraining', 'PUT', '/api/v1/trainings/{id}', 'training'],
    ['findTraining', 'GET', '/api/v1/trainings/{id}', 'training'],
    ['deleteTraining', 'DELETE', '/api/v1/trainings/{id}', 'training'],
  ] as const)('%s is %s %s of the %s area', (name, method, path, area) => {
    expect(operation(name)).toMatchObject({ name, method, path, area });
  });

  it('lists every name once', () => {
    expect(OPERATION_NAMES).toHaveLength(ENTITIES.flatMap(({ operations }) => operations).length);
  });

  it('leaves the deletes off, and everything else on', () => {
    const off = OPERATION_NAMES.filter((name) => !operation(name).enabledByDefault);
    expect(off).toEqual(OPERATION_NAMES.filter((name) => operation(name).method === 'DELETE'));
    expect(off).toContain('deleteVacancy');
  });

  it('sends a body with PUT and PATCH only', () => {
    const withBody = OPERATION_NAMES.filter((name) => operation(name).hasBody);
    expect(withBody).toEqual(
      OPERATION_NAMES.filter((name) => ['PUT', 'PATCH'].includes(operation(name).method)),
    );
    expect(withBody).toContain('updateApplicationStatus');
  });

  it('says of each how sure its method, path, body and reply are', () => {
    expect(
      KNOWN_OPERATIONS.map((name) => `${name}: ${Object.values(operation(name).certainty).join(' ')}`),
    ).toEqual([
      'putCompany: specified specified specified specified',
      'findCompany: specified specified  specified',
      'deleteCompany: specified assumed  assumed',
      'putVacancy: specified specified specified specified',
      'findVacancy: specified specified  specified',
      'deleteVacancy: specified assumed  assumed',
      'putInstitution: specified specified specified specified',
      'findInstitution: specified assumed  assumed',
      'deleteInstitution: specified assumed  assumed',
      'putTraining: documented documented documented assumed',
      'findTraining: documented assumed  assumed',
      'deleteTraining: documented assumed  assumed',
      'updateApplicationStatus: specified specified specified specified',
    ]);
  });

  it('has the maturity labels of the interface', () => {
    const labelled = (label: string) => KNOWN_OPERATIONS.filter((name) => operation(name).maturity === label);
    expect(labelled('Testing')).toEqual([
      'putCompany',
      'findCompany',
      'putVacancy',
      'findVacancy',
      'putInstitution',
    ]);
    expect(labelled('Developing')).toEqual(['updateApplicationStatus']);
  });

  it('names a body where one is sent', () => {
    for (const { hasBody, body, certainty } of Object.values(OPERATIONS)) {
      expect([body !== null, certainty.body !== null]).toEqual([hasBody, hasBody]);
    }
  });
});

describe('the path of an operation', () => {
  it('puts the id into the template', () => {
    expect(operationPath('/api/v1/employers/{id}/company', ID)).toBe(`/api/v1/employers/${ID}/company`);
  });

  it('takes a template that the configuration overrides', () => {
    expect(operationPath('/api/v2/companies/{id}', ID)).toBe(`/api/v2/companies/${ID}`);
  });

  it('cannot leave its place in the path', () => {
    expect(operationPath('/api/v1/trainings/{id}', '../a?$&')).toBe('/api/v1/trainings/..%2Fa%3F%24%26');
  });
});
