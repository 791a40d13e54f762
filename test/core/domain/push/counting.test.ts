import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CountedOutcome,
  countOutcome,
  refusedTooOften,
  tallyReply,
} from '../../../../src/core/domain/push-counters.js';

describe('counting by last outcome', () => {
  test('balances whatever happens to each record', () => {
    const outcome = fc.constantFrom<CountedOutcome>('accepted', 'rejected', 'deferred');
    fc.assert(
      fc.property(fc.array(fc.array(outcome, { minLength: 1, maxLength: 5 })), (records) => {
        const counters = { sent: 0, accepted: 0, rejected: 0, deferred: 0 };
        const last = { accepted: 0, rejected: 0, deferred: 0 };
        for (const outcomes of records) {
          let previous: 'accepted' | 'deferred' | null = null;
          for (const each of outcomes) {
            countOutcome(counters, previous, each);
            if (each === 'rejected') break;
            previous = each;
          }
          const end = !outcomes.includes('rejected') ? outcomes.at(-1) : 'rejected';
          if (end) last[end] += 1;
        }
        expect(counters).toEqual({ sent: records.length, ...last });
      }),
    );
  });
});

describe('refusals in a row', () => {
  test('count until the first acceptance, and never again under the same mapping', () => {
    let tally = { refusedInARow: 0, acceptedOnce: false };
    for (let refusals = 1; refusals <= 3; refusals += 1) tally = tallyReply(tally, 'refused');
    expect(refusedTooOften(tally, 3)).toBe(true);
    expect(refusedTooOften(tally, 4)).toBe(false);
    tally = tallyReply(tally, 'accepted');
    for (let refusals = 1; refusals <= 9; refusals += 1) tally = tallyReply(tally, 'refused');
    expect(refusedTooOften(tally, 3)).toBe(false);
  });
});
