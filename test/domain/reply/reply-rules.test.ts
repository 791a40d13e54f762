import { describe, expect, test } from 'vitest';
import { judgeReply } from '../../../src/domain/reply/judge-reply.js';
import {
  configuredRules,
  isDeferred,
  type JudgeContext,
  nameOwnBlocks,
  REPLY_RULES,
  replyRule,
  type ReplyRule,
} from '../../../src/domain/reply/reply-rules.js';
import type { Answer, ConfiguredJudgement, Reply } from '../../../src/domain/reply/reply.js';

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
    for (const status of [412, 428])
      yield replyRule({ ...ANSWER, status }, { ...CONTEXT, conditional: true });
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
    ['conflict', { status: 412 }, { conditional: true }],
    ['conflict', { status: 428 }, { method: 'DELETE', conditional: true }],
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

  test('a row that stands before the others decides, and only where it fits', () => {
    const signature: ReplyRule = {
      on: [400, 400],
      when: {
        text: 'INVALID_SIGNATURE',
        holds: ({ json }) => JSON.stringify(json).includes('INVALID_SIGNATURE'),
      },
      as: 'authentication-refused',
      source: 'platform.replies.judge',
    };
    const rules = [signature, ...REPLY_RULES];
    const answer = (code: string) => ({ ...ANSWER, status: 400, json: { code } });
    expect(judgeReply(answer('INVALID_SIGNATURE'), CONTEXT, rules)).toMatchObject({
      kind: 'stopped',
      code: 'authentication-refused',
    });
    expect(judgeReply(answer('INVALID_NAME'), CONTEXT, rules).kind).toBe('refused');
    expect(judgeReply(answer('INVALID_SIGNATURE'), CONTEXT).kind).toBe('refused');
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

describe('configured rules', () => {
  const answer = (status: number, text: string, parts: Partial<Answer> = {}): Answer => ({
    ...{ kind: 'answered', status, result: null, malformed: null, html: false, text },
    ...{ json: /^[[{]/.test(text) ? (JSON.parse(text) as unknown) : undefined },
    ...{ retryAfter: null, date: null, location: null, receivedAt: 0 },
    ...parts,
  });
  const judge = (reply: Answer, ...rules: ConfiguredJudgement[]) =>
    judgeReply(reply, { method: 'PUT', now: 0 }, configuredRules({ judge: rules }));

  test('without rules the table is the built-in one', () => {
    expect(configuredRules(undefined)).toBe(REPLY_RULES);
    expect(configuredRules({ judge: [] })).toBe(REPLY_RULES);
  });

  test.each([
    ['as it came', '{ "code": "INVALID_SIGNATURE" }', '"code": "INVALID'],
    ['without blanks', '{ "code": "INVALID_SIGNATURE" }', '"code":"INVALID_SIGNATURE"'],
    ['in another case', '{"code":"invalid_signature"}', 'INVALID_SIGNATURE'],
    ['with escapes', '{"message":"Clef non accept\\u00e9e"}', 'acceptée'],
    ['as plain words', 'Invalid signature', 'invalid signature'],
  ])('a text matches %s', (_, body, match) => {
    expect(judge(answer(400, body), { status: 400, match, as: 'authentication-refused' })).toMatchObject({
      kind: 'stopped',
      code: 'authentication-refused',
      statusCode: 400,
    });
  });

  test('a rule decides only for its status and its text, and the first that fits counts', () => {
    const rules: ConfiguredJudgement[] = [
      { status: 400, match: 'SIGNATURE', as: 'authentication-refused' },
      { status: 400, match: 'LATER', as: 'deferred' },
      { status: 400, match: 'SIGNATURE LATER', as: 'accepted' },
    ];
    expect(judge(answer(422, '{"code":"SIGNATURE"}'), ...rules).kind).toBe('refused');
    expect(judge(answer(400, '{"code":"OTHER"}'), ...rules).kind).toBe('refused');
    expect(judge(answer(400, '{"code":"SIGNATURE LATER"}'), ...rules).kind).toBe('stopped');
    expect(judge(answer(400, '{"code":"LATER"}'), ...rules)).toMatchObject({ kind: 'deferred', known: true });
  });

  test('a rule with a field looks only there', () => {
    const rule = { status: 400, field: 'error.code', match: 'E17', as: 'deferred' } as const;
    const body = (code: unknown) => JSON.stringify({ id: 'E17', error: { code } });
    expect(judge(answer(400, body('E17')), rule).kind).toBe('deferred');
    expect(judge(answer(400, body('E18')), rule).kind).toBe('refused');
    expect(judge(answer(400, '{"id":"E17"}'), { ...rule, match: undefined }).kind).toBe('refused');
    const number: ConfiguredJudgement = { status: 400, field: 'error.code', match: '17', as: 'deferred' };
    expect(judge(answer(400, body(17)), number).kind).toBe('deferred');
  });

  test.each([
    ['rejected', 200, { kind: 'refused', message: 'quota exceeded' }],
    ['rejected', 500, { kind: 'refused', message: 'quota exceeded' }],
    ['deferred', 422, { kind: 'deferred', known: true }],
    ['deferred', 200, { kind: 'deferred', known: false }],
    ['deferred', 500, { kind: 'deferred', known: false }],
    ['authentication-refused', 200, { kind: 'stopped', message: 'HTTP 200: quota exceeded' }],
    ['accepted', 409, { kind: 'accepted', reference: null, statusCode: 409 }],
  ] as const)('%s for a %i', (as, status, judgement) => {
    expect(judge(answer(status, '{"message":"quota exceeded"}'), { status, as })).toMatchObject(judgement);
  });

  test('what a rule accepts still has to offer the reference that children need', () => {
    const rule: ConfiguredJudgement = { status: 409, as: 'accepted' };
    const gap = { malformed: 'data.reference is missing', hint: 'platform.replies.reference' };
    const without = answer(409, '{}', { links: { id: null, reference: null, gap } });
    expect(judge(without, rule)).toEqual({
      kind: 'not-understood',
      statusCode: 409,
      message: 'HTTP 409 was not understood: data.reference is missing',
      hint: 'platform.replies.reference',
    });
    const offered = answer(409, '{}', { links: { id: 'i', reference: 7, gap: null } });
    expect(judge(offered, rule)).toMatchObject({ kind: 'accepted', reference: 7, remoteId: 'i' });
  });

  test('a body that is nested too deeply for JSON does not fit, and breaks nothing', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    expect(judge(answer(400, deep), { status: 400, match: 'SIGNATURE', as: 'accepted' }).kind).toBe(
      'refused',
    );
  });
});

describe('name own blocks', () => {
  const own = { area: 'training', blocks: ['replies'] } as const;

  test('a setting is named in the area’s block where that is what counts, and only there', () => {
    expect(nameOwnBlocks('set platform.replies.data or platform.operations.putCompany', own)).toBe(
      'set platform.training.replies.data or platform.operations.putCompany',
    );
    expect(nameOwnBlocks('platform.replies.data', undefined)).toBe('platform.replies.data');
  });

  test('a judged reply names it in its hint and in its message', () => {
    const reply: Answer = {
      ...{ kind: 'answered', status: 200, result: null, malformed: null, json: {}, html: false },
      ...{ hint: 'see platform.replies.data', retryAfter: null, date: null, location: null, receivedAt: 0 },
    };
    const context = { method: 'PUT', now: 0, own } as const;
    expect(judgeReply(reply, context)).toMatchObject({ hint: 'see platform.training.replies.data' });
    const refused = { ...reply, status: 501 };
    const operations = { ...context, operation: 'putTraining', own: { ...own, blocks: ['operations'] } };
    expect(judgeReply(refused, operations)).toMatchObject({
      message: expect.stringContaining('platform.training.operations.putTraining') as string,
    });
  });
});
