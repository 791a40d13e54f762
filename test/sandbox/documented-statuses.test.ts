import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { FaultsInput } from '../../src/config/faults.js';
import { operation, OPERATION_NAMES } from '../../src/entities/index.js';
import type { SandboxOptions } from '../../src/sandbox/sandbox-options.js';
import { type RunningSandbox, startSandbox } from '../../src/sandbox/start-sandbox.js';
import { companyPath, send, vacancyPath, type Reply, type SignedRequest } from './signed-request.js';

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
