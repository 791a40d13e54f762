import { expect, test } from 'vitest';
import { configuredRules, REPLY_RULES } from '../../../src/domain/reply/reply-rules.js';
import { judgeReply } from '../../../src/domain/reply/judge-reply.js';
import type { Answer, ConfiguredJudgement } from '../../../src/domain/reply/reply.js';

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
  expect(judge(answer(400, deep), { status: 400, match: 'SIGNATURE', as: 'accepted' }).kind).toBe('refused');
});
