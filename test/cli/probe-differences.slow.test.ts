import { expect, test, vi } from 'vitest';
import type { CheckId } from '../../src/features/probe/checks.js';
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
  ['as assumed', {}, {}, /HTTP 200/],
  [
    'no reference',
    { reply: onPut((reply) => delete dataOf(reply).reference) },
    { reference: 'differs', 'same-reference': 'unknown', 'parent-reference': 'unknown' },
    /data.reference is missing; data is \{id uuid, name text\}/,
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
