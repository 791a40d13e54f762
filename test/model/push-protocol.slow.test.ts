import { expect, test } from 'vitest';
import type { VanishedPolicy } from '../../src/core/domain/guard.js';
import type { Rules } from './rules.js';
import { endsRight } from './ends-right.js';
import { budget, explorePuts } from './put-protocol.js';
import type { Budget } from './world-state.js';

/** `npm run test:hard -- --project model` explores all kinds of trouble with two edits. */
const BUDGETS = [budget(2, 1, 0, 1, 1, 1), budget(2, 1, 1, 0, 0, 1), budget(2, 1, 2, 0, 0, 0)];

endsRight('delete', BUDGETS, 50_000);

/** By the policy differs what follows on vanishing and returning, so each has two edits. */
endsRight(
  'close',
  [budget(2, 1, 0, 0, 0, 1), budget(2, 0, 1, 1, 0, 0), budget(2, 0, 0, 1, 1, 1), budget(3, 1, 0, 0, 0, 0)],
  20_000,
);
endsRight('report', [budget(2, 1, 0, 0, 0, 1), budget(2, 0, 1, 1, 0, 0), budget(2, 0, 0, 1, 1, 1)], 10_000);
endsRight('ignore', [budget(2, 1, 0, 1, 0, 0)], 10_000);

/** The ledger goes back to an earlier state, and everything is compared with the platform afterwards. */
endsRight(
  'delete',
  [budget(2, 0, 0, 0, 0, 0, 1), budget(1, 1, 0, 0, 0, 0, 1), budget(1, 0, 1, 1, 0, 0, 1)],
  1_000,
);
endsRight('report', [budget(2, 0, 0, 0, 0, 0, 1)], 1_000);

/** A record that was accepted is put again unchanged: edited, lost, killed or refused meanwhile. */
endsRight(
  'delete',
  [
    budget(2, 1, 0, 0, 0, 0, 0, 1),
    budget(1, 1, 1, 0, 0, 0, 0, 1),
    budget(1, 1, 0, 1, 0, 1, 0, 1),
    budget(1, 0, 1, 0, 1, 0, 0, 1),
  ],
  1_000,
);
endsRight('close', [budget(2, 1, 0, 0, 0, 0, 0, 1), budget(1, 0, 1, 0, 0, 1, 0, 1)], 1_000);

/** Each with a budget in which the protocol as it is ends right. */
const WITHOUT: readonly [string, Partial<Rules>, Budget, VanishedPolicy?][] = [
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
  ['the end of an open claim by a resend request', { resends: 'leave' }, budget(0, 0, 0, 0, 0, 1)],
  ['the confirmation of a claim that a resend request ends', { resends: 'close' }, budget(0, 0, 0, 0, 0, 1)],
  ['the resend request for what vanished', { vanishedResent: false }, budget(2, 0, 0, 0, 0, 1)],
  ['the resend request for what moved to another parent', { movedResent: false }, budget(2, 0, 0, 0, 0, 1)],
  [
    'the question for time and lease where a request is written',
    { asksAtWrite: false },
    budget(1, 0, 1, 0, 0, 0),
  ],
  [
    'the rule that what was tried stays in the ledger when it vanishes',
    { triedStay: false },
    budget(1, 1, 0, 0, 0, 0),
    'close',
  ],
  [
    'the rule that what was accepted is closed, not what was desired last',
    { closes: 'desired' },
    budget(2, 0, 0, 0, 0, 0),
    'close',
  ],
  [
    'the rule that the payload that was accepted is kept while others are desired',
    { keepsAccepted: false },
    budget(3, 0, 0, 0, 0, 0),
    'close',
  ],
  [
    'the rule that it is closed under the parent under which it was accepted',
    { closesUnder: 'desired' },
    budget(2, 0, 0, 0, 0, 0),
    'close',
  ],
  [
    'the comparison of what returns with what was acknowledged',
    { returns: 'noted' },
    budget(2, 0, 0, 0, 0, 0),
    'close',
  ],
  [
    'the rule that nothing is desired any more of what is only reported',
    { reportedDropped: false },
    budget(1, 0, 0, 0, 0, 0),
    'report',
  ],
  [
    'the comparison of what returns with what was acknowledged',
    { returns: 'noted' },
    budget(2, 1, 0, 0, 0, 0),
    'report',
  ],
  [
    'the confirmation that outlasts vanishing',
    { vanishedConfirmed: false },
    budget(2, 1, 0, 0, 0, 0),
    'report',
  ],
  [
    'the nonce, so that a token that is handed out twice counts for both',
    { nonce: false },
    budget(0, 0, 1, 0, 0, 0, 1),
  ],
  [
    'the end of claims that nobody serves, after a restore that nobody notices',
    { forgotten: false, verified: 'none' },
    budget(0, 0, 0, 0, 0, 0, 1),
  ],
  ['the comparison with the platform after a restore', { verified: 'none' }, budget(1, 0, 0, 0, 0, 0, 1)],
  [
    'the rule that what cannot be compared after a restore is believed no longer',
    { verified: 'settled' },
    budget(1, 0, 0, 0, 0, 0, 1),
  ],
  [
    'the resend request for what vanished, which may return',
    { vanishedResent: false },
    budget(2, 0, 0, 0, 0, 1),
    'report',
  ],
];

/** `COUNTEREXAMPLES=1 npx vitest run test/model/push-protocol.slow.test.ts` prints how each goes wrong. */
const SHOWN = process.env.COUNTEREXAMPLES === '1';

const numbered = (counterexample: readonly string[]) =>
  counterexample
    .map((line, step, all) =>
      step === all.length - 1 ? `   => ${line}` : `  ${String(step + 1).padStart(2)} ${line}`,
    )
    .join('\n');

test.each(WITHOUT.map(([name, without, each, policy = 'delete']) => ({ name, without, each, policy })))(
  'without $name, a quiet state is found that is wrong (under $policy)',
  ({ name, without, each, policy }) => {
    expect(explorePuts(policy, each).counterexample).toBeNull();
    const { counterexample } = explorePuts(policy, each, without);
    expect(counterexample).not.toBeNull();
    if (SHOWN) process.stdout.write(`\nwithout ${name} (${policy}):\n${numbered(counterexample ?? [])}\n`);
  },
);
