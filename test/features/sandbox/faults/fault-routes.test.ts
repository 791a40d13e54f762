import { expect, onTestFinished, test } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../../../src/features/sandbox/start-sandbox.js';
import { companyBody, companyPath, send } from '../signed-request.js';

const ID = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';
const put = { method: 'PUT', path: companyPath(ID), body: companyBody('PT Contoh') };

async function open(): Promise<RunningSandbox> {
  const sandbox = await startSandbox({ faults: { rules: [{ fault: 'server-error' }] } });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

interface Report {
  readonly message?: string;
  readonly problems?: readonly object[];
  readonly rules?: readonly object[];
}

async function ask(sandbox: RunningSandbox, method: string, body?: string) {
  const reply = await fetch(`${sandbox.url}/_sandbox/faults`, {
    method,
    ...(body === undefined ? {} : { body }),
  });
  return { status: reply.status, json: (await reply.json()) as Report };
}

test('faults are listed, replaced by YAML or JSON, and taken away while the sandbox runs', async () => {
  const sandbox = await open();
  expect((await send(sandbox.url, put)).status).toBe(500);
  expect(await ask(sandbox, 'GET')).toEqual({
    status: 200,
    json: {
      seed: 1,
      rules: [{ name: 'server-error (rule 1)', fault: 'server-error', requests: 1, fired: 1 }],
      late: 0,
    },
  });
  const replaced = await ask(sandbox, 'PUT', 'seed: 9\nrules: [{ fault: retry-after, name: slow down }]');
  expect(replaced).toEqual({
    status: 200,
    json: { seed: 9, rules: [{ name: 'slow down', fault: 'retry-after', requests: 0, fired: 0 }], late: 0 },
  });
  expect((await send(sandbox.url, put)).status).toBe(429);
  await ask(sandbox, 'POST', JSON.stringify({ rules: [{ fault: 'signature-refused' }] }));
  expect((await send(sandbox.url, put)).status).toBe(401);
  expect(await ask(sandbox, 'PATCH')).toMatchObject({
    status: 405,
    json: { message: expect.stringContaining('PUT') as string },
  });
  expect(await ask(sandbox, 'DELETE')).toMatchObject({ status: 200, json: { rules: [] } });
  expect((await send(sandbox.url, put)).status).toBe(200);
  expect(sandbox.requests().map(({ faults }) => faults)).toEqual([
    ['server-error (rule 1)'],
    ['slow down'],
    ['signature-refused (rule 1)'],
    [],
  ]);
});

test('faults that cannot be read are refused with line and column, and those in force stay', async () => {
  const sandbox = await open();
  const { status, json } = await ask(sandbox, 'PUT', 'rules:\n  - { fault: html, status: none }\n');
  expect(status).toBe(422);
  expect(json.message).toContain('body:2:20: rules[0].status: must be a whole number');
  expect(json.problems).toMatchObject([{ line: 2, column: 20, path: 'rules[0].status' }]);
  expect((await send(sandbox.url, put)).status).toBe(500);
  expect(() => sandbox.setFaults({ seed: -1 })).toThrow('faults: seed: must be a whole number');
});
