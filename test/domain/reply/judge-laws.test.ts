import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeReply } from '../../../src/domain/reply/judge-reply.js';
import type { Reply } from '../../../src/domain/reply/reply.js';

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
