import { describe, expect, it } from 'vitest';
import {
  emptySeen,
  endOf,
  type FoundRecord,
  type ProbeSeen,
  type Seen,
} from '../../../src/features/probe/seen.js';
import { type CheckId, judgeProbe, PROBE_CHECKS, probeExitCode } from '../../../src/features/probe/checks.js';
import { adapterToBegin } from '../../../src/features/probe/adapter-to-begin.js';
import { judgeReply } from '../../../src/core/domain/reply/judge-reply.js';
import { announcedLimit } from '../../../src/core/domain/reply/rate-headers.js';
import type { Answer, Reply } from '../../../src/core/domain/reply/reply.js';
import { readLinks } from '../../../src/core/platform/read-reply.js';

const NOW = Date.parse('2026-03-02T08:00:00Z');

const answer = (status: number, json?: unknown, more: Partial<Answer> = {}): Answer => ({
  ...{ kind: 'answered', status, result: null, malformed: null, json, html: false },
  ...{ retryAfter: null, date: null, location: null, receivedAt: NOW },
  ...more,
});
const page = (status: number) => answer(status, undefined, { html: true });
const CACHED = { cache: 'age: 43' };
const LOST: Reply = { kind: 'silent', code: 'ETIMEDOUT', message: 'no complete reply within 5 s' };
const REFUSED: Reply = { kind: 'unreachable', code: 'ECONNREFUSED', message: 'refused' };
const noConnection = (code: string): Reply => ({ kind: 'unreachable', code, message: 'x' });
const UNTRUSTED = noConnection('DEPTH_ZERO_SELF_SIGNED_CERT');
const taken = (data: object, status = 200) => answer(status, { data, meta: {} });
const FOUND = {
  ...{ noun: 'company', reply: taken({}), misfit: null },
  ...{ shown: [{ field: 'name', as: null }], hidden: [], differing: [] },
};
const CHILD = { noun: 'job vacancy', parentField: 'employer.id' };

type Found = Omit<FoundRecord, 'judgement'>;
type Of<Part> = Part extends FoundRecord ? Found : Part extends Seen ? Reply : Part;
/** What was seen, as replies that nobody has judged yet. */
type Replies = { readonly [Key in keyof ProbeSeen]?: Of<ProbeSeen[Key]> };

/** With the links that the platform's adapter reads, and what a run makes of it. */
function judged(reply: Reply, method: 'GET' | 'PUT'): Seen {
  const operation = { name: 'putCompany', kind: 'PUT' } as const;
  const read =
    reply.kind === 'answered' && method === 'PUT'
      ? {
          links: {
            ...readLinks(reply.json, operation),
            gap: null,
          },
          ...reply,
        }
      : reply;
  return { reply: read, judgement: judgeReply(read, { method, now: NOW }) };
}

function seenOf(replies: Replies): ProbeSeen {
  const { unknownFind, wrongSignature, put, putAgain, putChild, found, foundChild, ...rest } = replies;
  const one = (reply: Reply | null | undefined, method: 'GET' | 'PUT') => reply && judged(reply, method);
  const shown = (record: Found | null | undefined) => record && { ...record, ...judged(record.reply, 'GET') };
  const seen = {
    ...{ unknownFind: one(unknownFind, 'GET'), wrongSignature: one(wrongSignature, 'GET') },
    ...{ put: one(put, 'PUT'), putAgain: one(putAgain, 'PUT'), putChild: one(putChild, 'PUT') },
    ...{ found: shown(found), foundChild: shown(foundChild) },
  };
  const given = Object.entries(seen).filter(([, value]) => value !== undefined);
  return { ...emptySeen(10, CHILD), ...rest, ...Object.fromEntries(given) };
}

function verdict(id: CheckId, replies: Replies) {
  const found = judgeProbe(seenOf(replies), []).find((check) => check.id === id);
  return [found?.result, found?.seen];
}

const invalid = (...fields: string[]) =>
  answer(422, {
    message: 'Budi is wrong',
    errors: Object.fromEntries(fields.map((field) => [field, ['Budi']])),
  });

const CASES: Readonly<
  Record<CheckId, readonly (readonly [Replies, result: string, seen: string | RegExp])[]>
> = {
  reachable: [
    [{ unknownFind: answer(404, {}) }, 'confirmed', 'it answers (HTTP 404)'],
    [{ put: answer(200, {}) }, 'confirmed', 'it answers (HTTP 200)'],
    [{ unknownFind: REFUSED }, 'differs', 'no connection (ECONNREFUSED): nothing listens at this address'],
    [{ unknownFind: noConnection('EPROTO') }, 'differs', /\(EPROTO\): no version of TLS that both know/],
    [{ unknownFind: noConnection('TLS_MISSING') }, 'differs', /http:\/\/ and https:\/\/ are mixed up/],
    [{ unknownFind: noConnection('HPE_HEADER_OVERFLOW') }, 'differs', /--max-http-header-size=65536/],
    [{ unknownFind: noConnection('ENOTFOUND') }, 'differs', /name of the host is not known/],
    [{ unknownFind: UNTRUSTED }, 'differs', /certificate is not trusted/],
    [{ unknownFind: LOST }, 'differs', 'no complete reply (ETIMEDOUT)'],
    [{ unknownFind: answer(301) }, 'differs', /redirect/],
    [{ unknownFind: page(403) }, 'differs', /web page/],
    [{ unknownFind: answer(404, {}), put: page(200) }, 'differs', /HTTP 200, a web page/],
  ],
  clock: [
    [{ unknownFind: answer(404, {}, { date: 'Mon, 02 Mar 2026 08:00:10 GMT' }) }, 'confirmed', /minute/],
    [{ unknownFind: answer(401, {}, { date: 'Mon, 02 Mar 2026 07:50:00 GMT' }) }, 'differs', /10 min ahead/],
    [{ unknownFind: answer(404, {}) }, 'unknown', 'no reply has a Date header'],
  ],
  'wrong-signature': [
    [{ unknownFind: answer(404), wrongSignature: answer(401, {}) }, 'confirmed', 'HTTP 401, {}'],
    [{ unknownFind: answer(404), wrongSignature: page(403) }, 'confirmed', 'HTTP 403, a web page'],
    [
      { wrongSignature: answer(400, { error: 'invalid_signature' }) },
      'differs',
      'HTTP 400, {error text}, code invalid_signature',
    ],
    [
      { wrongSignature: answer(400, {}, { adapted: { stop: { message: 'no' } } }) },
      'confirmed',
      'HTTP 400, {}; the adapter decides: stopped',
    ],
    [{ wrongSignature: answer(404, {}) }, 'differs', 'it was accepted: HTTP 404, {}'],
    [{ wrongSignature: answer(200, { success: false }) }, 'differs', 'HTTP 200, {success true or false}'],
    [{ unknownFind: answer(401, {}) }, 'differs', 'the right signature is refused: HTTP 401, {}'],
    [
      { unknownFind: answer(401, { message: 'Timestamp must have milliseconds' }) },
      'differs',
      'the right signature is refused: HTTP 401, {message text}: “Timestamp must have milliseconds”',
    ],
    [{ wrongSignature: LOST }, 'unknown', 'not tried'],
  ],
  'unknown-id': [
    [{ unknownFind: answer(404, {}, CACHED) }, 'unknown', /a cache answered/],
    [{ unknownFind: answer(404, {}) }, 'confirmed', 'HTTP 404, {}'],
    [{ unknownFind: page(404) }, 'differs', 'HTTP 404, a web page'],
    [{ unknownFind: answer(200, { data: null }) }, 'differs', 'HTTP 200, {data null}'],
    [{ unknownFind: answer(400, {}, { adapted: { missing: true } }) }, 'confirmed', /the adapter decides/],
    [{ unknownFind: answer(401, {}) }, 'unknown', 'HTTP 401, {}'],
    [{ unknownFind: answer(503, {}) }, 'unknown', 'HTTP 503, {}'],
    [{ unknownFind: answer(302) }, 'unknown', 'HTTP 302, no JSON'],
    [{ unknownFind: page(200) }, 'unknown', 'HTTP 200, a web page'],
  ],
  'put-status': [
    [{ put: taken({}), putAgain: taken({}) }, 'confirmed', 'HTTP 200'],
    [{ put: taken({}, 201), putAgain: taken({}) }, 'confirmed', 'HTTP 201, then HTTP 200'],
    [{ put: taken({}), putAgain: taken({}, 202) }, 'differs', /^HTTP 202/],
    [{ put: { ...taken({}, 202), adapted: { accepted: { reference: 'a' } } } }, 'confirmed', 'HTTP 202'],
    [{ put: invalid('phone', 'region.id') }, 'differs', /^HTTP 422.*; about phone, region\.id$/],
    [{ put: LOST }, 'unknown', 'no complete reply (ETIMEDOUT)'],
  ],
  envelope: [
    [{ put: taken({}) }, 'confirmed', '{data object, meta object}'],
    [{ put: answer(200, { data: {} }) }, 'confirmed', /without meta, which is not needed/],
    [{ put: answer(200, { id: 'x' }) }, 'differs', 'HTTP 200, {id text}'],
    [{ put: answer(200, { data: [] }) }, 'differs', 'HTTP 200, {data list}'],
    [{ put: answer(200, []) }, 'differs', 'HTTP 200, JSON, but a list'],
    [
      { put: answer(200, { ok: true }, { adapted: { accepted: { reference: 'a' } } }) },
      'confirmed',
      'HTTP 200, {ok true or false}; the adapter decides: accepted',
    ],
    [{ put: answer(204) }, 'differs', 'HTTP 204, no JSON'],
    [{ put: page(200) }, 'differs', 'HTTP 200, a web page'],
  ],
  reference: [
    [{ put: taken({ reference: 'A/17' }) }, 'confirmed', 'it is text'],
    [{ put: taken({ reference: 17 }) }, 'confirmed', 'it is whole number'],
    [{ put: taken({ reference: 1.5 }) }, 'differs', /is number; data is \{reference number\}/],
    [{ put: taken({ reference: ' ' }) }, 'differs', /is text/],
    [{ put: taken({ employer_no: 17 }) }, 'differs', /is missing; data is \{employer_no whole number\}/],
    [{ put: answer(200, { no: 'x' }) }, 'unknown', 'the reply has no data object'],
  ],
  'same-reference': [
    [
      { put: taken({ reference: 'a' }), putAgain: taken({ reference: 'a' }) },
      'confirmed',
      'the same in 2 replies',
    ],
    [
      { put: taken({ reference: 'a' }), putAgain: taken({ reference: 'b' }) },
      'differs',
      'another reference at every Put',
    ],
    [
      { put: taken({ id: 1, reference: 'a' }), putAgain: taken({ id: 1, reference: 'b' }) },
      'differs',
      'another reference at every Put; data.id stays the same',
    ],
    [{ put: taken({ reference: 'a' }) }, 'unknown', 'not tried'],
  ],
  'find-shape': [
    [{ found: FOUND }, 'confirmed', 'company: 1 of 1 fields come back'],
    [
      { found: { ...FOUND, shown: [{ field: 'latitude', as: 'number' }], hidden: ['phone'] } },
      'confirmed',
      'company: 1 of 2 fields come back; other types: latitude as number; not shown, so not compared: phone',
    ],
    [{ found: { ...FOUND, differing: ['phone'] } }, 'differs', /another value than was sent: phone/],
    [{ found: { ...FOUND, misfit: 'the reply has no data object' } }, 'differs', /no data object/],
    [{ found: { ...FOUND, misfit: 'data shows no field that was sent' } }, 'differs', /data shows/],
    [{ found: { ...FOUND, reply: answer(404, {}) } }, 'differs', /right after the Put/],
    [{ found: { ...FOUND, reply: answer(500, {}) } }, 'unknown', /HTTP 500/],
    [{ found: { ...FOUND, reply: answer(404, {}, CACHED) } }, 'unknown', /a cache answered.*\(age: 43\)/],
    [
      { found: FOUND, foundChild: { ...FOUND, noun: 'job vacancy', differing: ['title'] } },
      'differs',
      'job vacancy: another value than was sent: title',
    ],
  ],
  'parent-reference': [
    [{ putChild: taken({}) }, 'confirmed', 'HTTP 200 with the reference as employer.id'],
    [{ putChild: invalid('employer.id') }, 'differs', /^refused with the reference as employer\.id/],
    [{ putChild: answer(404, {}) }, 'differs', /HTTP 404/],
    [
      { putChild: answer(404, {}), childAfterMs: 10_200 },
      'differs',
      /, also 10 s after the company: HTTP 404/,
    ],
    [
      { putChild: taken({}), childAfterMs: 3_100 },
      'differs',
      /^late by 3 s: refused before that, then HTTP 200/,
    ],
    [{ putChild: invalid('title') }, 'unknown', /^refused for something else.*about title$/],
    [
      { putChild: taken({}), foundChild: { ...FOUND, differing: ['employer.id'] } },
      'differs',
      /shows another one/,
    ],
    [{ child: null }, 'unknown', /--vacancy/],
    [{ put: taken({}) }, 'unknown', 'not tried: no reference is known'],
  ],
  'rate-headers': [
    [{ put: taken({}) }, 'confirmed', 'no such header in 1 reply'],
    [{ put: answer(429, {}) }, 'differs', /429/],
    [{ put: answer(200, {}, { rateHeaders: { 'x-ratelimit-limit': '60' } }) }, 'differs', /60 requests/],
    [{ put: answer(200, {}, { rateHeaders: { 'x-ratelimit-limit': '600' } }) }, 'confirmed', /600/],
    [
      { put: answer(200, {}, { rateHeaders: { 'x-ratelimit-limit': '600' } }), ratePerSecond: null },
      'differs',
      /ratePerSecond is no limit/,
    ],
    [{ put: answer(200, {}, { rateHeaders: { 'x-ratelimit-left': '3' } }) }, 'unknown', /not understood/],
  ],
};

describe('what was seen decides', () => {
  const cases = Object.entries(CASES).flatMap(([id, rows]) =>
    rows.map((row) => [id as CheckId, ...row] as const),
  );

  it.each(cases)('case %#: %s', (id, seen, result, text) => {
    expect(verdict(id, seen)).toEqual([
      result,
      typeof text === 'string' ? text : expect.stringMatching(text),
    ]);
  });

  it.each(PROBE_CHECKS)(
    '$id is unknown before the first request, and says why it was not tried',
    ({ id }) => {
      expect(verdict(id, { ended: 'no connection' })).toEqual(['unknown', 'not tried: no connection']);
    },
  );
});

it.each([
  [answer(412, {}), 'platform.adapter: request'],
  [answer(415, {}), 'platform.adapter: request'],
  [answer(400, { message: 'The Content-Digest header is missing' }), 'platform.adapter: request'],
  [answer(404, {}), 'platform.operations.putCompany (method, path), platform.jobs.baseUrl'],
  [answer(202, {}), 'platform.adapter: reply'],
  [answer(409, {}), 'platform.adapter: reply'],
  [invalid('phone'), 'the row of the company'],
])('a Put that is not done has what changes that (case %#)', (put, setting) => {
  const found = judgeProbe(seenOf({ put }), []).find(({ id }) => id === 'put-status');
  expect(found).toMatchObject({ result: 'differs', setting: expect.stringContaining(setting) as string });
});

it('where the setting names a function of the adapter, there is one to begin with', () => {
  for (const { id, setting } of PROBE_CHECKS) {
    const [, name] = /platform\.adapter: (\w+)/.exec(setting) ?? [];
    expect(adapterToBegin({ id, setting }), id).toEqual(
      name === undefined ? null : expect.stringContaining(`  ${name}(`),
    );
  }
});

it('every check has an assumption and a setting, in the order in which they are tried', () => {
  const ids =
    'reachable clock wrong-signature unknown-id put-status envelope reference find-shape same-reference parent-reference rate-headers';
  expect(PROBE_CHECKS.map(({ id }) => id)).toEqual(ids.split(' '));
  for (const { assumption, setting } of PROBE_CHECKS) {
    expect(assumption).toMatch(/^[A-Z].*\.$/);
    expect(setting).toMatch(/platform\.[a-z]+|NTP/);
  }
});

it('names and values of a reply are bounded, and secrets and addresses are left out', () => {
  const many = Object.fromEntries(
    Array.from({ length: 500 }, (_, at) => [`field_${at}_${'x'.repeat(200)}`, at]),
  );
  const seen = seenOf({ put: taken({ ...many, 'budi@example.id': 1, 'the-secret': 2 }) });
  const short = seenOf({ put: taken({ 'budi@example.id': 1, 'the-secret': 2 }) });
  const [first] = judgeProbe(short, ['the-secret']).filter(({ id }) => id === 'reference');
  expect(first?.seen).toMatch(/data is .*<email> whole number, \*\*\* whole number}$/);
  for (const check of judgeProbe(seen, [])) expect([...check.seen].length).toBeLessThanOrEqual(400);
});

it('an outage ends the rest, and so do refused credentials, a redirect, a web page that says success, and a refused Put', () => {
  const end = (reply: Reply, put = false) => endOf(judged(reply, put ? 'PUT' : 'GET'), { put })?.kind ?? null;
  expect([LOST, REFUSED, answer(502), answer(429)].map((reply) => end(reply))).toEqual(
    Array(4).fill('silent'),
  );
  expect([answer(401), page(403), answer(302), page(200)].map((reply) => end(reply))).toEqual(
    Array(4).fill('refused'),
  );
  expect([end(answer(404)), end(page(404)), end(answer(404), true), end(answer(202), true)]).toEqual([
    null,
    null,
    'refused',
    null,
  ]);
});

it('the exit code is 5 for an outage, 3 for a difference, else 0', () => {
  const checks = (replies: Replies) => judgeProbe(seenOf(replies), []);
  expect(probeExitCode(checks({ put: taken({}, 202) }), { kind: 'silent', because: '' })).toBe(5);
  expect(probeExitCode(checks({ put: taken({}, 202) }), null)).toBe(3);
  expect(probeExitCode(checks({ unknownFind: answer(401) }), { kind: 'refused', because: '' })).toBe(3);
  expect(probeExitCode(checks({}), null)).toBe(0);
});

it.each([
  [{ 'x-ratelimit-limit': '60' }, [60, 60, true]],
  [{ 'ratelimit-limit': '100, 100;w=10' }, [100, 10, false]],
  [{ 'ratelimit-policy': '"burst";q=50;w=1' }, [50, 1, false]],
  [{ ratelimit: 'limit=30, remaining=29, reset=12' }, [30, 60, true]],
  [{ 'x-ratelimit-remaining': '59' }, null],
  [{ 'x-ratelimit-limit': 'many' }, null],
])('the rate headers %j announce %j', (headers, limit) => {
  const read = announcedLimit(headers);
  expect(read && [read.requests, read.seconds, read.assumedMinute]).toEqual(limit);
});
