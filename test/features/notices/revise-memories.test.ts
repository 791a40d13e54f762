import { expect, test } from 'vitest';
import type { NoticeMemory, Observation } from '../../../src/features/notices/next-memory.js';
import { reviseMemories, type ReviseOptions } from '../../../src/features/notices/send-notices.js';

const NOW = new Date('2026-01-01T00:00:00Z');
const HELD: Observation = {
  trouble: 'held',
  subject: 'companies',
  found: { since: NOW, afterMs: 0, reason: 'why', help: 'do', cause: 'a guard', size: 1 },
};
const OPTIONS: ReviseOptions = {
  now: NOW,
  newId: () => 'id',
  ways: ['url', 'smtp'],
  on: ['held', 'auth-refused', 'stale', 'recovered'],
  subjects: ['companies', 'jobs'],
};

test('every way remembers on its own', () => {
  const memories = reviseMemories([], [HELD], OPTIONS);
  expect(memories).toMatchObject([
    { way: 'url', state: 'begun' },
    { way: 'smtp', state: 'begun' },
  ]);
  const told = memories.map((memory) =>
    memory.way === 'url' ? { ...memory, state: 'told' as const } : memory,
  );
  const ended = reviseMemories(told, [{ ...HELD, found: null }], OPTIONS);
  expect(ended, 'who was not told is not told of the end').toMatchObject([{ way: 'url', state: 'ended' }]);
});

test('what nothing is known of stays as it is', () => {
  const refused: NoticeMemory = {
    ...reviseMemories([], [HELD], OPTIONS)[0]!,
    trouble: 'auth-refused',
    subject: 'jobs',
    state: 'told',
  };
  expect(reviseMemories([refused], [{ ...HELD, found: null }], OPTIONS)).toEqual([refused]);
});

test('ways, troubles and subjects that are not configured any more are forgotten', () => {
  const memories = reviseMemories([], [HELD], OPTIONS);
  expect(reviseMemories(memories, [], { ...OPTIONS, ways: ['smtp'] })).toMatchObject([{ way: 'smtp' }]);
  expect(reviseMemories(memories, [HELD], { ...OPTIONS, on: ['stale'] })).toEqual([]);
  expect(reviseMemories(memories, [], { ...OPTIONS, subjects: ['jobs'] })).toEqual([]);
});
