import { createHmac } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { CheckId } from '../../src/features/probe/checks.js';
import { type Received } from '../core/platform/servers.js';
import { SECRET } from './cli-world.js';
import { type Deviations, NAMED, onPut, others, otherWorld, probe } from './other-platform.js';

vi.setConfig({ testTimeout: 60_000 });

/** A company is known to vacancies only so long after its last Put. */
function knownAfter(ms: number): Deviations['reply'] {
  let since = 0;
  return (reply, { method, url }) => {
    if (method !== 'PUT') return;
    if (url.includes('/employers/')) since = performance.now();
    else if (performance.now() - since < ms)
      Object.assign(reply, { status: 422, body: { errors: { employer: ['is not known'] } } });
  };
}

type Data = Record<string, unknown>;

const dataOf = ({ body }: { readonly body: unknown }) => (body as { data: Data }).data;

/** Each platform with what probe says of it: only these are not confirmed. */
const PLATFORMS: readonly [
  name: string,
  deviations: Deviations,
  found: Partial<Record<CheckId, 'differs' | 'unknown'>>,
  seen: RegExp,
][] = [
  [
    'a company that vacancies may name only after a while',
    { reply: knownAfter(1_500) },
    { 'parent-reference': 'differs' },
    /late by 3 s: refused before that, then HTTP 200.*settleAfter: 6s/,
  ],
];

test.each(PLATFORMS)('of a platform with %s it says what differs', async (_, deviations, found, seen) => {
  const { world, platform } = await otherWorld(deviations);
  world.configure('ratePerSecond: null', 'ratePerSecond: 10');
  const probed = await probe(world, ...NAMED);
  expect(others(probed), JSON.stringify(probed.checks, null, 1)).toEqual(found);
  expect(probed.exitCode).toBe(Object.values(found).includes('differs') ? 3 : 0);
  expect(JSON.stringify(probed.checks)).toMatch(new RegExp(seen.source.replaceAll('"', '\\\\?"'), 's'));
  // No value of a record, and nothing that the platform says about it.
  expect(JSON.stringify(probed.checks)).not.toMatch(/Company 1|What Company|Budi/);
  expect(platform.received.length).toBeLessThanOrEqual(20);
});

/** Each platform, the check that it fails, and the function that probe begins. */
const CURED: readonly [CheckId, 'request' | 'reply', name: string, Deviations][] = [
  ['wrong-signature', 'request', 'a signature of its own', { accepts: isSignedOtherwise }],
  [
    'wrong-signature',
    'reply',
    '400 for a wrong signature',
    { onWrongSignature: { status: 400, body: { code: 'INVALID_SIGNATURE', text: 'Budi said no' } } },
  ],
  [
    'unknown-id',
    'reply',
    '400 for an unknown id',
    {
      reply: (reply) => {
        if (reply.status === 404) reply.status = 400;
      },
    },
  ],
  ['put-status', 'reply', '202 for a Put', { reply: onPut((reply) => (reply.status = 202)) }],
  [
    'put-status',
    'request',
    'a digest of each body in a header',
    {
      reply: (reply, { method, headers }) => {
        if (method === 'PUT' && !/^sha-256=:.*:$/.test(String(headers['content-digest'])))
          Object.assign(reply, { status: 400, body: { message: 'Content-Digest is missing' } });
      },
    },
  ],
  [
    'envelope',
    'reply',
    'the result of a Put elsewhere',
    { reply: onPut((reply) => (reply.body = { ok: true, result: dataOf(reply) })) },
  ],
  [
    'reference',
    'reply',
    'the reference under another name',
    {
      reply: onPut((reply) => {
        const { reference, ...data } = dataOf(reply);
        reply.body = { data: { ...data, employer_no: reference } };
      }),
    },
  ],
  [
    'find-shape',
    'reply',
    'a Find that shows the record elsewhere',
    {
      reply: (reply, { method, url }) => {
        if (method === 'GET' && reply.status === 200 && url.includes('/employers/'))
          reply.body = { company: dataOf(reply) };
      },
    },
  ],
  ['same-reference', 'reply', 'another reference at each Put', { newReferences: true, childrenName: 'id' }],
  ['parent-reference', 'reply', 'children that name its id', { childrenName: 'id' }],
];

/** As the adapter that probe begins with signs. */
function isSignedOtherwise({ method, url, headers }: Received): boolean {
  const signed = `${method} ${url} ${String(headers['request-timestamp'])}`;
  return headers.signature === createHmac('sha512', SECRET).update(signed).digest('hex');
}

test.each(CURED)('%s: the function %s that it begins bears %s', async (id, name, _, deviations) => {
  const { world, platform } = await otherWorld(deviations);
  const before = await world.cli('probe', '--yes', ...NAMED);
  expect(before.exitCode, before.stderr).toBe(3);
  const [, shown = ''] =
    new RegExp(`^differs +${id}: .*?( +export default \\{\\n.*?\\n +\\};)$`, 'ms').exec(before.stdout) ?? [];
  expect(shown, before.stdout).toContain(` ${name}(`);
  world.write('adapter.mjs', shown);
  world.configure('platform:', 'platform:\n  adapter: adapter.mjs');
  const after = await probe(world, ...NAMED);
  expect([others(after), after.exitCode], JSON.stringify(after.checks, null, 1)).toEqual([{}, 0]);
  expect(platform.received.length).toBeLessThanOrEqual(40);
});
