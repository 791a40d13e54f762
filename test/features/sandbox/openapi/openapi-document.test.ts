import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ENTITIES, operation, OPERATION_NAMES, OPERATIONS } from '../../../../src/core/entities/index.js';
import { documentExamples, openApiYaml } from '../../../../docs/openapi-yaml.js';
import { document, type Node, nodesOf, resolve } from '../../../core/contract/fixtures.js';
import { openApiDocument } from '../../../../src/features/sandbox/openapi/document.js';
import { WEBHOOK_EVENTS } from '../../../../src/features/webhook/contract/events.js';

const operationNode = (name: (typeof OPERATION_NAMES)[number]): Node => {
  const { path, method } = operation(name);
  return document.paths[path]?.[method.toLowerCase()] as Node;
};

describe('the OpenAPI document, to a validator that is not ours', () => {
  it('is valid, and so is the file', async () => {
    expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
    expect(await new Validator().validate(openApiYaml())).toEqual({ valid: true });
  });

  it('is version 3.1', async () => {
    const validator = new Validator();
    await validator.validate(structuredClone(document));
    expect(validator.version).toBe('3.1');
  });

  it('would not be valid with a parameter that has no place', async () => {
    const broken = structuredClone(document);
    delete broken.components.parameters.id?.in;
    expect((await new Validator().validate(broken)).valid).toBe(false);
  });

  it('is valid for other servers and without examples', async () => {
    const own = [{ url: 'http://127.0.0.1:4010' }];
    const local = openApiDocument({ entities: ENTITIES, servers: { jobs: own, training: own } });
    expect(await new Validator().validate({ ...local })).toEqual({ valid: true });
    expect(JSON.stringify(local)).not.toContain('kemnaker');
  });
});

describe('the OpenAPI document', () => {
  it('names nothing that it does not hold', () => {
    const references = [...nodesOf(document)].flatMap(([, { $ref }]) =>
      typeof $ref === 'string' ? $ref : [],
    );
    expect(references.length).toBeGreaterThan(50);
    expect(references.filter((reference) => resolve(reference) === undefined)).toEqual([]);
  });

  it('uses every schema that it names', () => {
    const used = new Set([...nodesOf(document)].map(([, { $ref }]) => $ref));
    const names = Object.keys(document.components.schemas);
    expect(names.filter((name) => !used.has(`#/components/schemas/${name}`))).toEqual([]);
  });

  it.each(OPERATION_NAMES)(
    'has %s with its tag, its id and its own server; the four headers are no parameters',
    (name) => {
      const { title, area, path } = operation(name);
      expect(operationNode(name)).toMatchObject({ operationId: name, summary: title, tags: [area] });
      const parameters = document.paths[path]?.parameters as { $ref: string }[];
      const shown = parameters.map(
        ({ $ref }) => resolve($ref) as { name: string; in: string; required: boolean },
      );
      expect(shown.map((parameter) => `${parameter.in} ${parameter.name} ${parameter.required}`)).toEqual([
        'path id true',
      ]);
      const servers = document.paths[path]?.servers as { url: string }[];
      const host = area === 'jobs' ? 'joss' : 'toss';
      expect(servers.map(({ url }) => url)).toEqual([
        `https://sandbox.${host}.kemnaker.go.id`,
        `https://${host}.kemnaker.go.id`,
      ]);
    },
  );

  it('has a body exactly where one is sent, and the assumed refusals', () => {
    const statuses = (name: (typeof OPERATION_NAMES)[number]) =>
      Object.keys(operationNode(name).responses as object).join(' ');
    expect(OPERATION_NAMES.filter((name) => 'requestBody' in operationNode(name))).toEqual(
      OPERATION_NAMES.filter((name) => operation(name).hasBody),
    );
    const sent = '200 400 401 403 404 406 409 413 415 422 429 500 503 5XX';
    expect(statuses('putVacancy')).toBe(sent);
    expect(statuses('updateApplicationStatus')).toBe(sent);
    expect(statuses('findVacancy')).toBe('200 400 401 403 404 406 409 429 500 503 5XX');
    expect(statuses('deleteTraining')).toBe('200 400 401 403 404 406 409 422 429 500 503 5XX');
  });

  it.each([
    ['putCompany', 'specified'],
    ['updateApplicationStatus', 'specified'],
    ['deleteVacancy', 'assumed'],
    ['findInstitution', 'assumed'],
    ['putTraining', 'assumed'],
  ] as const)('marks %s as %s, by the least sure of its parts', (name, certainty) => {
    expect(operationNode(name)['x-mark']).toBe(certainty);
  });

  it('says of each part of Put Training how sure it is, and of the field that differs', () => {
    expect(operationNode('putTraining')['x-marks']).toEqual({
      method: 'publicly-documented',
      path: 'publicly-documented',
      body: 'publicly-documented',
      reply: 'assumed',
    });
    const { properties } = document.components.schemas.TrainingBody as { properties: Record<string, Node> };
    expect(properties.institution).toMatchObject({ 'x-mark': 'assumed' });
    expect(properties.title).not.toHaveProperty('x-mark');
  });

  it('has both layouts of the new application, and the cancelled notification without a payload', () => {
    const body = document.webhooks['new-job-application']?.post.requestBody as Node;
    const content = (body.content as Record<string, Node>)['application/json'];
    expect((content?.schema as { oneOf: Node[] }).oneOf).toMatchObject([
      { $ref: '#/components/schemas/AppliedAtApplication' },
      { $ref: '#/components/schemas/FlatApplication' },
    ]);
    expect(Object.keys(content?.examples as object)).toEqual(['applied-at', 'flat']);
    expect(Object.keys(document.webhooks)).toEqual(WEBHOOK_EVENTS.map(({ name }) => name));
  });

  it('takes an operation that the configuration overrides', () => {
    const deleteVacancy = { ...operation('deleteVacancy'), path: '/v2/jobs/{id}' };
    const { paths } = openApiDocument({
      entities: ENTITIES,
      operations: { ...OPERATIONS, deleteVacancy },
    }) as typeof document;
    expect(Object.keys(paths['/v2/jobs/{id}'] ?? {})).toEqual(['servers', 'parameters', 'delete']);
    expect(paths[operation('putVacancy').path]).not.toHaveProperty('delete');
  });
});

describe('the examples of the OpenAPI document', () => {
  it('have made-up ids that nobody takes for one of the catalogue', () => {
    const uuids = openApiYaml().match(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi) ?? [];
    expect(uuids.length).toBeGreaterThan(50);
    expect(uuids.filter((id) => !/^00000000-0000-4000-8000-0{9}\d{3}$/.test(id))).toEqual([]);
  });

  it('name one record by one id: the vacancy’s employer is the company’s reference', () => {
    const { putCompany, putVacancy } = documentExamples().operations ?? {};
    const reply = putCompany?.replies?.['put-company'] as { data: { reference: string } };
    const body = putVacancy?.bodies?.['vacancy-full'] as { employer: { id: string } };
    expect(body.employer.id).toBe(reply.data.reference);
  });

  const cases = [...nodesOf(document)].flatMap(([path, { schema, examples }]) =>
    schema !== undefined && examples !== undefined
      ? Object.entries(examples as Record<string, { value: unknown }>).map(
          ([name, { value }]) => [name, schema as Node, value, path] as const,
        )
      : [],
  );
  let read: (schema: Node) => z.ZodType;

  beforeAll(() => {
    // Read back from the document alone, so that what a reader of it sees is what is judged.
    read = (schema) => {
      const text = JSON.stringify({ ...schema, $defs: document.components.schemas });
      return z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as never);
    };
  });

  it('are there for every body, reply and layout that is known', () => {
    expect(cases.map(([name]) => name).sort()).toEqual(
      [
        ...['company-full', 'company-minimal', 'vacancy-full', 'vacancy-nulls', 'institution', 'training'],
        ...['application-status', 'put-company', 'put-vacancy', 'put-institution', 'put-training'],
        ...['find-company', 'find-vacancy', 'find-institution', 'find-training', 'update-application-status'],
        ...['applied-at', 'flat'],
      ].sort(),
    );
  });

  it.each(cases)('%s is valid by the document itself', (_name, schema, value) => {
    expect(read(schema).safeParse(value).error?.issues ?? []).toEqual([]);
  });

  it.each([
    ['VacancyBody', { title: 'Kasir' }],
    ['CompanyBody', { name: 'PT Contoh', nickname: 'Contoh' }],
    ['CompanyBody', { name: 'PT Contoh', industry: 'logistics' }],
    ['CompanyResult', { id: '0d7d1c9e-2f53-4a58-9a5e-6a1f0c6b7d21' }],
    ['FlatApplication', { id: '0d7d1c9e-2f53-4a58-9a5e-6a1f0c6b7d21' }],
  ])('a wrong %s is not valid', (name, value) => {
    expect(read({ $ref: `#/components/schemas/${name}` }).safeParse(value).success).toBe(false);
  });
});
