import { expect, test } from 'vitest';
import { isInStep, isMostlyKeptBack } from '../../../../src/core/domain/trouble/trouble.js';
import { company } from '../../../features/troubles/sample-facts.js';

test.each<[string, Parameters<typeof company>[0], boolean]>([
  ['all is accepted', {}, true],
  ['one of a thousand is invalid', { synced: 999, invalid: 1 }, true],
  ['a few of few are invalid', { synced: 1, invalid: 4 }, true],
  ['less than one of 20 is invalid', { synced: 4_801, invalid: 199 }, true],
  ['one of 20 is invalid', { synced: 95, invalid: 5 }, false],
  ['most are invalid', { synced: 1_398, invalid: 4_616 }, false],
  ['everything is invalid', { synced: 0, invalid: 5 }, false],
  ['many wait for parents that do not come', { synced: 50, waiting: 9, blocked: 9 }, false],
  ['many are rejected', { synced: 50, rejected: 9 }, false],
  ['several kinds make one of 20', { synced: 90, waiting: 2, blocked: 2, rejected: 2, invalid: 1 }, false],
  ['the platform took many down', { synced: 50, rejected: 9, atPlatform: { removed: 4, refused: 5 } }, true],
  ['what vanished is many', { synced: 5, vanished: 500 }, true],
  ['something is left to send', { pending: 1 }, false],
  ['something waits for a parent that comes', { waiting: 1 }, false],
])('an entity is in step or not where %s', (_name, counts, inStep) => {
  const read = company(counts).counts!;
  expect(isInStep(read)).toBe(inStep);
});

test('what is still to be sent is not kept back', () => {
  expect(isMostlyKeptBack(company({ synced: 0, pending: 500, invalid: 4 }).counts)).toBe(false);
  expect(isMostlyKeptBack(null)).toBe(false);
});
