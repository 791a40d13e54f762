import { execFile } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { FAULT_KINDS } from '../../src/config/faults.js';
import { FAULTS_FILE } from '../../src/config/faults-file.js';
import { type RunningSandbox, startSandbox } from '../../src/sandbox/start-sandbox.js';
import { temporaryFolder } from '../temporary-folder.js';

const run = promisify(execFile);
const TEXT = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8');

const block = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(TEXT)?.[1] ?? '';

const section = (title: string): string => (TEXT.split(`\n## ${title}\n`)[1] ?? '').split('\n## ')[0] ?? '';

async function open(): Promise<RunningSandbox> {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  return sandbox;
}

test('the request of docs/sandbox.md is accepted, as often as it is sent', async () => {
  const sandbox = await open();
  const folder = temporaryFolder();
  const file = join(folder, 'put-company.mjs');
  writeFileSync(file, block('js'));
  for (const puts of [1, 2]) {
    const { stdout } = await run(process.execPath, [file, sandbox.url]);
    expect(stdout).toMatch(/^200 \{"data":\{.*"reference":"/);
    expect(sandbox.records('jobs', 'companies')).toMatchObject([{ body: { name: 'PT Contoh' }, puts }]);
  }
});

test('a wrong signature is answered with the string that the sandbox signed', async () => {
  const sandbox = await open();
  const folder = temporaryFolder();
  const file = join(folder, 'put-company.mjs');
  writeFileSync(file, block('js').replace("'sandbox-secret'", "'another-secret'"));
  const { stdout } = await run(process.execPath, [file, sandbox.url]);
  const { message } = JSON.parse(stdout.slice(4)) as { message: string };
  expect(message).toMatch(
    /^Signature is not valid\. The sandbox signed:\nClient-Id:sandbox-client\nRequest-Id:\S+\nRequest-Timestamp:\S+Z\nRequest-Target:\/api\/v1\/employers\/\S+\nDigest:\S+=$/,
  );
  expect(message).not.toContain('secret');
});

test('the openssl commands of docs/sandbox.md give digest and HMAC', async () => {
  const [digest = '', hmac = ''] = block('sh').trim().split('\n');
  const body = '{"name":"Café \\"A\\""}';
  const toSign = 'Client-Id:me\nRequest-Id:1';
  const env = { PATH: process.env.PATH, BODY: body, STRING_TO_SIGN: toSign, SECRET: 'a secret' };
  const printed = async (command: string) => (await run('sh', ['-c', command], { env })).stdout.trim();
  expect(await printed(digest)).toBe(createHash('sha256').update(body).digest('base64'));
  expect(await printed(hmac)).toBe(createHmac('sha256', 'a secret').update(toSign).digest('base64'));
});

test('the addresses of docs/sandbox.md are there', async () => {
  const sandbox = await open();
  const addresses = [...TEXT.matchAll(/^\| `(\/_sandbox[^`]*)`/gm)].map(([, path = '']) => path);
  expect(addresses).toHaveLength(5);
  for (const path of addresses) expect([path, (await fetch(sandbox.url + path)).status]).toEqual([path, 200]);
});

test('docs/sandbox.md lists every fault with all of its settings and no other, and its example is valid', () => {
  const rows = [
    ...section('Faults').matchAll(/^\| `([a-z-]+)` +\| ((?:`[a-zA-Z]+`[^|]*)?) *\| [^|]+\|$/gm),
  ].map(([, fault = '', settings = '']) => [
    fault,
    [...settings.matchAll(/`([a-zA-Z]+)`(?! ?\))/g)].map(([, name]) => name),
  ]);
  const selection = Object.keys(FAULT_KINDS['drop-before'].shape);
  const kinds = Object.entries(FAULT_KINDS).map(([kind, { shape }]) => [
    kind,
    Object.keys(shape).filter((name) => !selection.includes(name)),
  ]);
  expect(rows).toEqual(kinds);
  expect(FAULTS_FILE.checked(FAULTS_FILE.parse(block('yaml'), 'docs/sandbox.md')).rules).toHaveLength(3);
  for (const name of selection.filter((each) => each !== 'fault')) expect(TEXT).toContain(`\`${name}\``);
});
