import { expect, test } from 'vitest';
import { judgeReply } from '../../../src/domain/reply/judge-reply.js';
import { nameOwnBlocks } from '../../../src/domain/reply/reply-rules.js';
import type { Answer } from '../../../src/domain/reply/reply.js';

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
  const refused = { ...reply, status: 405 };
  const operations = { ...context, operation: 'putTraining', own: { ...own, blocks: ['operations'] } };
  expect(judgeReply(refused, operations)).toMatchObject({
    message: expect.stringContaining('platform.training.operations.putTraining') as string,
  });
});
