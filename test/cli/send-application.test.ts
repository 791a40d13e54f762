import { join } from 'node:path';
import { expect, test } from 'vitest';
import { signatureProfile } from '../../src/core/contract/signature.js';
import { platformId } from '../../src/core/domain/key.js';
import { jobIdOf, type SentApplication } from '../../src/features/sandbox/webhook/send-application.js';
import type { StatusReport } from '../../src/features/look/read-status.js';
import { openTestWebhook } from '../features/webhook/open-test-webhook.js';
import { createCliWorld } from './cli-world.js';
import { runCli, startCli } from './run-cli.js';
import { temporaryFolder } from '../temporary-folder.js';

const UUID_KEY = '2EDD9893-F1A3-45DD-89D4-BC4DC9A071D1';
const send = (to: string, ...args: string[]) => runCli(['sandbox', 'send-application', '--to', to, ...args]);

test('sends with the sandbox’s credentials and prints the reply', async () => {
  const { webhook, rows } = await openTestWebhook({ secrets: ['sandbox-secret'] });
  const { exitCode, stdout } = await send(webhook.url, '--vacancy', UUID_KEY, '--email', 'dian@example.com');
  expect(exitCode).toBe(0);
  expect(stdout).toContain('  200 {}');
  expect(await rows()).toMatchObject([
    { layout: 'applied-at', email: 'dian@example.com', job_id: jobIdOf(UUID_KEY) },
  ]);
});

test('takes its own client id, secret, profile, layout and repeat behind its name', async () => {
  const profile = signatureProfile('method-path-hex');
  const { webhook, outcomes, rows } = await openTestWebhook({ secrets: ['rotated'], profile });
  const { stdout } = await send(
    webhook.url,
    ...['--secret', 'rotated', '--client-id', 'me', '--profile', 'method-path-hex'],
    ...['--layout', 'flat', '--repeat', '--json', '--quiet'],
  );
  const { sent } = JSON.parse(stdout) as { sent: SentApplication[] };
  expect(sent.map(({ status }) => status)).toEqual([200, 200]);
  expect(new Set(sent.map(({ requestId }) => requestId)).size).toBe(2);
  expect(new Set(sent.map(({ applicationId }) => applicationId)).size).toBe(1);
  expect(outcomes()).toEqual(['stored', 'repeat']);
  expect(await rows()).toHaveLength(1);
});

test('makes the id of a key that is no UUID with the namespace of the configuration', async () => {
  const { webhook, rows } = await openTestWebhook({ secrets: ['sandbox-secret'] });
  const world = await createCliWorld();
  const { exitCode } = await world.cli('sandbox', 'send-application', '--to', webhook.url, '--vacancy', '17');
  expect(exitCode).toBe(0);
  const { stdout } = await world.cli('config', 'print');
  const { ids } = JSON.parse(stdout) as { ids: { namespace: string } };
  expect(await rows()).toMatchObject([{ job_id: jobIdOf(platformId('vacancies', '17', ids.namespace)) }]);
});

test('signs with the secret of the configuration that is named, which no command line shows', async () => {
  const { webhook } = await openTestWebhook({ secrets: ['configured-secret-1'] });
  const world = await createCliWorld();
  world.configure('state: {', `webhook: { secrets: ['configured-secret-1'] }\nstate: {`);
  const to = ['sandbox', 'send-application', '--to', webhook.url];
  expect((await world.cli(...to, '--config', world.configFile)).exitCode).toBe(0);
  expect((await world.cli(...to, '--config', world.configFile, '--secret', 'other')).exitCode).toBe(1);
});

test('sends a number as id', async () => {
  const { webhook, rows } = await openTestWebhook({ secrets: ['sandbox-secret'] });
  const sent = await send(webhook.url, '--id', '9007199254740993', '--job', UUID_KEY);
  expect(sent.exitCode).toBe(0);
  expect(await rows()).toMatchObject([
    {
      ...{ application_ref: '9007199254740993', application_id: null },
      ...{ job_ref: UUID_KEY.toLowerCase(), job_id: UUID_KEY.toLowerCase() },
    },
  ]);
});

test('sends a file as it is', async () => {
  const { webhook, rows } = await openTestWebhook({ secrets: ['sandbox-secret'] });
  const folder = temporaryFolder({ 'body.json': '{ "event": "new" }\n' });
  expect((await send(webhook.url, '--body', join(folder, 'body.json'))).exitCode).toBe(0);
  expect(await rows()).toMatchObject([{ layout: 'unrecognised', body: '{ "event": "new" }\n' }]);
});

test('ends with 1 when the webhook refuses or does not answer, and with 2 for wrong arguments', async () => {
  const { webhook } = await openTestWebhook({ secrets: ['other'] });
  const refused = await send(webhook.url);
  expect(refused).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('  401 ') as string });
  await webhook.close();
  // In a process of its own: this one has a connection left over.
  const nobody = await startCli(['sandbox', 'send-application', '--to', webhook.url]).done;
  expect(nobody).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('ECONNREFUSED') as string });
  for (const args of [
    ['--layout', 'c'],
    ['--job', 'x'],
    ['--vacancy', UUID_KEY, '--job', UUID_KEY],
  ])
    expect((await send(webhook.url, ...args)).exitCode, args.join(' ')).toBe(2);
  expect((await send('ftp://a')).exitCode).toBe(2);
});

test('inbox reread stores what is recognised now, and says how many', async () => {
  const world = await createCliWorld();
  await world.cli('migrate');
  const body = {
    event: 'new-job-application',
    data: { id: UUID_KEY, job: { id: UUID_KEY }, job_seeker: {} },
  };
  await world.sql(
    `insert into placement_sync.job_application (layout, request_id, request_timestamp, body, delivery_hash)
     values ('unrecognised', 'r', now(), $1, 'h')`,
    [JSON.stringify(body)],
  );
  const first = await world.cli('inbox', 'reread');
  expect(first).toMatchObject({ exitCode: 0 });
  expect(first.stderr + first.stdout).toContain('1 webhook read again: 1 application recognised and stored.');
  const second = await world.cli('inbox', 'reread', '--json');
  expect(JSON.parse(second.stdout)).toEqual({
    read: 0,
    recognised: 0,
    versions: 0,
    repeats: 0,
    failed: 0,
    reason: null,
  });
});

test('status says that webhooks are refused, since when and why', async () => {
  const world = await createCliWorld();
  await world.cli('migrate');
  await world.sql(
    `insert into placement_sync.refused_webhook values ('signature', 2, '2026-01-01Z', '2026-01-02Z', null), ('time', 3, '2026-01-03Z', '2026-01-04Z', 25200000)`,
  );
  const { stdout, stderr } = await world.cli('status');
  expect(stdout + stderr).toMatch(
    /Webhooks are refused\. 5 refused, .* its time is 7 hours ahead of the clock here\./,
  );
  const { refusedWebhooks } = JSON.parse((await world.cli('status', '--json')).stdout) as StatusReport;
  expect(refusedWebhooks).toEqual({
    count: 5,
    since: '2026-01-01T00:00:00.000Z',
    lastAt: '2026-01-04T00:00:00.000Z',
    reason: 'time',
    offsetSeconds: 25_200,
  });
});
