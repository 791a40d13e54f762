import { expect, test } from 'vitest';
import { judgeReply } from '../../../src/core/domain/reply/judge-reply.js';
import type { Answer } from '../../../src/core/domain/reply/reply.js';
import { vacancies } from '../../../src/core/entities/vacancies.js';
import { foundRecord } from '../../../src/features/probe/probe-platform.js';

const BODY = { title: 'Kasir', quota: 2, min_age: 18, disability_allowed: true, employer: { id: 7 } };

function found(data: object) {
  const reply: Answer = {
    ...{ kind: 'answered', status: 200, result: null, malformed: null, json: { data }, html: false },
    ...{ retryAfter: null, date: null, location: null, receivedAt: 0 },
  };
  const judgement = judgeReply(reply, { method: 'GET', now: 0 });
  return foundRecord(vacancies, { reply, judgement }, BODY, '2031-01-01', 'Asia/Jakarta');
}

test('a Find with numbers as texts and with numeric links is borne, and its types are named', () => {
  const record = found({
    id: 12,
    vacancy: {
      quota: '2',
      min_age: '18',
      disability_allowed: '1',
      job: { id: 3, title: 'Kasir', reference: 4, employer: { id: 7 } },
    },
  });
  expect(record).toMatchObject({ misfit: null, hidden: [], differing: [] });
  expect(record?.shown).toContainEqual({ field: 'quota', as: 'text' });
});

test('a Find that shows no field of the record differs', () => {
  expect(found({ id: 12, links: {} })?.misfit).toBe('it shows none of the fields of the record');
});
