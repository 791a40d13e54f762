import { expect, test, vi } from 'vitest';
import type { CheckId } from '../../src/domain/probe/checks.js';
import type { DeviationsInput } from '../../src/config/deviations.js';
import { type Deviations, NAMED, onPut, others, otherWorld, probe } from '../cli/other-platform.js';
import { deviatingWorld, runUntilDone, set } from './deviating-world.js';

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

/** Each platform with what probe says of it: only these are not confirmed. */
const PLATFORMS: readonly [
  name: string,
  deviations: Deviations,
  found: Partial<Record<CheckId, 'differs' | 'unknown'>>,
  seen: RegExp,
][] = [
  ['as assumed', {}, {}, /HTTP 200/],
  [
    '201 without meta',
    { reply: onPut((reply) => ((reply.status = 201), delete (reply.body as { meta?: unknown }).meta)) },
    {},
    /HTTP 201.*without meta/s,
  ],
  [
    '202',
    { reply: onPut((reply) => (reply.status = 202)) },
    { 'put-status': 'differs' },
    /"put-status".*HTTP 202/s,
  ],
  [
    'no reference',
    { reply: onPut((reply) => delete (reply.body as { data: { reference?: string } }).data.reference) },
    { reference: 'differs', 'same-reference': 'unknown', 'parent-reference': 'unknown' },
    /data.reference is missing; data is \{id uuid, name text\}/,
  ],
  [
    'no envelope',
    { reply: onPut((reply) => (reply.body = (reply.body as { data: unknown }).data)) },
    // Its reference is found all the same: from the beginning of the reply.
    { envelope: 'differs' },
    /HTTP 200, \{id uuid, reference uuid, name text\}/,
  ],
  [
    'its reference under another name in a Find',
    {
      reply: (reply, { method }) => {
        const { data } = reply.body as { data?: { employer?: { reference?: string; no?: string } } };
        if (method !== 'GET' || data?.employer === undefined) return;
        data.employer.no = data.employer.reference ?? '';
        delete data.employer.reference;
      },
    },
    {},
    /company: \d of \d fields come back/,
  ],
  ['merging', { merges: true }, { 'absent-field': 'differs' }, /about left out: the platform kept/],
  [
    'another reference at each Put',
    { newReferences: true },
    { 'same-reference': 'differs' },
    /another reference at every Put; data.id stays the same/,
  ],
  [
    '409 for a repeated Request-Id',
    { onRepeat: { status: 409, body: { message: 'again' } } },
    {},
    /HTTP 409/,
  ],
  [
    '400 for a repeated Request-Id',
    { onRepeat: { status: 400, body: { code: 'DUPLICATE' } } },
    { 'request-id-reuse': 'differs' },
    /HTTP 400/,
  ],
  [
    '400 for a wrong signature',
    {
      onWrongSignature: { status: 400, body: { error: { code: 'INVALID_SIGNATURE', text: 'Budi said no' } } },
    },
    { 'wrong-signature': 'differs' },
    /HTTP 400, \{error \{code text, text text\}\}, code INVALID_SIGNATURE/,
  ],
  [
    '200 with a text for an unknown id',
    {
      reply: (reply) => {
        if (reply.status === 404) Object.assign(reply, { status: 200, body: { data: 'none', meta: {} } });
      },
    },
    { 'unknown-id': 'differs' },
    /HTTP 200, \{data text, meta \{\}\}/,
  ],
  [
    'a low limit in its headers',
    {
      reply: (reply) =>
        Object.assign(reply.headers, { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '59' }),
    },
    { 'rate-headers': 'differs' },
    /x-ratelimit-limit: 60 requests in a minute/,
  ],
  [
    'a generous limit in its headers',
    { reply: (reply) => Object.assign(reply.headers, { 'RateLimit-Policy': '"default";q=600;w=60' }) },
    {},
    /600 requests in 60 s; ratePerSecond is 10 a second/,
  ],
  [
    'a company that vacancies may name only after a while',
    { reply: knownAfter(1_500) },
    { 'parent-reference': 'differs' },
    /late by 3 s: refused before that, then HTTP 200.*settleAfter: 6s/,
  ],
  [
    'another clock',
    { reply: (reply) => (reply.headers.date = new Date(Date.now() - 600_000).toUTCString()) },
    { clock: 'differs' },
    /your clock is 10 min ahead/,
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
  expect([...platform.companies.values()].map(({ body }) => body.about)).toEqual(['What Company c001 does']);
});

test.each<[string, DeviationsInput, string, string]>([
  [
    'compressed bodies',
    { requests: { gzip: 'required' } },
    'platform.requestEncoding',
    'requestEncoding: gzip',
  ],
  [
    'a digest header',
    { requests: { digestHeader: { name: 'Digest', form: 'rfc3230' } } },
    'platform.signature.digestHeader',
    'signature: { digestHeader: { name: Digest, form: rfc3230 } }',
  ],
  [
    'a condition for every Put',
    { requests: { etags: 'all' } },
    'platform.precondition',
    'precondition: if-match-or-none-match',
  ],
])(
  'of a platform that wants %s it names the setting, which bears it',
  async (_, deviations, named, setting) => {
    const world = await deviatingWorld({ deviations });
    await world.sql(`update company set about = 'What ' || id || ' does'`);
    const before = await probe(world, ...NAMED);
    expect(before.exitCode).toBe(3);
    expect(before.checks['put-status']).toMatchObject({
      result: 'differs',
      setting: expect.stringContaining(named) as string,
    });
    set(world, setting);
    const after = await probe(world, ...NAMED);
    expect([after.exitCode, others(after)], JSON.stringify(after.checks, null, 1)).toEqual([0, {}]);
    // Also where the records are there already, and with ETags that the ledger does not know.
    await runUntilDone(world);
    await world.sql('update placement_sync.sync_state set etag = null');
    const again = await probe(world, ...NAMED);
    expect([again.exitCode, others(again)], JSON.stringify(again.checks, null, 1)).toEqual([0, {}]);
  },
);
