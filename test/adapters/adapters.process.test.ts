import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunReport } from '../../src/core/run/end.js';
import { SECRET } from '../cli/cli-world.js';
import { type Difference, differingWorld, jsonAnswer, WHOLE } from './differing-platform.js';

const example = (name: string): string =>
  readFileSync(new URL(join('../../config/adapters', `${name}.mjs`), import.meta.url), 'utf8');

const CODES: Readonly<Record<number, string>> = { 200: '00', 404: '14', 422: '30' };

/** A platform that no setting describes. */
const XML = `export default {
  reply({ text, status }, { operation }) {
    const part = (name) => new RegExp('<' + name + '>([^<]*)').exec(text)?.[1];
    if (status === 404) return { missing: true };
    if (status !== 200) return { rejected: { message: part('why') ?? 'no reason' } };
    if (operation.startsWith('find')) return undefined;
    return { accepted: { id: part('id'), reference: part('reference') } };
  },
};`;

const PLATFORMS: readonly {
  readonly difference: string;
  readonly adapter: string;
  readonly platform: Difference;
  readonly configure?: (configure: (from: string, to: string) => void, env: Record<string, string>) => void;
}[] = [
  {
    difference: 'business codes inside 200',
    adapter: example('business-codes'),
    platform: {
      gives(answer) {
        const { data = {}, message: note = '' } = JSON.parse(answer.body) as {
          data?: unknown;
          message?: string;
        };
        const code = CODES[answer.status] ?? '99';
        Object.assign(answer, jsonAnswer(200, { code, note, payload: data }));
      },
    },
  },
  {
    difference: 'other headers, a hex secret and SHA-512',
    adapter: example('other-signature'),
    configure: (configure) => configure('${CLIENT_SECRET}', Buffer.from(SECRET).toString('hex')),
    platform: {
      takes({ method, url, headers, body }) {
        const one = (name: string) => String(headers[name]);
        const text = [method, url, one('x-client'), one('x-request'), one('x-time'), body].join('\n');
        const expected = createHmac('sha512', SECRET).update(text).digest('hex');
        const isRight =
          headers['client-id'] === undefined &&
          headers['x-signature'] === expected &&
          /^\d{10}$/.test(one('x-time'));
        return isRight ? undefined : jsonAnswer(401, { message: 'signature' });
      },
    },
  },
  {
    difference: 'a reply in XML',
    adapter: XML,
    platform: {
      gives(answer) {
        const { data = {}, message = '' } = JSON.parse(answer.body) as {
          data?: Record<string, string>;
          message?: string;
        };
        const inner =
          answer.status === 200
            ? `<id>${data.id ?? ''}</id><reference>${data.reference ?? ''}</reference>`
            : `<why>${message}</why>`;
        answer.headers = { 'Content-Type': 'application/xml' };
        answer.body = `<?xml version="1.0"?><answer>${inner}</answer>`;
      },
    },
  },
];

describe.each(PLATFORMS)('a platform with $difference', ({ adapter, platform, configure }) => {
  test('takes all records through its adapter once, and one change later', { timeout: 60_000 }, async () => {
    const world = await differingWorld(platform, adapter);
    configure?.(world.configure, world.env);
    const first = await world.run();
    expect([first.code, first.stderr]).toEqual([0, expect.any(String)]);
    expect(first.entities).toMatchObject({ companies: { accepted: 3 }, vacancies: { accepted: 2 } });
    expect(world.held()).toEqual(WHOLE);
    await world.sql(`update company set name = 'Company 3, renamed' where id = 'c003'`);
    expect((await world.run()).code).toBe(0);
    expect(world.held()).toContain('Company 3, renamed');
    expect(world.puts(), 'all once, and the one that changed').toBe(WHOLE.length + 1);
    const journal = await world.sql<{ reason: string | null }>('select reason from placement_sync.delivery');
    if (adapter.includes('reply('))
      expect(new Set(journal.map(({ reason }) => reason))).toEqual(new Set(['Decided by the adapter']));
  });

  test('takes nothing without it, and loses nothing', async () => {
    const world = await differingWorld(platform, null);
    configure?.(world.configure, world.env);
    const first = await world.run();
    expect(first.code).toBe(5);
    expect(Object.values(first.entities).map(({ accepted, rejected }) => [accepted, rejected])).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });
});

test('an error format of the platform’s own is read by its adapter, field by field', async () => {
  const world = await differingWorld(
    {
      takes: ({ body }) =>
        body.includes('Company 2')
          ? jsonAnswer(409, { fault: { reason: 'Not like this', where: [{ at: 'name', why: 'is taken' }] } })
          : undefined,
    },
    example('other-errors'),
  );
  const { code, entities } = await world.run();
  expect([code, entities.companies]).toMatchObject([3, { accepted: 2, rejected: 1 }]);
  const { stdout } = await world.cli('explain', 'companies', 'c002');
  expect(stdout).toContain('name: is taken. Not like this');
});

test('a gateway’s token goes along, is asked for once, and again when it is refused', async () => {
  let token: string = randomUUID();
  let asked = 0;
  const gateway: Difference = {
    serves({ url, headers }) {
      if (url !== '/token') return undefined;
      asked += 1;
      token = randomUUID();
      return headers.authorization === `Basic ${Buffer.from('me:word').toString('base64')}`
        ? jsonAnswer(200, { access_token: token, expires_in: 60 })
        : jsonAnswer(401, {});
    },
    takes: ({ headers }) =>
      headers.authorization === `Bearer ${token}`
        ? undefined
        : { ...jsonAnswer(401, {}), headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } },
  };
  const world = await differingWorld(gateway, example('oauth-token'));
  Object.assign(world.env, {
    GATEWAY_TOKEN_URL: `${world.env.BASE_URL ?? ''}/token`,
    GATEWAY_CLIENT_ID: 'me',
    GATEWAY_CLIENT_SECRET: 'word',
  });
  const started = world.start('start');
  await expect.poll(() => world.held()).toEqual(WHOLE);
  expect(asked).toBe(1);
  token = 'revoked';
  await world.sql(`update company set name = 'Company 1, renamed' where id = 'c001'`);
  await world.cli('resync');
  await expect.poll(() => world.held()).toContain('Company 1, renamed');
  expect(asked).toBe(2);
  started.child.kill('SIGTERM');
  await once(started.child, 'exit');
});

test('what the platform decides later is read back: pending, then live or refused', async () => {
  const decided = new Map<string, string>();
  const world = await differingWorld(
    {
      gives(answer, { method, url }) {
        if (answer.status !== 200) return;
        if (method === 'PUT') answer.status = 202;
        const { data } = JSON.parse(answer.body) as { data: Record<string, unknown> };
        answer.body = JSON.stringify({ data: { ...data, moderation: decided.get(url) ?? 'WAITING' } });
      },
    },
    example('moderation'),
  );
  expect((await world.run()).code).toBe(0);
  const states = () =>
    world.sql<{ state: string }>(
      `select distinct platform_state as state from placement_sync.sync_state where entity = 'companies' order by 1`,
    );
  expect(await states()).toEqual([{ state: 'pending' }]);
  for (const [index, { url }] of world.platform.received.filter(({ method }) => method === 'PUT').entries())
    decided.set(url, index === 0 ? 'DECLINED' : 'PUBLISHED');
  await world.cli('verify', '--all');
  expect(await states()).toEqual([{ state: 'live' }, { state: 'refused' }]);
  // Only a person sends it again.
  const sent = world.platform.received.filter(({ method }) => method === 'PUT').length;
  await world.run();
  expect(world.platform.received.filter(({ method }) => method === 'PUT')).toHaveLength(sent);
});

describe('an adapter that fails', () => {
  test.each([
    [
      'throws in request',
      'export default {\n  request() { throw new Error("no key"); },\n};',
      /adapter\.mjs:2 \(request\): no key/,
    ],
    [
      'throws in reply',
      'export default {\n\n  reply({ json }) { return json.x.y; },\n};',
      /adapter\.mjs:3 \(reply\): Cannot read/,
    ],
    [
      'hangs',
      'export default { request: () => new Promise(() => {}) };',
      /\(request\): it gave nothing within/,
    ],
    [
      'gives nonsense',
      'export default { reply: () => ({ accept: true }) };',
      /\(reply\): it gave \{\\?"accept\\?":true\}/,
    ],
    ['cannot be read', 'export default {\n  reply(', /adapter\.mjs:2 \(\w+\): Unexpected/],
    ['exports another name', 'export default { answer() {} };', /it exports answer, which nothing calls/],
  ])('%s: stops its area with its own words, and nobody is rejected', async (_, text, says) => {
    const world = await differingWorld({}, text);
    // Of a file that is no JavaScript only a process of its own says what Node says.
    const { exitCode, stdout, stderr } = await world.start('run', '--json').done;
    expect(exitCode).toBe(5);
    const { entities } = JSON.parse(stdout) as RunReport;
    expect(Object.values(entities).every(({ accepted, rejected }) => accepted + rejected === 0)).toBe(true);
    expect(stderr).toMatch(says);
    expect((await world.cli('status')).stdout).toMatch(says);
    // Corrected, everything arrives by itself. A process reads a file once.
    world.write('corrected.mjs', 'export default { reply: () => undefined };');
    world.configure('adapter: adapter.mjs', 'adapter: corrected.mjs');
    await expect.poll(async () => (await world.run()).code).toBe(0);
    expect(world.held()).toEqual(WHOLE);
  });
});
