import { expect, test } from 'vitest';
import { explorePuts, shown } from './put-protocol.js';
import type { Budget } from './world-state.js';

/** One test for each budget: whatever happens within it, the platform equals the source when all is quiet. */
export function endsRight(budgets: readonly Budget[], leastStates: number): void {
  test.each(budgets.map((each) => [shown(each), each] as const))(
    'with %s, the platform equals the source in every state in which nothing more happens',
    (name, each) => {
      const { states, quiet, counterexample, endless } = explorePuts(each);
      process.stdout.write(`\n${name}: ${states} states, ${quiet} of them quiet\n`);
      expect(counterexample).toBeNull();
      expect(endless, 'calm steps that go on for ever').toBe(false);
      expect(states).toBeGreaterThan(leastStates);
    },
    1_200_000,
  );
}
