import { expect, test } from 'vitest';
import type { Rules } from './ledger-row.js';
import { endsRight } from './ends-right.js';
import { budget, explorePuts } from './put-protocol.js';
import type { Budget } from './world-state.js';

/** `npm run test:model` explores all kinds of trouble with two edits. */
const BUDGETS = [
  budget(2, 1, 0, 1, 1, 1),
  budget(2, 1, 1, 0, 0, 1),
  budget(1, 1, 1, 1, 1, 1),
  budget(2, 1, 2, 0, 0, 0),
];

endsRight(BUDGETS, 50_000);

/** Each with a budget in which the protocol as it is ends right. */
const WITHOUT: readonly [string, Partial<Rules>, Budget][] = [
  ['the fence by Request-Id', { fence: false }, budget(1, 1, 0, 0, 0, 1)],
  ['the take-over', { takeOver: 'none' }, budget(0, 0, 1, 0, 0, 0)],
  [
    'a take-over that leaves unknown what the platform holds',
    { takeOver: 'closes' },
    budget(1, 0, 1, 0, 0, 0),
  ],
  ['the confirmation', { confirm: 'none' }, budget(1, 1, 0, 0, 0, 0)],
  [
    'the confirmation of an attempt whose payload was accepted since',
    { confirm: 'unless-accepted' },
    budget(1, 1, 0, 0, 0, 0),
  ],
  [
    'the rule that only an attempt claimed when it was due clears a confirmation',
    { clearing: false },
    budget(1, 1, 0, 0, 0, 0),
  ],
  ['the end of an open claim by a mark', { marks: 'leave' }, budget(0, 0, 0, 0, 0, 1)],
  ['the confirmation of a claim that a mark ends', { marks: 'close' }, budget(0, 0, 0, 0, 0, 1)],
  ['the mark of what vanished', { vanishedMarked: false }, budget(2, 0, 0, 0, 0, 1)],
  ['the mark of what moved to another parent', { movedMarked: false }, budget(2, 0, 0, 0, 0, 1)],
];

test.each(WITHOUT)('without %s, a quiet state is found that is wrong', (name, without, each) => {
  expect(explorePuts(each).counterexample).toBeNull();
  const { counterexample } = explorePuts(each, without);
  expect(counterexample).not.toBeNull();
  const lines = (counterexample ?? []).map((line, step, all) =>
    step === all.length - 1 ? `   => ${line}` : `  ${String(step + 1).padStart(2)} ${line}`,
  );
  process.stdout.write(`\nwithout ${name}:\n${lines.join('\n')}\n`);
});
