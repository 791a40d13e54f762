import { expect, test } from 'vitest';
import { budget, explorePuts, shown } from './put-protocol.js';

/** Too long for every run: `npm run test:model`. */
const BUDGETS = [budget(2, 1, 1, 1, 1, 1), budget(3, 1, 1, 0, 0, 1), budget(2, 2, 1, 0, 1, 0)];

test.each(BUDGETS.map((each) => [shown(each), each] as const))(
  'with %s, the platform equals the source in every state in which nothing more happens',
  (name, each) => {
    const { states, quiet, counterexample, endless } = explorePuts(each);
    process.stdout.write(`\n${name}: ${states} states, ${quiet} of them quiet\n`);
    expect(counterexample).toBeNull();
    expect(endless, 'calm steps that go on for ever').toBe(false);
    expect(states).toBeGreaterThan(300_000);
  },
);
