import { expect, test } from 'vitest';
import type { VanishedPolicy } from '../../src/core/domain/guard.js';
import { explorePuts, shown } from './put-protocol.js';
import type { Budget } from './world-state.js';

/** One test for each budget: whatever happens within it, the judge finds nothing wrong when all is quiet. */
export function endsRight(policy: VanishedPolicy, budgets: readonly Budget[], leastStates: number): void {
  test.each(budgets.map((each) => [shown(each), each] as const))(
    `under ${policy} with %s, ledger and platform are right in every state in which nothing more happens`,
    (name, each) => {
      const { states, quiet, counterexample, endless } = explorePuts(policy, each);
      process.stdout.write(`\n${policy}, ${name}: ${states} states, ${quiet} of them quiet\n`);
      expect(counterexample).toBeNull();
      expect(endless, 'calm steps that go on for ever').toBe(false);
      expect(states).toBeGreaterThan(leastStates);
    },
    1_200_000,
  );
}
