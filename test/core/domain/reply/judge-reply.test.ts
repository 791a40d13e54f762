import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { backoffDelay, judgeReply } from '../../../../src/core/domain/reply/judge-reply.js';
import type { JudgeContext } from '../../../../src/core/domain/reply/reply-rules.js';
import type { Reply } from '../../../../src/core/domain/reply/reply.js';

describe('judging a reply', () => {
  type Answer = Extract<Reply, { kind: 'answered' }>;

  const NOW = Date.parse('2026-03-02T08:00:00Z');
  const DATE = 'Mon, 02 Mar 2026 08:00:00 GMT';

  function answer(status: number, parts: Partial<Answer> = {}): Answer {
    return {
      kind: 'answered',
      status,
      result: null,
      malformed: null,
      json: undefined,
      html: false,
      retryAfter: null,
      date: DATE,
      location: null,
      receivedAt: NOW,
      ...parts,
    };
  }

  function judge(reply: Reply, method: JudgeContext['method'] = 'PUT') {
    return judgeReply(reply, { method, now: NOW });
  }

  /** Written out by hand: what each status means for a Put without special headers. */
  function expected(status: number, json: boolean): string {
    if (status === 401) return 'stopped';
    if (status >= 300 && status <= 399) return 'stopped';
    if (status === 429) return 'paused';
    if (status === 409 || status === 425) return 'deferred known';
    if (status === 408) return 'deferred unknown';
    if ([405, 406, 411, 412, 415, 417, 421, 426, 428, 431].includes(status)) return 'stopped';
    if (status >= 400 && status <= 499) return 'refused';
    if (status >= 200 && status <= 299) return 'not-understood';
    if (status === 501) return 'refused';
    if (json && (status === 500 || status === 503)) return 'deferred known';
    return 'deferred unknown';
  }

  it('has a judgement for every status, as JSON of the platform and as a web page', () => {
    for (let status = 100; status <= 599; status++) {
      for (const json of [true, false]) {
        const judgement = judge(answer(status, json ? { json: { message: 'No.' } } : { html: true }));
        const known = judgement.kind === 'deferred' ? (judgement.known ? ' known' : ' unknown') : '';
        expect(`${status} ${judgement.kind}${known}`).toBe(`${status} ${expected(status, json)}`);
        expect(judgement).toHaveProperty('statusCode', status);
      }
    }
  });

  it('counts what is missing as missing for a Find, as done for a delete, and as refused otherwise', () => {
    const reply = answer(400, { json: { code: 'UNKNOWN_ID' }, adapted: { missing: true } });
    expect(judge(reply, 'GET')).toMatchObject({ kind: 'refused', missing: true });
    expect(judge(reply, 'DELETE')).toMatchObject({ kind: 'accepted' });
    expect(judge(reply, 'PUT')).toMatchObject({ kind: 'refused' });
    const nothing = answer(200, { result: { id: null, reference: null }, nothing: true });
    expect(judgeReply(nothing, { method: 'GET', now: 0 })).toMatchObject({
      kind: 'refused',
      missing: true,
    });
  });

  it('names what to change when the platform refuses the way of asking, and asks nobody to correct the source', () => {
    const put = (status: number) =>
      judgeReply(answer(status, {}), { method: 'PUT', now: NOW, operation: 'putVacancy' });
    expect(put(405)).toMatchObject({
      code: 'request-refused',
      hint: 'This cannot be about one record, so none is rejected. It has another method or path for this operation: set both in platform.operations.putVacancy.',
    });
    expect(put(415)).toMatchObject({
      hint: expect.stringContaining('function request of platform.adapter') as string,
    });
    expect(put(428)).toMatchObject({ hint: expect.stringContaining('If-Match') as string });
    expect(judge(answer(405), 'GET').kind).toBe('refused');
  });

  it('says of a conflict what it may be', () => {
    expect(judge(answer(409, { json: { message: 'Duplicate reference' } }))).toMatchObject({
      kind: 'deferred',
      message: expect.stringMatching(/^HTTP 409: Duplicate reference \(.*two keys for one record/) as string,
    });
  });

  it('names the path of a redirect only if the record’s id stands in it', () => {
    const hint = (location: string) => (judge(answer(308, { location })) as { hint: string }).hint;
    expect(hint('/api/v3/companies/{id}?token=x')).toContain('(to /api/v3/companies/{id})');
    expect(hint('https://b.example/v3/{id}/x')).toContain('(to https://b.example/v3/{id}/x)');
    expect(hint('/login/secret')).toContain('(to another path of the same host)');
    expect(hint('/api/v3/companies/{id}')).toContain('platform.operations');
  });

  it('accepts a 200 with a result and keeps both ids', () => {
    const result = { id: 'a', reference: 'b' };
    expect(judge(answer(200, { result }))).toEqual({
      kind: 'accepted',
      reference: 'b',
      remoteId: 'a',
      details: null,
      statusCode: 200,
    });
  });

  it('names the missing part of a 2xx, and the setting', () => {
    const gap = { malformed: 'data.reference is missing', hint: 'A setting says where it is.' };
    expect(judge(answer(200, gap))).toEqual({
      kind: 'not-understood',
      statusCode: 200,
      message: 'HTTP 200 was not understood: data.reference is missing',
      hint: 'A setting says where it is.',
    });
  });

  it('refuses with the message and the field errors of the platform', () => {
    const json = {
      message: 'The given data was invalid.',
      errors: { 'region.id': ['The region is\ninvalid.', 'Second.'], name: 'Too long.', odd: { a: 1 } },
    };
    expect(judge(answer(422, { json }))).toEqual({
      kind: 'refused',
      namesFields: true,
      statusCode: 422,
      message:
        'region.id: The region is invalid; region.id: Second; name: Too long. The given data was invalid.',
    });
  });

  it.each([
    [{ json: undefined }, 'HTTP 404'],
    [{ json: [] }, 'HTTP 404'],
    [{ json: { message: '' } }, 'HTTP 404'],
    [{ json: { error: 'No such route' } }, 'No such route'],
  ])('refuses a 404 of %j with a message in any case', (parts, message) => {
    const said = `${message} (if every record is answered like this, the platform may have another path: set it in platform.operations, then \`placement-sync retry\`)`;
    expect(judge(answer(404, parts))).toMatchObject({ kind: 'refused', message: said });
  });

  it('keeps a message from outside on one line of at most 500 characters', () => {
    const judgement = judge(answer(400, { json: { message: `a\u0000b\r\n\u001b[31m${'😀'.repeat(900)}` } }));
    const { message } = judgement as { message: string };
    expect([...message]).toHaveLength(500);
    expect(message).toMatch(/^a b \[31m😀+…$/u);
  });

  it('takes a 404 to a delete for success, unless a web page says it', () => {
    expect(judge(answer(404, { json: {} }), 'DELETE').kind).toBe('accepted');
    expect(judge(answer(404, { html: true }), 'DELETE').kind).toBe('refused');
    expect(judge(answer(404, { json: {} }), 'GET').kind).toBe('refused');
  });

  it('sends again after a 409 to a Put or Patch and refuses one to a delete', () => {
    expect(judge(answer(409), 'PUT')).toMatchObject({ kind: 'deferred', known: true });
    expect(judge(answer(409), 'PATCH')).toMatchObject({ kind: 'deferred', known: true });
    expect(judge(answer(409), 'DELETE').kind).toBe('refused');
  });

  it.each([
    [429, '7', 7_000],
    [429, null, null],
    [429, 'soon', null],
    [429, 'Mon, 02 Mar 2026 08:01:30 GMT', 90_000],
    [503, '120', 120_000],
  ])('pauses the area after %i with Retry-After %j for %j ms', (status, retryAfter, delayMs) => {
    expect(judge(answer(status, { retryAfter }))).toMatchObject({ kind: 'paused', delayMs });
  });

  it('knows after a pause what the platform holds, unless a gateway asked for it', () => {
    expect(judge(answer(429, { html: true }))).toMatchObject({ kind: 'paused', known: true });
    expect(judge(answer(503, { retryAfter: '7', json: { message: 'busy' } }))).toMatchObject({
      known: true,
    });
    expect(judge(answer(503, { retryAfter: '7', html: true }))).toMatchObject({
      kind: 'paused',
      known: false,
    });
  });

  it('does not pause after a 503 whose Retry-After cannot be read', () => {
    expect(judge(answer(503, { retryAfter: 'later' }))).toMatchObject({ kind: 'deferred', known: false });
  });

  it('names the clock first when it differs from the platform by more than a minute', () => {
    const judgement = judge(answer(401, { receivedAt: NOW + 600_000, html: true }));
    expect(judgement).toMatchObject({ kind: 'stopped', code: 'authentication-refused' });
    expect(judgement).toHaveProperty(
      'hint',
      expect.stringContaining("your clock is 10 min ahead of the platform's"),
    );
  });

  it('names the edge when a 403 is a web page, and the credentials otherwise', () => {
    for (const [parts, words, page] of [
      [{ html: true }, 'firewall', true],
      [{ json: {} }, 'client id', false],
    ] as const) {
      const hint = expect.stringContaining(words) as string;
      expect(judge(answer(403, parts), 'GET')).toMatchObject({ kind: 'stopped', hint });
      expect(judge(answer(403, parts))).toMatchObject({
        kind: 'refused',
        unproven: { page, stop: { hint } },
      });
    }
  });

  it.each([400, 404, 410, 413, 422, 501])('takes no web page for a verdict on its record: %i', (status) => {
    for (const method of ['PUT', 'PATCH', 'DELETE'] as const)
      expect(judge(answer(status, { html: true }), method)).toMatchObject({
        ...{ kind: 'refused', message: `HTTP ${status}: a web page`, unproven: { page: true } },
      });
    expect(judge(answer(status, { json: { message: 'no' } }))).not.toHaveProperty('unproven');
  });

  const MAINTENANCE = '<html><head><title lang="id">Pemeliharaan\n terjadwal</title></head></html>';
  it.each([
    [503, {}, 'failing', 'HTTP 503'],
    [408, {}, 'too-slow', 'HTTP 408'],
    [503, { html: true, text: MAINTENANCE }, 'page', 'a web page titled "Pemeliharaan terjadwal"'],
    [200, { html: true, text: MAINTENANCE, malformed: 'the body is a web page' }, 'page', 'a web page'],
    [403, { html: true, text: MAINTENANCE }, 'edge', 'a web page titled "Pemeliharaan terjadwal"'],
    [403, { html: true, text: 'No required SSL certificate was sent' }, 'edge-certificate', 'a web page'],
    [401, { date: 'Thu, 01 Jan 1970 01:00:00 GMT' }, 'clock', 'HTTP 401'],
  ] as const)('says why nothing is taken: %i with %j is %s', (status, changes, cause, words) => {
    expect(judge(answer(status, changes), status === 403 ? 'GET' : 'PUT')).toMatchObject({
      cause,
      message: expect.stringContaining(words) as string,
    });
  });

  it('names no cause for a refusal of the credentials that may have several', () => {
    expect(judge(answer(401, { json: {} }))).not.toHaveProperty('cause');
  });

  it.each([
    ['https://other.example/login?token=abc', 'https://other.example)'],
    ['//other.example/x', 'https://other.example)'],
    ['/elsewhere', 'another path of the same host)'],
    ['http://', 'never follow a redirect: set'],
    [null, 'never follow a redirect: set'],
  ])('stops at a redirect to %j and names no more than the host', (location, part) => {
    const judgement = judge(answer(302, { location }));
    expect(judgement).toMatchObject({ kind: 'stopped', code: 'redirected' });
    expect(judgement).toHaveProperty('hint', expect.stringContaining(part));
    expect(JSON.stringify(judgement)).not.toContain('token');
  });

  it('knows what the platform holds when there was no connection, and not after silence', () => {
    const failure = { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' };
    expect(judge({ kind: 'unreachable', ...failure })).toMatchObject({ known: true, statusCode: null });
    expect(judge({ kind: 'silent', ...failure })).toMatchObject({ known: false, statusCode: null });
  });
});

describe('backoff', () => {
  it.each([
    [1, 0, 15_000],
    [1, 0.999999, 30_000],
    [2, 0, 30_000],
    [4, 0.5, 180_000],
    [10, 0, 7_680_000],
    [11, 0, 10_800_000],
    [5_000, 0.999999999, 21_600_000],
  ])('after %i attempts with random %d waits %i ms of base 30 s and at most 6 h', (attempts, random, ms) => {
    expect(backoffDelay(attempts, 30_000, 21_600_000, random)).toBe(ms);
  });

  it('stays between half and all of the longest delay', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 60_000 }),
        fc.integer({ min: 1, max: 86_400_000 }),
        fc.double({ min: 0, max: 0.999999, noNaN: true }),
        (attempts, base, max, random) => {
          const longest = Math.min(max, base * 2 ** (attempts - 1));
          const delay = backoffDelay(attempts, base, max, random);
          expect(delay).toBeGreaterThanOrEqual(Math.floor(longest / 2));
          expect(delay).toBeLessThanOrEqual(longest);
        },
      ),
    );
  });
});

describe('judge laws', () => {
  const NOW = Date.parse('2026-03-02T08:00:00Z');
  const method = fc.constantFrom('PUT' as const, 'PATCH' as const, 'GET' as const, 'DELETE' as const);
  const header = fc.option(
    fc.oneof(
      fc.constantFrom(
        '0',
        '120',
        '-1',
        '1e9',
        '99999999999999999999',
        'Mon, 02 Mar 2026 08:05:00 GMT',
        '//h/x',
        '/y',
      ),
      fc.string({ unit: 'binary' }),
    ),
  );
  const status = fc.oneof(
    fc.integer({ min: 100, max: 599 }),
    fc.constantFrom(200, 301, 401, 403, 404, 408, 409, 425, 429, 500, 503),
  );
  const said = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        message: fc.jsonValue(),
        errors: fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue())),
        data: fc.oneof(
          fc.jsonValue(),
          fc.record({ status: fc.string({ unit: 'binary' }), hired_at: fc.jsonValue() }),
        ),
      },
      { requiredKeys: [] },
    ),
    fc.constant(undefined),
  );
  const answered = fc.record({
    kind: fc.constant('answered' as const),
    status,
    result: fc.option(fc.record({ id: fc.string(), reference: fc.string() })),
    malformed: fc.option(fc.string({ unit: 'binary' })),
    json: said,
    html: fc.boolean(),
    retryAfter: header,
    date: header,
    location: header,
    receivedAt: fc.constant(NOW),
  });

  const KINDS = ['accepted', 'refused', 'deferred', 'not-understood', 'paused', 'stopped'];

  test('every answer has exactly one judgement, in one line, and only what succeeded is accepted', () => {
    fc.assert(
      fc.property(answered, method, fc.boolean(), (reply: Reply & { kind: 'answered' }, verb, reused) => {
        const judgement = judgeReply(reply, { method: verb, now: NOW, reused });
        expect(KINDS).toContain(judgement.kind);
        expect(judgement.statusCode).toBe(reply.status);
        if ('message' in judgement) {
          expect(judgement.message).not.toMatch(/[\n\r\u2028\u2029]/);
          expect(judgement.message).not.toBe('');
        }
        if (judgement.kind === 'accepted') {
          const gone = verb === 'DELETE' && reply.status === 404 && !reply.html;
          const processed = verb === 'PATCH' && reply.status === 409 && reused;
          const success = reply.status >= 200 && reply.status <= 299;
          expect(gone || processed || (success && reply.result !== null)).toBe(true);
          for (const text of Object.values(judgement.details ?? {}))
            expect(text).not.toMatch(/[\p{Cc}\p{Cs}]/u);
        }
        if (judgement.kind === 'paused') {
          expect([429, 503]).toContain(reply.status);
          expect(judgement.delayMs ?? 0).toBeGreaterThanOrEqual(0);
          expect(Number.isFinite(judgement.delayMs ?? 0)).toBe(true);
        }
        if (judgement.kind === 'not-understood') expect(Math.floor(reply.status / 100)).toBe(2);
        if (judgement.kind === 'refused')
          expect(reply.status === 501 || Math.floor(reply.status / 100) === 4).toBe(true);
        if (judgement.kind === 'stopped') expect([3, 4]).toContain(Math.floor(reply.status / 100));
      }),
      { numRuns: 800 },
    );
  });

  test('what had no answer is deferred, and known only when it was never sent', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('silent' as const, 'unreachable' as const),
        fc.string(),
        method,
        (kind, message, verb) => {
          const judgement = judgeReply({ kind, code: 'X', message }, { method: verb, now: NOW });
          expect(judgement).toMatchObject({
            kind: 'deferred',
            known: kind === 'unreachable',
            statusCode: null,
          });
        },
      ),
    );
  });
});
