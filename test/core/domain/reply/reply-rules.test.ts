import { describe, expect, test } from 'vitest';
import { judgeReply } from '../../../../src/core/domain/reply/judge-reply.js';
import {
  isDeferred,
  type JudgeContext,
  nameOwnBlocks,
  REPLY_RULES,
  replyRule,
  type ReplyRule,
} from '../../../../src/core/domain/reply/reply-rules.js';
import type { Answer, Reply } from '../../../../src/core/domain/reply/reply.js';

describe('reply rules', () => {
  const ANSWER: Answer = {
    ...{ kind: 'answered', status: 200, result: null, malformed: null, json: undefined, html: false },
    ...{ retryAfter: null, date: null, location: null, receivedAt: 0 },
  };
  const METHODS = ['PUT', 'PATCH', 'GET', 'DELETE'] as const;
  const CONTEXT: JudgeContext = { method: 'PUT', now: 0 };

  /** Answers of every status and kind, under every context. */
  function* everyReply(): Generator<ReplyRule> {
    yield replyRule({ kind: 'unreachable', code: '', message: '' }, CONTEXT);
    yield replyRule({ kind: 'silent', code: '', message: '' }, CONTEXT);
    yield replyRule(
      { ...ANSWER, result: { id: null, reference: null }, nothing: true },
      { ...CONTEXT, method: 'GET' },
    );
    yield replyRule({ ...ANSWER, status: 400, html: true, text: 'The SSL certificate error' }, CONTEXT);
    yield replyRule({ ...ANSWER, saysFailure: true }, { ...CONTEXT, othersPass: true });
    for (const json of [undefined, {}])
      yield replyRule({ ...ANSWER, status: 503, json }, { ...CONTEXT, slowsDown: true });
    for (const status of [404, 410]) yield replyRule({ ...ANSWER, status }, { ...CONTEXT, takenDown: true });
    for (let status = 100; status <= 599; status++)
      for (const method of METHODS)
        for (const reused of [false, true])
          for (const result of [null, { id: '', reference: '' }])
            for (const json of [undefined, {}])
              for (const retryAfter of [null, '1'])
                yield replyRule({ ...ANSWER, status, result, json, retryAfter }, { method, now: 0, reused });
  }

  test('every row of the table is the first that fits for some reply', () => {
    const used = new Set(everyReply());
    expect(REPLY_RULES.filter((rule) => !used.has(rule))).toEqual([]);
  });

  /** What an example of each row is answered, in the order of the table; written by hand. */
  const EXAMPLES: readonly (readonly [
    as: ReplyRule['as'],
    reply: Reply | Partial<Answer>,
    context?: Partial<JudgeContext>,
  ])[] = [
    ['deferred', { kind: 'unreachable', code: 'ECONNREFUSED', message: '' }],
    ['deferred-unknown', { kind: 'silent', code: 'ETIMEDOUT', message: '' }],
    ['missing', { status: 200, result: { id: null, reference: null }, nothing: true }, { method: 'GET' }],
    ['accepted', { status: 201, result: { id: 'a', reference: 'b' } }],
    ['refused', { status: 200, saysFailure: true }, { othersPass: true }],
    ['not-understood', { status: 200, html: true, saysFailure: true }],
    ['redirected', { status: 308 }],
    [
      'authentication-refused',
      { status: 400, html: true, text: '<title>400 No required SSL certificate was sent</title>' },
    ],
    ['authentication-refused', { status: 401 }],
    ['refused', { status: 403, html: true }],
    ['authentication-refused', { status: 403, html: true }, { method: 'GET' }],
    ['paused', { status: 429 }],
    ['paused', { status: 503, json: {}, retryAfter: '30' }],
    ['paused-unknown', { status: 503, html: true, retryAfter: '30' }],
    ['paused', { status: 503, json: {} }, { slowsDown: true }],
    ['paused-unknown', { status: 503, html: true }, { slowsDown: true }],
    ['accepted', { status: 404 }, { method: 'DELETE' }],
    ['accepted', { status: 404 }, { takenDown: true }],
    ['accepted', { status: 410 }, { takenDown: true }],
    ['accepted', { status: 409 }, { method: 'PATCH', reused: true }],
    ['deferred', { status: 425 }],
    ['deferred', { status: 409 }],
    ['deferred-unknown', { status: 408 }],
    ...[405, 412, 415, 417, 421, 426, 428, 431].map((status) => ['request-refused', { status }] as const),
    ['refused', { status: 422, json: {} }],
    ['refused', { status: 501 }],
    ['deferred', { status: 500, json: {} }],
    ['deferred', { status: 503, json: {} }],
    ['deferred-unknown', { status: 502, html: true }],
  ];

  test('every row of the table has an example, which says what it means', () => {
    const examples = EXAMPLES.map(([as, reply, context]) => ({
      as,
      rule: replyRule({ ...ANSWER, ...reply }, { ...CONTEXT, ...context }),
    }));
    const without = REPLY_RULES.filter((row) => !examples.some(({ rule }) => rule === row));
    expect(
      without.map(({ on, source }) => `no example for ${String(on)} (${source}): add one to EXAMPLES`),
    ).toEqual([]);
    expect(examples.map(({ rule }) => rule.as)).toEqual(examples.map(({ as }) => as));
  });

  test('a status that HTTP does not know leaves open what the platform holds', () => {
    expect(replyRule({ ...ANSWER, status: 999 }, CONTEXT)).toBe(REPLY_RULES.at(-1));
  });

  test.each([null, 101, 200, 204, 408, 409, 425, 500, 502, 503, 504])(
    'status %s only defers a record',
    (status) => {
      expect(isDeferred(status)).toBe(true);
    },
  );

  test.each([301, 400, 401, 403, 404, 422, 429])('status %s does not defer a record', (status) => {
    expect(isDeferred(status)).toBe(false);
  });
});

describe('name own blocks', () => {
  const own = { area: 'training', blocks: ['headers'] } as const;

  test('a setting is named in the area’s block where that is what counts, and only there', () => {
    expect(nameOwnBlocks('set platform.headers or platform.operations.putCompany', own)).toBe(
      'set platform.training.headers or platform.operations.putCompany',
    );
    expect(nameOwnBlocks('platform.headers', undefined)).toBe('platform.headers');
  });

  test('a judged reply names it in its hint and in its message', () => {
    const reply: Answer = {
      ...{ kind: 'answered', status: 200, result: null, malformed: null, json: {}, html: false },
      ...{ hint: 'see platform.headers', retryAfter: null, date: null, location: null, receivedAt: 0 },
    };
    const context = { method: 'PUT', now: 0, own } as const;
    expect(judgeReply(reply, context)).toMatchObject({ hint: 'see platform.training.headers' });
    const refused = { ...reply, status: 501 };
    const operations = { ...context, operation: 'putTraining', own: { ...own, blocks: ['operations'] } };
    expect(judgeReply(refused, operations)).toMatchObject({
      message: expect.stringContaining('platform.training.operations.putTraining') as string,
    });
  });
});
