import { describe, expect, it } from 'vitest';
import { companyRead } from '../../../src/core/contract/company.js';
import { envelope, readData } from './read-data.js';
import { institutionRead } from '../../../src/core/contract/institution.js';
import { type OperationName, operationPath } from '../../../src/core/contract/operation.js';
import { trainingRead } from '../../../src/core/contract/training.js';
import { vacancyRead } from '../../../src/core/contract/vacancy.js';
import { ENTITIES, operation, OPERATION_NAMES, OPERATIONS } from '../../../src/core/entities/index.js';
import { linksOf, readFixture } from './fixtures.js';

interface Reply {
  data: Record<string, unknown>;
  meta: Record<string, unknown>;
}

const fixture = (name: string) => readFixture(`replies/${name}.json`) as Reply;
const read = (name: OperationName, json: unknown) => readData(json, operation(name).reply);

const REPLIES: readonly [OperationName, string][] = [
  ['putCompany', 'put-company'],
  ['putVacancy', 'put-vacancy'],
  ['putInstitution', 'put-institution'],
  ['putTraining', 'put-training'],
  ['findCompany', 'find-company'],
  ['findVacancy', 'find-vacancy'],
  ['findInstitution', 'find-institution'],
  ['findTraining', 'find-training'],
  ['updateApplicationStatus', 'update-application-status'],
];

describe('replies written by hand from the interface', () => {
  it.each(REPLIES)('%s is read as it is', (operation, name) => {
    expect(read(operation, fixture(name))).toEqual({ value: fixture(name).data, malformed: null });
  });

  it.each(REPLIES)('%s may have fields that nobody knows', (operation, name) => {
    const { data, meta } = fixture(name);
    expect(read(operation, { data: { ...data, score: 3 }, meta, links: [] }).value).toMatchObject({
      score: 3,
    });
  });

  it.each(REPLIES.filter(([operation]) => operation.startsWith('put')))(
    '%s is malformed without id or reference, and without nothing else',
    (operation, name) => {
      const { data, meta } = fixture(name);
      const needed = Object.keys(data).filter((field) => {
        const rest = Object.fromEntries(Object.entries(data).filter(([other]) => other !== field));
        return read(operation, { data: rest, meta }).malformed !== null;
      });
      expect(needed).toEqual(['id', 'reference']);
    },
  );
});

describe('the reply to an application status', () => {
  it('needs neither id nor reference, nor anything else', () => {
    expect(read('updateApplicationStatus', { data: {}, meta: {} }).malformed).toBeNull();
  });

  it('may have nulls, and the amount as text', () => {
    const data = { applicants: null, status: 'hired', hired_at: null, salary: { amount: '5250000.50' } };
    expect(read('updateApplicationStatus', { data, meta: {} })).toEqual({ value: data, malformed: null });
  });

  it('is malformed outside of the envelope', () => {
    expect(read('updateApplicationStatus', { status: 'hired' }).malformed).toMatch(/^data: /);
  });
});

describe('the reply to a delete', () => {
  it.each([[{}], [{ id: 1, deleted: true }], [{ message: 'deleted' }]])('may hold anything: %o', (data) => {
    expect(read('deleteVacancy', { data, meta: {} })).toEqual({ value: data, malformed: null });
    expect(envelope.safeParse({ data, meta: {} }).success).toBe(true);
  });
});

describe('a training that is read back', () => {
  it('has its links in itself', () => {
    expect(linksOf('trainings', fixture('find-training').data)).toEqual({
      id: '0d7d1c9e-2f53-4a58-9a5e-6a1f0c6b7d21',
      reference: '5f2f6c1e-8a57-4c38-9d0b-3b2f0b7d9a11',
    });
  });

  it('needs no institution', () => {
    const { data, meta } = fixture('find-training');
    expect(
      readData({ data: { ...data, institution: null, region: null }, meta }, trainingRead).malformed,
    ).toBe(null);
  });
});

describe('what a Find gives', () => {
  const ID = '0d7d1c9e-2f53-4a58-9a5e-6a1f0c6b7d21';
  const REFERENCE = '5f2f6c1e-8a57-4c38-9d0b-3b2f0b7d9a11';
  const OTHER = '9b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9';
  const meta = { client_ip: '10.0.0.7', hostname: 'api-1', version: 'v1' };

  it('has the links of a company at its employer', () => {
    const data = {
      id: OTHER,
      industry: null,
      employer: { id: ID, reference: REFERENCE, name: 'PT Contoh' },
    };
    const { value } = readData({ data, meta }, companyRead);
    expect(value && linksOf('companies', value)).toEqual({ id: ID, reference: REFERENCE });
  });

  it('has the links of a vacancy at its job', () => {
    const data = {
      id: OTHER,
      vacancy: { id: OTHER, job: { id: ID, reference: REFERENCE, title: 'Kasir' } },
    };
    const { value } = readData({ data, meta }, vacancyRead);
    expect(value && linksOf('vacancies', value)).toEqual({ id: ID, reference: REFERENCE });
  });

  it('has the links of an institution in itself', () => {
    const { value } = readData({ data: { id: ID, reference: REFERENCE }, meta }, institutionRead);
    expect(value && linksOf('institutions', value)).toEqual({ id: ID, reference: REFERENCE });
  });

  it('is malformed without the employer', () => {
    expect(readData({ data: { id: ID }, meta }, companyRead).malformed).toMatch(/^data\.employer: /);
  });
});

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
