import { describe, expect, it } from 'vitest';
import {
  emptySeen,
  endOf,
  type FoundRecord,
  type ProbeRules,
  type ProbeSeen,
} from '../../../src/domain/probe/seen.js';
import { type CheckId, judgeProbe, PROBE_CHECKS, probeExitCode } from '../../../src/domain/probe/checks.js';
import { announcedLimit } from '../../../src/domain/reply/rate-headers.js';
import type { Answer, Reply } from '../../../src/domain/reply/reply.js';
import { readLinks } from '../../../src/platform/read-reply.js';

const NOW = Date.parse('2026-03-02T08:00:00Z');

const RULES: ProbeRules = {
  encrypted: true,
  accepted: { parent: [200, 201], child: [200, 201] },
  empty: [],
  reference: 'reference',
  judge: [],
  ratePerSecond: 10,
};

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
const FOUND: FoundRecord = {
  ...{ noun: 'company', reply: taken({}), misfit: null },
  ...{ shown: [{ field: 'name', as: null }], hidden: [], differing: [] },
};
const LEFT_OUT = {
  field: 'about',
  asNull: false,
  put: taken({}),
  find: taken({}),
  after: 'cleared',
} as const;
const CHILD = { noun: 'job vacancy', parentField: 'employer.id' };

type Seen = Partial<ProbeSeen> & { readonly settings?: Partial<ProbeRules> };

/** With the links that the platform's adapter reads. */
function withLinks(reply: Reply, settings: ProbeRules): Reply {
  if (reply.kind !== 'answered') return reply;
  const operation = { name: 'putCompany', kind: 'PUT' } as const;
  return {
    ...reply,
    links: { ...readLinks(reply.json, { operation, platformId: 'id', settings }), gap: null },
  };
}

function verdict(id: CheckId, { settings = {}, ...seen }: Seen) {
  const rules = { ...RULES, ...settings };
  const puts = { put: seen.put, putAgain: seen.putAgain, restored: seen.restored };
  const read = Object.entries(puts).flatMap(([name, reply]) =>
    reply ? [[name, withLinks(reply, rules)] as const] : [],
  );
  const whole: ProbeSeen = { ...emptySeen(rules, CHILD), ...seen, ...Object.fromEntries(read) };
  const found = judgeProbe(whole, []).find((check) => check.id === id);
  return [found?.result, found?.seen];
}

const invalid = (...fields: string[]) =>
  answer(422, {
    message: 'Budi is wrong',
    errors: Object.fromEntries(fields.map((field) => [field, ['Budi']])),
  });

const CASES: Readonly<Record<CheckId, readonly (readonly [Seen, result: string, seen: string | RegExp])[]>> =
  {
    reachable: [
      [{ unknownFind: answer(404, {}) }, 'confirmed', 'it answers over https (HTTP 404)'],
      [{ put: answer(200, {}) }, 'confirmed', 'it answers over https (HTTP 200)'],
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
      [
        { unknownFind: answer(401, {}, { date: 'Mon, 02 Mar 2026 07:50:00 GMT' }) },
        'differs',
        /10 min ahead/,
      ],
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
        {
          wrongSignature: answer(400, { error: 'invalid_signature' }),
          settings: { judge: [{ status: 400, match: 'invalid_signature', as: 'authentication-refused' }] },
        },
        'confirmed',
        /HTTP 400/,
      ],
      [
        { wrongSignature: answer(401, {}), settings: { judge: [{ status: 401, as: 'deferred' }] } },
        'differs',
        /HTTP 401/,
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
      [{ unknownFind: answer(401, {}) }, 'unknown', 'HTTP 401, {}'],
      [{ unknownFind: answer(503, {}) }, 'unknown', 'HTTP 503, {}'],
      [{ unknownFind: answer(302) }, 'unknown', 'HTTP 302, no JSON'],
      [{ unknownFind: page(200) }, 'unknown', 'HTTP 200, a web page'],
    ],
    'put-status': [
      [{ put: taken({}), putAgain: taken({}) }, 'confirmed', 'HTTP 200'],
      [{ put: taken({}, 201), putAgain: taken({}) }, 'confirmed', 'HTTP 201, then HTTP 200'],
      [{ put: taken({}), putAgain: taken({}, 202) }, 'differs', /^HTTP 202/],
      [
        { put: taken({}, 202), settings: { accepted: { parent: [202], child: [200] } } },
        'confirmed',
        'HTTP 202',
      ],
      [
        { put: taken({}, 202), settings: { judge: [{ status: 202, as: 'accepted' }] } },
        'confirmed',
        'HTTP 202',
      ],
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
        {
          put: answer(200, { ok: true }),
          settings: { judge: [{ status: 200, match: '"ok":true', as: 'accepted' }] },
        },
        'confirmed',
        'HTTP 200, {ok true or false}, which platform.replies.judge accepts',
      ],
      [{ put: answer(204) }, 'differs', 'HTTP 204, no JSON'],
      [{ put: answer(204), settings: { empty: [204] } }, 'confirmed', 'HTTP 204 without a body'],
      [{ put: page(200), settings: { empty: [200] } }, 'differs', 'HTTP 200, a web page'],
    ],
    reference: [
      [{ put: taken({ reference: 'A/17' }) }, 'confirmed', 'data.reference is text'],
      [{ put: taken({ reference: 17 }) }, 'confirmed', 'data.reference is whole number'],
      [{ put: taken({ reference: 1.5 }) }, 'differs', /is number; data is \{reference number\}/],
      [{ put: taken({ reference: ' ' }) }, 'differs', /is text/],
      [{ put: taken({ employer_no: 17 }) }, 'differs', /is missing; data is \{employer_no whole number\}/],
      [{ put: taken({ no: { a: 'x' } }), settings: { reference: 'no.a' } }, 'confirmed', /data\.no\.a/],
      [{ put: taken({}), settings: { reference: 'platform-id' } }, 'confirmed', /not needed/],
      [{ put: answer(200, { no: 'x' }) }, 'unknown', 'the reply has no data object'],
      [
        { put: answer(200, { result: { no: 7 } }), settings: { reference: 'result.no' } },
        'confirmed',
        'result.no is whole number',
      ],
    ],
    'same-reference': [
      [
        {
          put: taken({ reference: 'a' }),
          putAgain: taken({ reference: 'a' }),
          restored: taken({ reference: 'a' }),
        },
        'confirmed',
        'the same in 3 replies',
      ],
      [
        {
          put: taken({ reference: 'a' }),
          putAgain: taken({ reference: 'a' }),
          restored: taken({ reference: 'b' }),
        },
        'differs',
        'another reference at every Put',
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
    'absent-field': [
      [{ leftOut: LEFT_OUT }, 'confirmed', 'about left out: the platform cleared it'],
      [{ leftOut: { ...LEFT_OUT, after: 'kept' } }, 'differs', /kept the former value/],
      [{ leftOut: { ...LEFT_OUT, asNull: true, after: 'kept' } }, 'differs', /^about as null/],
      [{ leftOut: { ...LEFT_OUT, after: 'changed' } }, 'unknown', /third value/],
      [{ leftOut: { ...LEFT_OUT, put: invalid('about') } }, 'differs', /is refused: HTTP 422/],
      [{ leftOut: { ...LEFT_OUT, put: LOST } }, 'unknown', /no complete reply/],
      [{ found: FOUND }, 'unknown', /no optional text/],
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
      [{ childNoun: null }, 'unknown', /--vacancy/],
      [{ put: taken({}) }, 'unknown', 'not tried: no reference is known'],
    ],
    'request-id-reuse': [
      [{ repeated: answer(409, {}) }, 'confirmed', /409/],
      [{ repeated: taken({}) }, 'confirmed', /like the first one/],
      [{ put: taken({}, 202), repeated: taken({}, 202) }, 'confirmed', /like the first one/],
      [{ repeated: answer(400, {}) }, 'differs', 'HTTP 400, {}'],
      [
        { repeated: answer(400, {}), settings: { judge: [{ status: 400, as: 'accepted' }] } },
        'confirmed',
        /HTTP 400/,
      ],
      [{ repeated: LOST }, 'unknown', /no complete reply/],
    ],
    'rate-headers': [
      [{ put: taken({}) }, 'confirmed', 'no such header in 1 reply'],
      [{ put: answer(429, {}) }, 'differs', /429/],
      [{ put: answer(200, {}, { rateHeaders: { 'x-ratelimit-limit': '60' } }) }, 'differs', /60 requests/],
      [{ put: answer(200, {}, { rateHeaders: { 'x-ratelimit-limit': '600' } }) }, 'confirmed', /600/],
      [
        {
          put: answer(200, {}, { rateHeaders: { 'x-ratelimit-limit': '600' } }),
          settings: { ratePerSecond: null },
        },
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
  [answer(412, {}), 'platform.precondition'],
  [answer(428, {}), 'platform.precondition'],
  [answer(415, {}), 'platform.requestEncoding'],
  [answer(400, { message: 'The Content-Digest header is missing' }), 'platform.signature.digestHeader'],
  [answer(400, { message: 'No' }), 'platform.replies.accepted'],
])('a Put that is refused for its form has the setting of that form (case %#)', (put, setting) => {
  const found = judgeProbe({ ...emptySeen(RULES, null), put }, []).find(({ id }) => id === 'put-status');
  expect(found).toMatchObject({ result: 'differs', setting: expect.stringContaining(setting) as string });
});

it('every check has an assumption and a setting, in the order in which they are tried', () => {
  const ids =
    'reachable clock wrong-signature unknown-id put-status envelope reference find-shape same-reference absent-field parent-reference request-id-reuse rate-headers';
  expect(PROBE_CHECKS.map(({ id }) => id)).toEqual(ids.split(' '));
  for (const { assumption, setting } of PROBE_CHECKS) {
    expect(assumption).toMatch(/^[A-Z].*\.$/);
    expect(setting).toMatch(/platform\.[a-z]+/);
  }
});

it('names and values of a reply are bounded, and secrets and addresses are left out', () => {
  const many = Object.fromEntries(
    Array.from({ length: 500 }, (_, at) => [`field_${at}_${'x'.repeat(200)}`, at]),
  );
  const seen = { ...emptySeen(RULES, CHILD), put: taken({ ...many, 'budi@example.id': 1, 'the-secret': 2 }) };
  const [first] = judgeProbe({ ...seen, put: taken({ 'budi@example.id': 1, 'the-secret': 2 }) }, [
    'the-secret',
  ]).filter(({ id }) => id === 'reference');
  expect(first?.seen).toMatch(/data is .*<email> whole number, \*\*\* whole number}$/);
  for (const check of judgeProbe(seen, [])) expect([...check.seen].length).toBeLessThanOrEqual(400);
});

it('an outage ends the rest, and so do refused credentials, a redirect, a web page that says success, and a refused Put', () => {
  const end = (reply: Reply, put = false) => endOf(reply, RULES, { put })?.kind ?? null;
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
  const checks = (seen: Partial<ProbeSeen>) => judgeProbe({ ...emptySeen(RULES, null), ...seen }, []);
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
