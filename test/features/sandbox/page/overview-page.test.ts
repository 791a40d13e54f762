import { request } from 'node:http';
import { createHash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { ENTITIES } from '../../../../src/core/entities/index.js';
import type { SandboxOptions } from '../../../../src/features/sandbox/sandbox-options.js';
import { type RunningSandbox, startSandbox } from '../../../../src/features/sandbox/start-sandbox.js';
import { companyBody, companyPath, institutionPath, send } from '../signed-request.js';

const ID = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';

async function open(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

async function page(sandbox: RunningSandbox, accept?: string) {
  const response = await fetch(
    `${sandbox.url}/_sandbox`,
    accept === undefined ? {} : { headers: { accept } },
  );
  return { response, text: await response.text() };
}

/** Text of the elements with this name, without markup. */
const elements = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(`<${name}[ >].*?</${name}>`, 'gs'))].map(([element]) =>
    element
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  );

test('the page counts what the sandbox holds, and its links lead to the listings', async () => {
  const sandbox = await open();
  await send(sandbox.url, { method: 'PUT', path: companyPath(ID), body: companyBody('PT Contoh') });
  const { text } = await page(sandbox);
  expect(elements(text, 'tr').slice(1)).toEqual(
    ENTITIES.map(({ name, area }) => `${name} ${area} ${name === 'companies' ? '1' : '0'}`),
  );
  const links = [...text.matchAll(/href="([^"]*)"/g)].map(([, path = '']) => path);
  // Beside the records: the requests and the interface.
  expect(links).toHaveLength(ENTITIES.length + 2);
  for (const path of links) {
    const reply = await fetch(sandbox.url + path);
    expect([path, reply.status, reply.headers.get('content-type')]).toEqual([path, 200, 'application/json']);
  }
});

test('the page shows the latest requests first, with status and refusal', async () => {
  const sandbox = await open({
    intercept: ({ method }) => (method === 'GET' ? { drop: 'before' } : undefined),
  });
  await send(sandbox.url, { method: 'PUT', path: companyPath(ID), body: companyBody('PT Contoh') });
  await send(sandbox.url, { method: 'PUT', path: institutionPath(ID), body: {} });
  await send(sandbox.url, { method: 'GET', path: companyPath(ID) }).catch(() => undefined);
  const items = elements((await page(sandbox)).text, 'li').map((item) => item.replace(/ \d{4}-.*? UTC/, ''));
  expect(items).toEqual([
    `– GET ${companyPath(ID)} connection dropped before processing`,
    `422 PUT ${institutionPath(ID)} The name field is required.`,
    `200 PUT ${companyPath(ID)}`,
  ]);
});

test('of many requests the page shows the last fifty and says so', async () => {
  const sandbox = await open();
  expect((await page(sandbox)).text).toContain('None yet.');
  for (let number = 0; number < 51; number += 1) await fetch(`${sandbox.url}/${String(number)}`);
  const { text } = await page(sandbox);
  expect(elements(text, 'li')).toHaveLength(50);
  expect(text).toContain('The last 50 of 51');
  expect(text).not.toContain('GET /0<');
});

test('the page is for people: JSON only where it is asked for', async () => {
  const sandbox = await open();
  const typeFor = async (accept?: string) =>
    (await page(sandbox, accept)).response.headers.get('content-type');
  expect(await typeFor()).toBe('text/html; charset=UTF-8');
  expect(await typeFor('text/html,application/xhtml+xml,application/json;q=0.9')).toMatch('text/html');
  expect(await typeFor('application/json')).toBe('application/json');
});

test('what a request brings is text on the page, and the page can run and load nothing', async () => {
  const sandbox = await open({
    clients: { jobs: { clientId: '<i>jobs</i>', secret: 'not-shown' } },
    intercept: () => ({ status: 500 }),
  });
  const injected = `/"'<script>alert(1)</script>&amp;`;
  // fetch would encode the path.
  await new Promise<void>((resolve) => {
    request(sandbox.url, { path: injected }, (reply) => reply.resume().on('end', () => resolve())).end();
  });
  const { response, text } = await page(sandbox);
  expect(text).toContain('/&quot;&#39;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;');
  expect(text).toContain('&lt;i&gt;jobs&lt;/i&gt;');
  expect(text).not.toContain('<script');
  expect(text).not.toContain('not-shown');
  expect(text).not.toContain('sandbox-secret');

  const [, style = ''] = /<style>(.*)<\/style>/s.exec(text) ?? [];
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
});

test('the page says how to sign, and that nothing outlives the sandbox', async () => {
  const { text } = await page(await open({ profile: 'method-path-hex' }));
  expect(text).toContain('loses its records');
  expect(text).toContain('<code>method-path-hex</code>');
  expect(text).toContain('<code>sandbox-client</code>');
});
