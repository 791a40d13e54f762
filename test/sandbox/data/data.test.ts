import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { SandboxOptions } from '../../../src/sandbox/sandbox-options.js';
import { type RunningSandbox, startSandbox } from '../../../src/sandbox/start-sandbox.js';
import { companyBody, companyPath, send, vacancyPath } from '../signed-request.js';

const COMPANY = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';
const OTHER = '2edd9893-f1a3-45dd-89d4-bc4dc9a071d0';
const VACANCY = '3edd9893-f1a3-45dd-89d4-bc4dc9a071d0';
const REGION = { type: 'city', id: '4edd9893-f1a3-45dd-89d4-bc4dc9a071d0', country_code: null };

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-data-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function open(data: string, options: SandboxOptions = {}): Promise<RunningSandbox> {
  const sandbox = await startSandbox({ ...options, data });
  onTestFinished(() => sandbox.close().catch(() => undefined));
  return sandbox;
}

const put = (sandbox: RunningSandbox, path: string, body: object) =>
  send(sandbox.url, { method: 'PUT', path, body });

const fileOf = (folder: string): string => join(folder, 'sandbox.jsonl');

/** What starting over this folder is refused with. */
const refusal = (folder: string): Promise<{ message: string; code: string; hint: string }> =>
  startSandbox({ data: folder }).then(
    async (sandbox) => {
      await sandbox.close();
      throw new Error('it was not refused');
    },
    (error: unknown) => error as { message: string; code: string; hint: string },
  );

test('a sandbox with a data folder goes on where the last one ended', async () => {
  const folder = join(newFolder(), 'made', 'anew');
  const first = await open(folder);
  const company = await put(first, companyPath(COMPANY), companyBody('PT "A"\u2028B\r\n\ud83d\ude00'));
  await put(first, companyPath(COMPANY), companyBody('PT "A"\u2028B\r\n\ud83d\ude00, anew'));
  const lost = await put(first, companyPath(OTHER), companyBody('PT Lain'));
  first.forget('companies', OTHER);
  const before = first.records('jobs', 'companies');
  await first.close();

  const second = await open(folder);
  expect(second.records('jobs', 'companies')).toEqual(before);
  expect(before).toMatchObject([{ id: COMPANY, puts: 2, reference: company.json.data.reference }]);
  expect(second.requests()).toEqual([]);
  const employer = { id: company.json.data.reference, name: 'PT A', region: REGION };
  const vacancy = await put(second, vacancyPath(VACANCY), {
    title: 'Kasir',
    employer,
    region: REGION,
  });
  expect(vacancy).toMatchObject({ status: 200 });
  const again = await put(second, companyPath(OTHER), companyBody('PT Lain'));
  expect(again.json.data.reference).not.toBe(lost.json.data.reference);
});

test('what was put is in the file soon, without an end', async () => {
  const folder = newFolder();
  const sandbox = await open(folder);
  for (const id of [COMPANY, OTHER]) await put(sandbox, companyPath(id), companyBody(`PT ${id}`));
  while (!existsSync(fileOf(folder)) || !readFileSync(fileOf(folder), 'utf8').includes(OTHER)) await wait(20);
  expect(readdirSync(folder).toSorted()).toEqual(['sandbox.jsonl', 'sandbox.lock']);
  // A file of two records and a head says so, or it would not be known when lines are lost.
  expect(readFileSync(fileOf(folder), 'utf8').split('\n')[0]).toContain('"records":2');
  await sandbox.close();
  expect(readdirSync(folder)).toEqual(['sandbox.jsonl']);
});

test('what was taken with extra fields is still there for a sandbox that refuses them', async () => {
  const folder = newFolder();
  const first = await open(folder, { extraFields: 'accept' });
  await put(first, companyPath(COMPANY), { ...companyBody('PT Contoh'), nickname: 'Contoh' });
  await first.close();
  const second = await open(folder);
  expect(second.records('jobs', 'companies')).toMatchObject([{ body: { nickname: 'Contoh' } }]);
});

const HEAD = '{"format":"placement-sync sandbox","version":1,"records":1,"forgotten":0}\n';
const RECORD = {
  kind: 'companies',
  id: COMPANY,
  reference: OTHER,
  remoteId: VACANCY,
  body: { name: 'PT Contoh' },
  createdAtMs: 1,
  updatedAtMs: 1,
  puts: 1,
};
const line = (changes: object): string => `${JSON.stringify({ ...RECORD, ...changes })}\n`;

test('a file written by hand is taken', async () => {
  const folder = newFolder();
  writeFileSync(fileOf(folder), HEAD + line({}));
  expect((await open(folder)).records('jobs', 'companies')).toMatchObject([{ id: COMPANY }]);
});

test.each([
  ['', 'is empty'],
  ['hello\n', 'line 1 is not JSON'],
  ['{"format":"other"}\n', 'line 1 is not the head of a sandbox’s data'],
  [HEAD.replace('"version":1', '"version":2'), 'line 1 has a version that this program does not know'],
  [HEAD, 'is cut short: 1 lines are missing at its end'],
  [HEAD + line({}).slice(0, 50), 'line 2 is not JSON'],
  [HEAD + line({ kind: 'people' }), 'line 2 has an unknown kind'],
  [HEAD + line({ id: 'seventeen' }), 'line 2 has no UUID as id'],
  [HEAD + line({ body: {} }), 'line 2 has a body whose field name is required'],
  [HEAD + line({ updatedAtMs: 1e300 }), 'line 2 has an invalid time'],
  [HEAD + line({ puts: -1 }), 'line 2 has no number of Puts'],
  [HEAD + line({}) + line({}), 'line 3 is one more than the file should have'],
  [HEAD.replace('"records":1', '"records":2') + line({}) + line({}), 'line 3 repeats a record'],
])('a broken file is refused and left as it is: %j', async (text, message) => {
  const folder = newFolder();
  writeFileSync(fileOf(folder), text);
  const error = await refusal(folder);
  expect(error).toMatchObject({ code: 'usage', hint: expect.stringContaining('left as it is') as string });
  expect(error.message).toContain(`sandbox.jsonl`);
  expect(error.message).toContain(message);
  expect(readFileSync(fileOf(folder), 'utf8')).toBe(text);
  expect(readdirSync(folder)).toEqual(['sandbox.jsonl']);
});

test('a file that is not UTF-8 is refused', async () => {
  const folder = newFolder();
  writeFileSync(fileOf(folder), Buffer.from(HEAD + line({ body: { name: 'Café' } }), 'latin1'));
  expect((await refusal(folder)).message).toContain('is not UTF-8');
});

test('two sandboxes on one folder are refused, and the next one after the end is not', async () => {
  const folder = newFolder();
  const first = await open(folder);
  const error = await refusal(folder);
  expect(error.message).toBe(`${folder} is in use by another sandbox (process ${process.pid}).`);
  await first.close();
  await open(folder);
});

const lockText = (holder: object): string =>
  JSON.stringify({ pid: process.pid, host: hostname(), started: null, ...holder });

test('the lock of a process that is gone is taken over', async () => {
  const folder = newFolder();
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  writeFileSync(join(folder, 'sandbox.lock'), lockText({ pid }));
  await open(folder);
  expect(readFileSync(join(folder, 'sandbox.lock'), 'utf8')).toContain(`"pid":${process.pid},`);
  expect(readdirSync(folder)).toEqual(['sandbox.lock']);
});

test.runIf(process.platform === 'linux')('so is that of a process whose number is used again', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'sandbox.lock'), lockText({ started: '1' }));
  await open(folder);
});

test.each([
  ['of another machine', lockText({ host: 'elsewhere' }), 'in use by a sandbox on elsewhere'],
  ['that says nothing', '', 'does not say by which process'],
])('a lock %s is not taken over', async (_whose, text, message) => {
  const folder = newFolder();
  writeFileSync(join(folder, 'sandbox.lock'), text);
  const error = await refusal(folder);
  expect(error.message).toContain(message);
  expect(error.hint).toContain(`delete ${join(folder, 'sandbox.lock')}`);
  expect(readFileSync(join(folder, 'sandbox.lock'), 'utf8')).toBe(text);
});

test('a folder that is a file is refused', async () => {
  const path = join(newFolder(), 'file');
  writeFileSync(path, '');
  expect((await refusal(path)).message).toContain('cannot hold data');
});

test('the folder is free again when the port was taken', async () => {
  const folder = newFolder();
  const { port } = await open(newFolder());
  await expect(startSandbox({ data: folder, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await open(folder);
});

test('a folder that cannot be written any more is told, at the end too', async () => {
  const folder = newFolder();
  const failures: string[] = [];
  const sandbox = await open(folder, { onDataFailure: (error) => failures.push(error.message) });
  // No permission would stop root.
  rmSync(folder, { recursive: true });
  await put(sandbox, companyPath(COMPANY), companyBody('PT Contoh'));
  while (failures.length === 0) await wait(20);
  expect(failures[0]).toContain('ENOENT');
  await expect(sandbox.close()).rejects.toMatchObject({ code: 'unexpected' });
});
