import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { companyBody, companyPath, send } from '../sandbox/signed-request.js';
import { runCli, type RunningCli, startCli } from './run-cli.js';
import { temporaryFolder } from '../temporary-folder.js';

const ID = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';

/** A sandbox that listens, and its address. */
async function start(folder: string): Promise<RunningCli & { url: string }> {
  const sandbox = startCli(['sandbox', '--port', '0', '--data', folder]);
  onTestFinished(() => void sandbox.child.kill('SIGKILL'));
  while (!sandbox.stdout().includes('journal')) await wait(20);
  return { ...sandbox, url: /http:\/\/127\.0\.0\.1:\d+/.exec(sandbox.stdout())?.[0] ?? '' };
}

async function heldBy(url: string): Promise<unknown> {
  const response = await fetch(`${url}/_sandbox/records/jobs/companies`);
  return ((await response.json()) as { records: unknown }).records;
}

const put = (url: string, name: string) =>
  send(url, { method: 'PUT', path: companyPath(ID), body: companyBody(name) });

test('what sandbox --data holds outlives an orderly end and a kill', async () => {
  const folder = join(temporaryFolder(), 'rehearsal');
  const first = await start(folder);
  expect(first.stdout()).toContain(`keeps its data in ${folder}`);
  expect(first.stdout()).not.toContain('forgets everything');
  await put(first.url, 'PT Pertama');
  first.child.kill('SIGTERM');
  expect((await first.done).exitCode).toBe(0);

  const second = await start(folder);
  expect(await heldBy(second.url)).toMatchObject([{ id: ID, body: { name: 'PT Pertama' }, puts: 1 }]);
  await put(second.url, 'PT Kedua');
  while (!readFileSync(join(folder, 'sandbox.json'), 'utf8').includes('PT Kedua')) await wait(20);
  second.child.kill('SIGKILL');
  await second.done;
  expect(existsSync(join(folder, 'sandbox.json.lock'))).toBe(true);

  const third = await start(folder);
  expect(await heldBy(third.url)).toMatchObject([{ id: ID, body: { name: 'PT Kedua' }, puts: 2 }]);
});

test('a folder that another sandbox uses is refused with exit code 2', async () => {
  const folder = temporaryFolder();
  const first = await start(folder);
  const second = await runCli(['sandbox', '--port', '0', '--data', folder]);
  expect(second.exitCode).toBe(2);
  expect(second.stderr).toContain('in use by another sandbox.');
  expect(second.stderr).toContain('Give each sandbox a folder of its own');
  await put(first.url, 'PT Contoh');
  first.child.kill('SIGTERM');
  expect((await first.done).exitCode).toBe(0);
  expect(readFileSync(join(folder, 'sandbox.json'), 'utf8')).toContain('PT Contoh');
});

test('a broken file is refused with exit code 2 and stays', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'sandbox.json'), 'not ours\n');
  const { exitCode, stderr } = await runCli(['sandbox', '--port', '0', '--data', folder]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('sandbox.json cannot be read: Unexpected token');
  expect(stderr).toContain('move it away to start without records');
  expect(readFileSync(join(folder, 'sandbox.json'), 'utf8')).toBe('not ours\n');
});
