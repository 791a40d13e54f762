import { request } from 'node:http';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, onTestFinished, test } from 'vitest';
import { operation, OPERATIONS } from '../../src/entities/index.js';
import type { SandboxOptions } from '../../src/sandbox/sandbox-options.js';
import { startSandbox } from '../../src/sandbox/start-sandbox.js';

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
