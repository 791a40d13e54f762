import { Validator } from '@seriousme/openapi-schema-validator';
import fc from 'fast-check';
import { request } from 'node:http';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { FaultsInput } from '../../../src/features/sandbox/fault-rules.js';
import { operation, OPERATION_NAMES, OPERATIONS } from '../../../src/core/entities/index.js';
import { vacancies } from '../../../src/core/entities/vacancies.js';
import type { SandboxOptions } from '../../../src/features/sandbox/sandbox-options.js';
import { strictProblems } from '../../../src/features/sandbox/serve-operation.js';
import { type RunningSandbox, startSandbox } from '../../../src/features/sandbox/start-sandbox.js';
import {
  companyBody,
  companyPath,
  type Reply,
  send,
  type SignedRequest,
  vacancyPath,
} from './signed-request.js';

describe('strict', () => {
  const ID = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';

  /** The fields that are refused of a company, and of a vacancy with these fields. */
  async function refused(strict: boolean, company: object, vacancy: object): Promise<string[][]> {
    const sandbox = await startSandbox({ strict });
    const put = async (path: string, body: object) => {
      const { status, json } = await send(sandbox.url, { method: 'PUT', path, body });
      expect(status).toBe(json.errors === undefined ? 200 : 422);
      return { fields: Object.keys(json.errors ?? {}), reference: json.data?.reference };
    };
    const first = await put(companyPath(ID), company);
    const { reference: id } = await put(companyPath(ID), companyBody('PT Contoh'));
    const second = await put(vacancyPath(ID), {
      title: 'Staf',
      employer: { id, name: 'PT Contoh' },
      ...vacancy,
    });
    await sandbox.close();
    return [first.fields, second.fields];
  }

  test.each([
    [{ name: 'PT Contoh' }, {}, [['region'], []]],
    [{ name: 'PT Contoh', region: 'city' }, {}, [['region'], []]],
    [
      companyBody('PT Contoh'),
      { skills: ['forklift_operation', 'k3', 'sim_b1'], gender: 'female' },
      [[], []],
    ],
    [companyBody('PT Contoh'), { skills: ['forklift-operation'] }, [[], ['skills.0']]],
    [
      companyBody('PT Contoh'),
      { skills: ['ok', 'Forklift', 'two words', '_x', 'a__b', ''] },
      [[], ['skills.1', 'skills.2', 'skills.3', 'skills.4', 'skills.5']],
    ],
    [companyBody('PT Contoh'), { gender: null }, [[], []]],
    [companyBody('PT Contoh'), { gender: 'Laki-laki' }, [[], ['gender']]],
    [companyBody('PT Contoh'), { marital: 'kawin' }, [[], ['marital']]],
    [companyBody('PT Contoh'), { marital: 'married', status: 'filled' }, [[], []]],
    [companyBody('PT Contoh'), { min_salary: { currency: 'Rp', amount: 0 } }, [[], ['min_salary.currency']]],
    [
      companyBody('PT Contoh'),
      { min_salary: { currency: 'IDR', amount: 9 }, max_salary: { currency: 'IDR', amount: 8 } },
      [[], ['min_salary.amount']],
    ],
    [companyBody('PT Contoh'), { quota: -1, min_age: 45, max_age: 18 }, [[], ['quota', 'min_age']]],
    // What depends on today is a warning of the worker, and no more.
    [companyBody('PT Contoh'), { expire_at: '2001-01-01', status: 'open' }, [[], []]],
    [
      { ...companyBody('PT Contoh'), region: { type: 'city', id: ID, country_code: 'Singapore' } },
      {},
      [['region.country_code'], []],
    ],
  ])('refuses of %j and %j: %j', async (company, vacancy, fields) => {
    expect(await refused(true, company, vacancy)).toEqual(fields);
  });

  test('takes all that when it is not strict, and still refuses wrong types', async () => {
    const vacancy = {
      skills: ['forklift-operation'],
      gender: 'Laki-laki',
      marital: 'kawin',
      quota: -1,
      min_salary: { currency: 'Rp', amount: -1 },
    };
    expect(await refused(false, { name: 'PT Contoh' }, vacancy)).toEqual([[], []]);
    expect(await refused(false, { name: 7 }, { skills: 'a' })).toEqual([['name'], ['skills']]);
  });

  test('refuses a status update whose words the interface does not know', async () => {
    const problems = async (strict: boolean) => {
      const sandbox = await startSandbox({ strict });
      const body = { status: 'hired', employment_type: 'tetap', salary: { currency: 'Rp', amount: 5 } };
      const path = `/api/v1/job-applications/${ID}/status`;
      const { json } = await send(sandbox.url, { method: 'PATCH', path, body });
      await sandbox.close();
      return Object.keys(json.errors ?? {});
    };
    expect(await problems(true)).toEqual(['salary.currency', 'employment_type']);
    expect(await problems(false)).toEqual([]);
  });

  test('refuses nothing that the worker maps without a warning, and something of everything else', () => {
    const rows = fc.record({
      gender: fc.constantFrom(null, 'male', 'Male', 'x'),
      marital: fc.constantFrom(null, 'single', 'kawin'),
      skills: fc.constantFrom(null, 'a,b_c', 'A', 'a-b', ''),
      min_salary_amount: fc.constantFrom(null, '10000', '20000', '-1'),
      max_salary_amount: fc.constantFrom(null, '15000', '20000'),
      max_salary_currency: fc.constantFrom(null, 'USD', 'usd'),
      quota: fc.constantFrom(null, '3', '-3'),
      min_age: fc.constantFrom(null, '18', '60'),
      max_age: fc.constantFrom(null, '45', '450'),
      region_id: fc.constantFrom(null, ID),
      region_country_code: fc.constantFrom('SG', 'XX'),
    });
    const context = { lookups: {}, plainText: [], required: null, namespace: ID };
    let clean = 0;
    fc.assert(
      fc.property(rows, (row) => {
        const full = { key: '1', company_key: 'c', title: 'Sopir', ...row };
        const { payload, issues, warnings } = vacancies.map(full, context);
        expect(issues).toEqual([]);
        const words = warnings.filter(({ message }) => !message.startsWith('is not sent'));
        const refusals = strictProblems('putVacancy', vacancies, payload);
        expect(refusals.length).toBe(words.length);
        if (words.length === 0) clean += 1;
      }),
      { numRuns: 2_000, seed: 5 },
    );
    expect(clean).toBeGreaterThan(10);
  });
});

describe('documented statuses', () => {
  const ID = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';

  type Node = Record<string, unknown>;

  interface Document {
    readonly paths: Record<string, Record<string, { responses: Record<string, { $ref?: string }> }>>;
    readonly components: { schemas: Node; responses: Record<string, { content: Record<string, Node> }> };
  }

  let document: Document;

  async function open(options: SandboxOptions = {}): Promise<RunningSandbox> {
    const sandbox = await startSandbox(options);
    onTestFinished(() => sandbox.close());
    return sandbox;
  }

  beforeAll(async () => {
    const sandbox = await startSandbox();
    document = (await (await fetch(`${sandbox.url}/_sandbox/openapi.json`)).json()) as Document;
    await sandbox.close();
  });

  /** A request of every operation, with whatever body. */
  const requests = OPERATION_NAMES.map((name): [string, SignedRequest] => {
    const { method, path, hasBody } = operation(name);
    return [name, { method, path: path.replace('{id}', ID), ...(hasBody ? { body: {} } : {}) }];
  });

  /** Fails unless the document has the status for the operation, with a schema that fits the body. */
  function expectDocumented(name: string, { status, json, headers }: Reply): void {
    const { method, path } = operation(name);
    const { responses } = document.paths[path]?.[method.toLowerCase()] ?? { responses: {} };
    const exact = responses[String(status)] ?? (status >= 500 ? responses['5XX'] : undefined);
    expect(exact, `${name}: ${status}`).toBeDefined();
    const answer = document.components.responses[exact?.$ref?.split('/').at(-1) ?? ''];
    if (!answer) return;
    const type = headers.get('content-type')?.split(';', 1)[0] ?? '';
    const schema = answer.content[type]?.schema;
    expect(schema, `${name}: ${status} as ${type}`).toBeDefined();
    const text = JSON.stringify({ ...(schema as Node), $defs: document.components.schemas });
    const read = z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as never);
    expect(read.safeParse(json).error?.issues ?? [], `${name}: ${status}`).toEqual([]);
  }

  test.each(requests)(
    'what the sandbox answers to %s is in its document, whatever is wrong',
    async (name, request) => {
      const sandbox = await open();
      const wrong: (readonly [number, Partial<SignedRequest>])[] = [
        [400, { headers: { 'Request-Id': undefined } }],
        [400, { headers: { 'Request-Timestamp': undefined } }],
        [401, { headers: { Signature: undefined } }],
        [401, { secret: 'wrong' }],
        [401, { clientId: 'nobody' }],
        [401, { atMs: 0 }],
        [404, { path: request.path.replace(ID, 'no-uuid') }],
        [406, { headers: { Accept: 'text/html' } }],
        ...(request.body === undefined
          ? []
          : ([
              [400, { body: '{' }],
              [413, { body: ' '.repeat(1024 * 1024 + 1) }],
              [415, { headers: { 'Content-Type': 'text/plain' } }],
              [422, { body: { title: 7, name: 7, status: 7 } }],
            ] as const)),
      ];
      for (const [expected, change] of wrong) {
        const reply = await send(sandbox.url, { ...request, ...change });
        expect(reply.status, JSON.stringify(change).slice(0, 80)).toBe(expected);
        expectDocumented(name, reply);
      }
      const repeated = { ...request, requestId: 'again' };
      for (const each of [repeated, repeated]) expectDocumented(name, await send(sandbox.url, each));
    },
  );

  test('a Request-Id that was used before is answered 409, and a parent that is still named 422', async () => {
    const sandbox = await open();
    const city = { type: 'city', id: ID, country_code: null };
    const company = { method: 'PUT', path: companyPath(ID), body: { name: 'PT', region: city } };
    const { json } = await send(sandbox.url, { ...company, requestId: 'one' });
    const again = await send(sandbox.url, { ...company, requestId: 'one' });
    expect(again.status).toBe(409);
    expectDocumented('putCompany', again);
    const body = { title: 'Kasir', employer: { id: json.data.reference, name: 'PT' } };
    const child = await send(sandbox.url, { method: 'PUT', path: vacancyPath(ID), body });
    expect(child.status).toBe(200);
    const named = await send(sandbox.url, { method: 'DELETE', path: companyPath(ID) });
    expect(named.status).toBe(422);
    expectDocumented('deleteCompany', named);
  });

  test.each<[number, FaultsInput]>([
    [429, { rules: [{ fault: 'retry-after', after: '1s' }] }],
    [503, { rules: [{ fault: 'retry-after', status: 503, after: '1s', form: 'date' }] }],
    [500, { rules: [{ fault: 'server-error' }] }],
    [502, { rules: [{ fault: 'server-error', status: 502, json: false }] }],
    [403, { rules: [{ fault: 'html' }] }],
    [504, { rules: [{ fault: 'html', status: 504 }] }],
    [401, { rules: [{ fault: 'signature-refused' }] }],
    [409, { rules: [{ fault: 'duplicate-request-id' }] }],
  ])('a fault that answers %i is in the document of every operation', async (status, faults) => {
    const sandbox = await open({ faults });
    for (const [name, request] of requests) {
      const reply = await send(sandbox.url, request);
      expect(reply.status).toBe(status);
      expectDocumented(name, reply);
    }
  });
});

describe('openapi', () => {
  interface Document {
    readonly paths: Record<string, Record<string, { operationId?: string }> & { servers: { url: string }[] }>;
  }

  async function served(options: SandboxOptions = {}) {
    const sandbox = await startSandbox(options);
    onTestFinished(() => sandbox.close());
    const response = await fetch(`${sandbox.url}/_sandbox/openapi.json`);
    return { sandbox, response, document: (await response.json()) as Document };
  }

  test('the sandbox serves its interface as OpenAPI 3.1, with its own address as the only server', async () => {
    const { sandbox, response, document } = await served();
    expect(response.headers.get('content-type')).toBe('application/json');
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document) as never)).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    const servers = Object.values(document.paths).flatMap((path) => path.servers.map(({ url }) => url));
    expect(new Set(servers)).toEqual(new Set([sandbox.url]));
  });

  test('it names the address by which it was asked', async () => {
    const { sandbox } = await served();
    const url = `http://localhost:${String(sandbox.port)}`;
    const text = await new Promise<string>((resolve) => {
      const headers = { host: `localhost:${String(sandbox.port)}` };
      request(`${sandbox.url}/_sandbox/openapi.json`, { headers }, (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('end', () => resolve(Buffer.concat(chunks).toString()));
      }).end();
    });
    expect(text).toContain(`"url":"${url}"`);
  });

  test('every operation of the document is one that the sandbox knows', async () => {
    const { sandbox, document } = await served();
    for (const [path, item] of Object.entries(document.paths)) {
      const methods = Object.keys(item).filter((name) => !['servers', 'parameters'].includes(name));
      for (const method of methods) {
        const address = sandbox.url + path.replace('{id}', '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0');
        await fetch(address, { method: method.toUpperCase() });
      }
    }
    // An area is known only of a path that is served.
    expect(sandbox.requests()).toHaveLength(Object.keys(OPERATIONS).length);
    expect(sandbox.requests().filter(({ area }) => area === null)).toEqual([]);
  });

  test('paths of a configuration are in the document', async () => {
    const deleteVacancy = { ...operation('deleteVacancy'), path: '/v2/jobs/{id}' };
    const { document } = await served({ operations: { ...OPERATIONS, deleteVacancy } });
    expect(document.paths['/v2/jobs/{id}']?.delete).toMatchObject({ operationId: 'deleteVacancy' });
  });
});
