import { describe, expect, test } from 'vitest';
import { ENTITIES, operation } from '../../../../src/core/entities/index.js';
import { document, type Node, nodesOf, resolve } from '../../../core/contract/fixtures.js';

/** Of these the interface was read, field by field. */
const KNOWN = ['companies', 'vacancies', 'institutions', 'trainings', 'application-statuses'];

describe('the types of the OpenAPI document', () => {
  const typeAt = (path: string): unknown => {
    const [name = '', ...steps] = path.split('.');
    let node = document.components.schemas[name];
    for (const step of steps) {
      const inner =
        step === '[]' ? node?.items : (node?.properties as Record<string, Node> | undefined)?.[step];
      node = inner as Node | undefined;
      if (typeof node?.$ref === 'string') node = resolve(node.$ref) as Node;
    }
    const part = (value: unknown) => (typeof value === 'string' ? [value] : []);
    return [...part(node?.type), ...part(node?.format)].join(' ');
  };

  // Written by hand from the interface, §2 and §6.
  test.each([
    ['CompanyBody.industry', 'string uuid'],
    ['CompanyBody.latitude', 'string'],
    ['CompanyBody.website', 'string uri'],
    ['CompanyBody.region.id', 'string uuid'],
    ['VacancyBody.quota', 'integer'],
    ['VacancyBody.min_salary.amount', 'integer'],
    ['VacancyBody.expire_at', 'string date'],
    ['VacancyBody.min_experience', ''],
    ['VacancyBody.employer.id', 'string uuid'],
    ['ApplicationStatusBody.salary.amount', 'number'],
    ['CompanyResult.reference', 'string uuid'],
    ['Company.latitude', 'string'],
    ['Company.created_at', 'string local-time'],
    ['Company.employer.client_id', 'string uuid'],
    ['Company.employer.region.regionable_id', 'string uuid'],
    ['Company.industry.name', 'string'],
    ['Vacancy.vacancy.min_age', 'integer'],
    ['Vacancy.vacancy.quota', 'integer'],
    ['Vacancy.vacancy.disability_allowed', 'boolean'],
    ['Vacancy.vacancy.min_education.level', 'integer'],
    ['Vacancy.vacancy.job.min_salary_amount', 'integer'],
    ['Vacancy.vacancy.job.expire_at', 'string date'],
    ['Vacancy.vacancy.job.region.regionable.code', 'integer'],
    ['Vacancy.vacancy.job.region.regionable.latitude', 'number'],
    ['Vacancy.vacancy.job.region.regionable.district', 'boolean'],
    ['Vacancy.vacancy.job.region.regionable.province.country.id', 'string uuid'],
    ['ApplicationStatusResult.applicants', 'string uuid'],
    ['ApplicationStatusResult.hired_at', 'string date-time'],
    ['ApplicationStatusResult.salary.amount', 'number'],
    ['Training.start_date', 'string date'],
    ['Training.price', 'integer'],
    ['AppliedAtApplication.applied_at', 'string local-time'],
    ['AppliedAtApplication.job_seeker.age', 'integer'],
    ['AppliedAtApplication.experiences.[].start_year', 'integer'],
    ['FlatApplication.bod', 'string date'],
    ['FlatApplication.languages.[].id', 'string uuid'],
  ])('say of %s that it is %s', (path, type) => {
    expect(typeAt(path)).toBe(type);
  });

  test('allow null only where the interface shows null', () => {
    // What the list below is about. Another kind of record has schemas of its own.
    const others = ENTITIES.filter(({ name }) => !KNOWN.includes(name)).flatMap(({ schemas }) =>
      Object.keys(schemas),
    );
    const nullable = [...nodesOf(document.components.schemas)].flatMap(([path, { type, anyOf }]) => {
      const types = Array.isArray(anyOf) ? (anyOf as Node[]).map((each) => each.type) : type;
      return Array.isArray(types) && types.includes('null') && !others.includes(String(path[0]))
        ? [[path[0], ...path.filter((_, index) => path[index - 1] === 'properties')].join('.')]
        : [];
    });
    expect([...new Set(nullable)].sort()).toEqual(
      [
        ...['RegionReference.country_code', 'ExtendedRegionRecord.regionable.deleted_at'],
        ...['VacancyBody.gender', 'VacancyBody.marital', 'Vacancy.vacancy.gender', 'Vacancy.vacancy.marital'],
        ...['ApplicationStatusResult.phone', 'EducationRecord.activities', 'EducationRecord.description'],
        ...['AchievementRecord.description', 'InstitutionBody.email', 'TrainingInstitution.email'],
        // Assumed, as what is sent.
        ...['Institution.email', 'TrainingBody.address', 'Training.address', 'Training.institution.email'],
      ].sort(),
    );
  });

  test('are the documented ones, while the program reads null and missing fields too', () => {
    const id = '0d7d1c9e-2f53-4a58-9a5e-6a1f0c6b7d21';
    const read = { id, employer: { id, reference: id, region: null }, latitude: 1.5, industry: null };
    expect(operation('findCompany').reply.safeParse(read).success).toBe(true);
  });
});

describe('what differs between requests, changes of a status and webhooks', () => {
  const parametersOf = (references: unknown) =>
    (references as { $ref: string }[]).map(({ $ref }) => resolve($ref) as Node & { name: string });
  const described = (references: unknown, name: string) =>
    parametersOf(references).find((parameter) => parameter.name === name)?.description as string;
  const put = document.paths[operation('putCompany').path]?.parameters;
  const patch = document.paths[operation('updateApplicationStatus').path]?.parameters;
  const webhook = document.webhooks['new-job-application']?.post.parameters;
  const schemes = (document.components as unknown as { securitySchemes: Record<string, Node> })
    .securitySchemes;

  test('is the id: the client chooses that of a record, the platform that of an application', () => {
    expect(described(put, 'id')).toMatch(/record, chosen by the client/);
    expect(described(patch, 'id')).toMatch(/job application, chosen by the platform/);
    expect(parametersOf(webhook).map(({ name }) => name)).toEqual([
      ...['Client-Id', 'Request-Id', 'Request-Timestamp', 'Signature'],
    ]);
  });

  test('is the Request-Id: one for each attempt, for each change, or none to rely on', () => {
    expect(schemes['Request-Id']?.description).toMatch(/A new one for every attempt/);
    const { path, method } = operation('updateApplicationStatus');
    const { [method.toLowerCase()]: change } = document.paths[path] as unknown as Record<string, Node>;
    expect(change?.description).toMatch(/repeated under the same Request-Id/);
    expect(described(webhook, 'Request-Id')).toMatch(/recognised by its own id/);
  });

  test('is the time: whole seconds for requests, any ISO 8601 form or Unix time for webhooks, local time in the body', () => {
    const schemaOf = (references: unknown) =>
      parametersOf(references).find(({ name }) => name === 'Request-Timestamp')?.schema;
    expect(schemes['Request-Timestamp']?.description).toMatch(/whole seconds, Z\. Example: `\S+Z`$/);
    expect(schemaOf(webhook)).toEqual({ type: 'string' });
    expect(described(webhook, 'Request-Timestamp')).toMatch(
      /ISO 8601 in any of its forms, UTC where it names no offset; or Unix time/,
    );
    const { timestamp } = document.components.schemas.ApplicationStatusBody?.properties as Record<
      string,
      Node
    >;
    expect(timestamp).toMatchObject({ description: expect.stringMatching(/local time/) as string });
  });

  test('the four headers are a security scheme of every operation and webhook', () => {
    const names = ['Client-Id', 'Request-Id', 'Request-Timestamp', 'Signature'];
    expect(Object.values(schemes).map((scheme) => [scheme.type, scheme.in, scheme.name])).toEqual(
      names.map((name) => ['apiKey', 'header', name]),
    );
    const all = [Object.fromEntries(names.map((name) => [name, []]))];
    expect(document.security).toEqual(all);
    for (const { post } of Object.values(document.webhooks)) expect(post.security).toEqual(all);
  });
});
