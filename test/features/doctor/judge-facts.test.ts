import { expect, test } from 'vitest';
import { type Check, generalCheck } from '../../../src/features/doctor/check.js';
import { CHECKS, judgeFacts } from '../../../src/features/doctor/checks.js';
import { fail, pass, warn } from '../../../src/features/doctor/finding.js';
import { FACTS, JUDGED } from './judged.js';

const check = (id: string, judge: Check['judge']): Check => ({
  ...generalCheck({ id, levels: [], looksAt: '', judge: () => [] }),
  judge,
});

test('a check that goes wrong ends nothing: it says so, and the others are there', () => {
  const broken = check('broken', () => {
    throw new TypeError('row of a person');
  });
  const sound = generalCheck({
    id: 'sound',
    levels: [],
    looksAt: '',
    judge: () => [pass('fine')],
  });
  expect(judgeFacts(FACTS, [broken, sound])).toMatchObject([
    { id: 'broken', level: 'warn', message: 'not checked: TypeError in the check itself' },
    { id: 'sound', level: 'pass' },
  ]);
});

test('what fails comes first, then warnings, then what was not checked; each in the order of the checks', () => {
  const of = (id: string, verdict: ReturnType<typeof pass>) =>
    generalCheck({ id, levels: [], looksAt: '', judge: () => [verdict] });
  const checks = [
    of('a', pass('')),
    of('b', { ...warn('', null), undone: true }),
    of('c', warn('', null)),
    of('d', fail('', null)),
    of('e', fail('', null)),
  ];
  expect(judgeFacts(FACTS, checks).map(({ id }) => id)).toEqual(['d', 'e', 'c', 'b', 'a']);
});

test('every check has an id of its own, and says in a phrase what it looks at', () => {
  expect(new Set(CHECKS.map(({ id }) => id)).size).toBe(CHECKS.length);
  for (const { id, looksAt } of CHECKS) {
    expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(looksAt, id).toMatch(/[^.]$/);
  }
});

test.each(JUDGED)('$id says $level: $message', ({ id, level, message, facts }) => {
  const findings = CHECKS.find((each) => each.id === id)?.judge(facts);
  expect(findings).toMatchObject([{ id, level, message: expect.stringMatching(message) as string }]);
});
