import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/sandbox-options.js';
import { type RunningSandbox, startSandbox } from '../../src/sandbox/start-sandbox.js';
import { companyBody, companyPath, send, vacancyPath } from './signed-request.js';
import { temporaryFolder } from '../temporary-folder.js';

const COMPANY = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';
const OTHER = '2edd9893-f1a3-45dd-89d4-bc4dc9a071d0';
const VACANCY = '3edd9893-f1a3-45dd-89d4-bc4dc9a071d0';
const REGION = { type: 'city', id: '4edd9893-f1a3-45dd-89d4-bc4dc9a071d0', country_code: null };

async function open(data: string, options: SandboxOptions = {}): Promise<RunningSandbox> {
  const sandbox = await startSandbox({ ...options, data });
  onTestFinished(() => sandbox.close().catch(() => undefined));
  return sandbox;
}

const put = (sandbox: RunningSandbox, path: string, body: object) =>
  send(sandbox.url, { method: 'PUT', path, body });

const fileOf = (folder: string): string => join(folder, 'sandbox.json');

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
  const folder = join(temporaryFolder(), 'made', 'anew');
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
  const folder = temporaryFolder();
  const sandbox = await open(folder);
  for (const id of [COMPANY, OTHER]) await put(sandbox, companyPath(id), companyBody(`PT ${id}`));
  while (!existsSync(fileOf(folder)) || !readFileSync(fileOf(folder), 'utf8').includes(OTHER)) await wait(20);
  expect(readdirSync(folder).toSorted()).toEqual(['sandbox.json', 'sandbox.json.lock']);
  await sandbox.close();
  expect(readdirSync(folder)).toEqual(['sandbox.json']);
});

test('what was taken with extra fields is still there for a sandbox that refuses them', async () => {
  const folder = temporaryFolder();
  const first = await open(folder, { extraFields: 'accept' });
  await put(first, companyPath(COMPANY), { ...companyBody('PT Contoh'), nickname: 'Contoh' });
  await first.close();
  const second = await open(folder);
  expect(second.records('jobs', 'companies')).toMatchObject([{ body: { nickname: 'Contoh' } }]);
});

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
const dataOf = (changes: object): string =>
  JSON.stringify({
    format: 'placement-sync sandbox',
    version: 1,
    records: [RECORD],
    forgotten: [],
    ...changes,
  });

test('a file written by hand is taken', async () => {
  const folder = temporaryFolder();
  writeFileSync(fileOf(folder), dataOf({}));
  expect((await open(folder)).records('jobs', 'companies')).toMatchObject([{ id: COMPANY }]);
});

test.each([
  ['', 'Unexpected end of JSON input'],
  ['null', 'cannot be read'],
  ['{"format":"other"}', 'it is not the data of a sandbox'],
  [dataOf({ version: 2 }), 'this program does not know its version'],
  [dataOf({ records: undefined }), 'its lists are missing'],
  [dataOf({}).slice(0, 100), 'JSON'],
  [dataOf({ records: 1 }), 'its lists are missing'],
  [dataOf({ records: [{ ...RECORD, kind: 'people' }] }), 'the sandbox knows no kind people'],
  [Buffer.from(dataOf({ forgotten: 'Café' }), 'latin1'), 'not valid'],
])('a broken file is refused and left as it is: %s', async (content, message) => {
  const folder = temporaryFolder();
  writeFileSync(fileOf(folder), content);
  const error = await refusal(folder);
  expect(error).toMatchObject({ code: 'usage', hint: expect.stringContaining('left as it is') as string });
  expect(error.message).toContain('sandbox.json cannot be read: ');
  expect(error.message).toContain(message);
  expect(readFileSync(fileOf(folder))).toEqual(Buffer.from(content));
  expect(readdirSync(folder)).toEqual(['sandbox.json']);
});

test('two sandboxes on one folder are refused, and the next one after the end is not', async () => {
  const folder = temporaryFolder();
  const first = await open(folder);
  expect((await refusal(folder)).message).toBe(`${folder} is in use by another sandbox.`);
  await first.close();
  await open(folder);
}, 20_000);

test('the lock of a process that was killed is taken over', async () => {
  const folder = temporaryFolder();
  const lock = join(folder, 'sandbox.json.lock');
  mkdirSync(lock);
  utimesSync(lock, new Date(), new Date(Date.now() - 4_000));
  await open(folder);
});

test('a sandbox whose folder was taken by another writes nothing more', async () => {
  const folder = temporaryFolder();
  const failures: string[] = [];
  const sandbox = await open(folder, { onDataFailure: (error) => failures.push(error.message) });
  utimesSync(join(folder, 'sandbox.json.lock'), new Date(), new Date(0));
  await wait(3_000);
  await put(sandbox, companyPath(COMPANY), companyBody('PT Contoh'));
  while (failures.length === 0) await wait(20);
  await expect(sandbox.close()).rejects.toMatchObject({ code: 'unexpected' });
  expect(existsSync(fileOf(folder))).toBe(false);
});

test('a folder that is a file is refused', async () => {
  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, '');
  expect((await refusal(path)).message).toContain('cannot hold data');
});

test('the folder is free again when the port was taken', async () => {
  const folder = temporaryFolder();
  const { port } = await open(temporaryFolder());
  await expect(startSandbox({ data: folder, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await open(folder);
});

test('a folder that cannot be written any more is told, at the end too', async () => {
  const folder = temporaryFolder();
  const failures: string[] = [];
  const sandbox = await open(folder, { onDataFailure: (error) => failures.push(error.message) });
  // No permission would stop root.
  rmSync(folder, { recursive: true });
  await put(sandbox, companyPath(COMPANY), companyBody('PT Contoh'));
  while (failures.length === 0) await wait(20);
  expect(failures[0]).toContain('ENOENT');
  await expect(sandbox.close()).rejects.toMatchObject({ code: 'unexpected' });
});
