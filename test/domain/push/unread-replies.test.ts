import { expect, test } from 'vitest';
import { endCondition, nextCondition, OPEN_AREA } from '../../../src/domain/area-condition.js';
import type { Judgement } from '../../../src/domain/reply/reply.js';

const LIMITS = { breakerAfter: 3, maxPauseMs: 60_000, baseDelayMs: 1_000 };
const UNREAD: Judgement = {
  kind: 'not-understood',
  statusCode: 200,
  message: 'HTTP 200 was not understood: data is missing',
  hint: 'A setting says so.',
};
const ACCEPTED: Judgement = {
  kind: 'accepted',
  reference: 'r',
  remoteId: 'i',
  details: null,
  statusCode: 200,
};
const REFUSED: Judgement = { kind: 'refused', statusCode: 422, message: 'no', issues: [] };
const DOWN: Judgement = { kind: 'deferred', known: true, reached: true, statusCode: 500, message: 'down' };

type Step = readonly [operation: string, judgement: Judgement];
const after = (...steps: readonly Step[]) =>
  steps.reduce(
    (area, [operation, judgement]) => nextCondition(area, judgement, LIMITS, 0, operation),
    OPEN_AREA,
  );
const times = (count: number, step: Step): Step[] => Array.from({ length: count }, () => step);

test('so many replies in a row that are not understood stop the area, with the part and the setting', () => {
  const unread: Step = ['putCompany', UNREAD];
  expect(after(...times(2, unread)).stop).toBeNull();
  expect(after(...times(3, unread)).stop).toEqual({
    code: 'reply-not-understood',
    message: '3 replies in a row; the last one: HTTP 200 was not understood: data is missing',
    hint: 'A setting says so. A worker reads a changed setting when it is restarted. Nothing is lost: the records are sent again, and confirmed.',
  });
});

test('they are no outage: the row of failures neither grows nor ends', () => {
  const { transientInARow, answered } = after(['putCompany', DOWN], ...times(2, ['putCompany', UNREAD]));
  expect({ transientInARow, answered }).toEqual({ transientInARow: 1, answered: false });
});

test('a reply of the same operation that is understood ends the row; others and refusals do not', () => {
  const two = times(2, ['putCompany', UNREAD]);
  expect(after(...two, ['putCompany', ACCEPTED], ...two).stop).toBeNull();
  expect(after(...two, ['putVacancy', ACCEPTED], ['putCompany', UNREAD]).stop?.code).toBe(
    'reply-not-understood',
  );
  expect(after(...two, ['putCompany', REFUSED], ['putCompany', UNREAD]).stop?.code).toBe(
    'reply-not-understood',
  );
});

test('a push ends stopped when no reply to an operation was understood, however few there were', () => {
  const ended = (...steps: readonly Step[]) => endCondition(after(...steps), 0).stop;
  expect(ended(['putCompany', UNREAD])).toMatchObject({
    code: 'reply-not-understood',
    message: 'HTTP 200 was not understood: data is missing',
  });
  expect(ended(['putCompany', ACCEPTED], ['putVacancy', UNREAD])?.code).toBe('reply-not-understood');
  expect(ended(['putCompany', DOWN], ['putCompany', UNREAD])?.code).toBe('reply-not-understood');
  expect(ended(['putCompany', ACCEPTED], ['putCompany', UNREAD])).toBeNull();
  expect(ended(['putCompany', UNREAD], ['putCompany', ACCEPTED])).toBeNull();
  expect(ended(['putCompany', ACCEPTED])).toBeNull();
});
