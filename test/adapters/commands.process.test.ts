import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configureWorker, SECRET } from '../cli/cli-world.js';
import { listening } from '../cli/run-cli.js';
import { differingWorld, jsonAnswer } from './differing-platform.js';

const example = (name: string): string =>
  readFileSync(new URL(join('../../config/adapters', `${name}.mjs`), import.meta.url), 'utf8');

const DECIDES = `export default {
  request: (request, { clientId }) => ({ ...request, headers: { ...request.headers, 'X-Own': clientId } }),
  reply: ({ status }) => (status === 201 ? { accepted: { reference: 7 } } : undefined),
};`;

describe('config check', () => {
  test.each([
    ['has a mistake in its syntax', 'export default {\n  reply(\n};', /adapter\.mjs:3: Unexpected token/],
    [
      'exports what nothing calls',
      'export default { answer() {} };',
      /it exports answer, which nothing calls; known are request, reply, webhook/,
    ],
    ['exports no function', 'export default { reply: 1 };', /reply is no function/],
    ['exports nothing', '', /it exports none of request, reply, webhook/],
    [
      'throws when it is loaded',
      'const x = null;\nexport default { reply: x.y };',
      /adapter\.mjs:2: Cannot read/,
    ],
  ])('refuses an adapter that %s, with its place', async (_, text, says) => {
    const world = await differingWorld({}, text);
    // Of a file that is no JavaScript only a process of its own says what Node says.
    const { exitCode, stderr } = await world.start('config', 'check').done;
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(says);
  });

  test('loads it, calls nothing, and names it', async () => {
    const world = await differingWorld({}, 'export default { request() { throw new Error("called"); } };');
    const { exitCode, stdout } = await world.cli('config', 'check');
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`jobs: the adapter ${join(world.folder, 'adapter.mjs')} decides`);
  });

  test('names one that is missing, with the line of the configuration', async () => {
    const world = await differingWorld({}, DECIDES);
    world.configure('adapter: adapter.mjs', 'adapter: nowhere.mjs');
    const { exitCode, stderr } = await world.cli('config', 'check');
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/placement-sync\.yaml:\d+: platform\.adapter: \S*nowhere\.mjs does not exist/);
  });
});

test('doctor, status and explain say that an adapter decides', async () => {
  const world = await differingWorld(
    {
      gives(answer, { method, body }) {
        if (method === 'PUT' && body.includes('"title"')) Object.assign(answer, jsonAnswer(201, null));
      },
    },
    DECIDES,
  );
  const file = join(world.folder, 'adapter.mjs');
  expect((await world.run()).code).toBe(0);
  const status = JSON.parse((await world.cli('status', '--json')).stdout) as { adapters?: unknown };
  expect(status.adapters).toEqual({ jobs: file });
  expect((await world.cli('status')).stdout).toContain(
    `jobs: an adapter decides where the platform differs: ${file}`,
  );
  expect((await world.cli('doctor')).stdout).toContain(`the adapter ${file} is in use (request, reply)`);
  const explained = async (...of: string[]) => (await world.cli('explain', ...of)).stdout;
  expect(await explained('vacancies', 'v001')).toContain(
    'putVacancy accepted, HTTP 201: Decided by the adapter',
  );
  expect(await explained('companies', 'c001')).not.toContain('Decided by the adapter');
  const { timeline } = JSON.parse(await explained('vacancies', 'v001', '--json')) as {
    timeline: readonly { reason: string | null }[];
  };
  expect(timeline.map(({ reason }) => reason)).toEqual(['Decided by the adapter']);
});

test('sign prints what leaves after the adapter, as it says', async () => {
  const text = example('other-signature');
  const world = await differingWorld({}, text);
  world.env.CLIENT_SECRET = 'aa'.repeat(20);
  world.write('body.json', '{"name":"x"}');
  const args = ['PUT', '/api/v1/employers/x/company', '--body', join(world.folder, 'body.json')];
  const { exitCode, stdout } = await world.cli('sign', ...args);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/X-Client: sandbox-client\n.*X-Signature: [0-9a-f]{128}\n\nBody: 12 bytes/s);
  expect(stdout).not.toMatch(/^Signature:/m);
  const json = JSON.parse((await world.cli('sign', ...args, '--json')).stdout) as Record<string, unknown>;
  expect(json).toMatchObject({
    method: 'PUT',
    path: args[1],
    body: Buffer.from('{"name":"x"}').toString('base64'),
  });
  // A process reads a file once.
  world.write('failing.mjs', 'export default { request() { throw new Error("no key"); } };');
  world.configure('adapter: adapter.mjs', 'adapter: failing.mjs');
  const failed = await world.cli('sign', ...args);
  expect([failed.exitCode, failed.stderr]).toEqual([
    5,
    expect.stringMatching(/failing\.mjs:1 \(request\): no key/),
  ]);
});

test('a worker takes webhooks through it, and stores none while it fails', async () => {
  const world = await differingWorld({}, example('webhook-wrapper'));
  configureWorker(world);
  const send = async (url: string, payload: object) => {
    const [body, time] = [JSON.stringify(payload), String(Math.floor(Date.now() / 1000))];
    const signature = createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex');
    const headers = { 'X-Time': time, 'X-Signature': signature };
    const answer = await fetch(url, { method: 'POST', headers, body });
    return [answer.status, await answer.text()];
  };
  const data = { id: randomUUID(), job: { id: randomUUID() }, job_seeker: { name: 'A' } };
  const events = [{ type: 'application', data }];
  const stored = () => world.sql('select 1 from placement_sync.job_application');

  const worker = world.start('start');
  const url = await listening(worker, 'webhook');
  expect(await send(url, { challenge: 'word' })).toEqual([200, 'word']);
  expect(await stored()).toHaveLength(0);
  expect(await send(url, { events })).toEqual([200, '{}']);
  expect(await stored()).toHaveLength(1);
  worker.child.kill('SIGTERM');
  await once(worker.child, 'exit');

  world.write('adapter.mjs', 'export default {\n  webhook() { return null.x; },\n};');
  const failing = world.start('start');
  const [status] = await send(await listening(failing, 'webhook'), { events });
  expect(status).toBe(503);
  await expect.poll(() => failing.stderr()).toMatch(/adapter\.mjs:2 \(webhook\): Cannot read/);
  expect(await stored()).toHaveLength(1);
});
