import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/ports/queue.js';
import { createOutcomeBuffer } from '../../../src/sync/push/attempt.js';

const outcome = (key: number): Outcome => ({
  entity: 'companies',
  key: String(key),
  requestId: `request-${key}`,
  kind: 'handed-back',
  known: true,
  reply: null,
  previousAttemptAt: null,
  reused: false,
});

function written(fail: (group: number) => boolean = () => false) {
  const groups: number[] = [];
  const errors: unknown[] = [];
  let tried = 0;
  const buffer = createOutcomeBuffer(
    (outcomes) => {
      if (fail(++tried)) return Promise.reject(new Error(`group ${tried}`));
      groups.push(outcomes.length);
      return Promise.resolve();
    },
    () => [],
    (error) => errors.push(error),
  );
  return { buffer, groups, errors };
}

test('a hundred outcomes are written together without waiting', async () => {
  const { buffer, groups } = written();
  for (let key = 0; key < 250; key += 1) buffer.add(outcome(key));
  await buffer.flush();
  expect(groups).toEqual([100, 100, 50]);
  expect(buffer.size()).toBe(0);
});

test('fewer are written after a fifth of a second, without a request', async () => {
  const { buffer, groups } = written();
  buffer.add(outcome(1));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(groups).toEqual([]);
  await expect.poll(() => groups).toEqual([1]);
});

test('a failed write is reported at once, counts as done, and does not keep the next group from being written', async () => {
  const { buffer, groups, errors } = written((group) => group === 1);
  for (let key = 0; key < 100; key += 1) buffer.add(outcome(key));
  buffer.add(outcome(100));
  await buffer.flush();
  expect(errors).toEqual([new Error('group 1')]);
  expect(groups).toEqual([1]);
  expect(buffer.size()).toBe(0);
});

test('flush rejects with what the last write rejected with', async () => {
  const { buffer } = written(() => true);
  buffer.add(outcome(1));
  await expect(buffer.flush()).rejects.toThrow('group 1');
});
