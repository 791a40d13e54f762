import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runVerdict } from '../../src/domain/run-ending.js';
import { findTroubles } from '../../src/domain/trouble/find-troubles.js';
import type { TroubleFacts } from '../../src/domain/trouble/trouble.js';
import { company, EVERYTHING_WRONG, facts, HOLD, PUSH_HOLD, run, vacancy } from './trouble/sample-facts.js';

const rejected = company({ rejected: 1 });
const held = company({ rejected: 1 }, { hold: HOLD });

test.each<[string, Partial<TroubleFacts>, number, string]>([
  ['nothing', {}, 0, 'complete'],
  ['rejected records', { entities: [rejected] }, 3, 'partial'],
  ['invalid records', { entities: [company({ invalid: 1 })] }, 3, 'partial'],
  ['parents that do not come', { entities: [vacancy({ waiting: 1, blocked: 1 })] }, 3, 'partial'],
  [
    'parents that are held elsewhere',
    { entities: [vacancy({ waiting: 1, blocked: 1 }, true)] },
    0,
    'complete',
  ],
  ['a hold', { entities: [held] }, 4, 'held'],
  ['a push that is held', { entities: [company({}, { pushHold: PUSH_HOLD })] }, 4, 'held'],
  ['a stopped area', { entities: [held], run: run({ companies: 'breaker-open' }) }, 5, 'aborted'],
  ['refused credentials', { run: run({ companies: 'authentication-refused' }) }, 5, 'aborted'],
  [
    'a failed query beside a stopped area',
    { entities: [held, vacancy({})], run: run({ companies: 'query-failed', vacancies: 'breaker-open' }) },
    1,
    'failed',
  ],
  [
    'a signal',
    { entities: [held], run: run({ companies: 'query-failed' }, { interrupted: true }) },
    1,
    'aborted',
  ],
  ['what changes no exit code', { idle: true }, 0, 'complete'],
  ['records that are put off', { entities: [company({ deferred: 1 })] }, 0, 'complete'],
])('%s: a run ends with exit code and outcome', (_, changes, exitCode, outcome) => {
  expect(runVerdict(findTroubles(facts(changes)), false)).toEqual({ exitCode, outcome });
});

test('what is left over makes a run partial that is otherwise complete, and changes no exit code', () => {
  expect(runVerdict([], true)).toEqual({ exitCode: 0, outcome: 'partial' });
  for (const changes of [{}, { entities: [rejected] }, { entities: [held] }]) {
    const troubles = findTroubles(facts(changes));
    expect(runVerdict(troubles, true).exitCode).toBe(runVerdict(troubles, false).exitCode);
  }
});

test('the exit code follows from which troubles there are: neither their order nor one more makes it better', () => {
  const all = EVERYTHING_WRONG.flatMap(findTroubles);
  const rank = (code: number) => [0, 3, 4, 5, 1].indexOf(code);
  fc.assert(
    fc.property(
      fc.subarray(all),
      fc.constantFrom(...all),
      fc.infiniteStream(fc.nat()),
      (some, more, random) => {
        const { exitCode } = runVerdict(some, false);
        const order = new Map(some.map((one) => [one, random.next().value as number]));
        const shuffled = some.toSorted((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0));
        expect(runVerdict(shuffled, false).exitCode).toBe(exitCode);
        expect(rank(runVerdict([...some, more], false).exitCode)).toBeGreaterThanOrEqual(rank(exitCode));
      },
    ),
  );
});
