import { execFile } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { FAULT_KINDS } from '../../src/features/sandbox/fault-rules.js';
import { FAULTS_FILE } from '../../src/features/sandbox/faults-file.js';
import { type RunningSandbox, startSandbox } from '../../src/features/sandbox/start-sandbox.js';

const run = promisify(execFile);
const pageText = (name: string): string =>
  readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8');
const TEXT = pageText('adapter');
const FAULTS = TEXT.slice(TEXT.indexOf('\n### Faults\n'));

async function open(): Promise<RunningSandbox> {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  return sandbox;
}

test('the openssl commands of docs/live.md give digest and HMAC', async () => {
  const [digest = '', hmac = ''] =
    /```sh\n(printf .*?)```/s.exec(pageText('live'))?.[1]?.trim().split('\n') ?? [];
  const body = '{"name":"Café \\"A\\""}';
  const toSign = 'Client-Id:me\nRequest-Id:1';
  const env = { PATH: process.env.PATH, BODY: body, STRING_TO_SIGN: toSign, SECRET: 'a secret' };
  const printed = async (command: string) => (await run('sh', ['-c', command], { env })).stdout.trim();
  expect(await printed(digest)).toBe(createHash('sha256').update(body).digest('base64'));
  expect(await printed(hmac)).toBe(createHmac('sha256', 'a secret').update(toSign).digest('base64'));
});

test('the addresses of docs/adapter.md are there', async () => {
  const sandbox = await open();
  const addresses = [...TEXT.matchAll(/^\| `(\/_sandbox[^`]*)`/gm)].map(([, path = '']) => path);
  expect(addresses).toHaveLength(5);
  for (const path of addresses) expect([path, (await fetch(sandbox.url + path)).status]).toEqual([path, 200]);
});

test('docs/adapter.md lists every fault with all of its settings and no other, and its example is valid', () => {
  const rows = [...FAULTS.matchAll(/^\| `([a-z-]+)` +\| ((?:`[a-zA-Z]+`[^|]*)?) *\| [^|]+\|$/gm)].map(
    ([, fault = '', settings = '']) => [
      fault,
      [...settings.matchAll(/`([a-zA-Z]+)`(?! ?\))/g)].map(([, name]) => name),
    ],
  );
  const selection = Object.keys(FAULT_KINDS['drop-before'].shape);
  const kinds = Object.entries(FAULT_KINDS).map(([kind, { shape }]) => [
    kind,
    Object.keys(shape).filter((name) => !selection.includes(name)),
  ]);
  expect(rows).toEqual(kinds);
  expect(
    FAULTS_FILE.checked(FAULTS_FILE.parse(/```yaml\n(.*?)```/s.exec(FAULTS)?.[1] ?? '', 'docs/adapter.md'))
      .rules,
  ).toHaveLength(3);
  for (const name of selection.filter((each) => each !== 'fault')) expect(TEXT).toContain(`\`${name}\``);
});
