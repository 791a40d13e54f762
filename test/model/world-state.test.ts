import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { budget, explorePuts, putProtocol } from './put-protocol.js';
import { eachStep } from './steps.js';
import { NOTHING, payloadOf } from './hash.js';
import {
  decode,
  DOUBTED,
  encode,
  firstWorld,
  MOST_ATTEMPTS,
  NO_DOUBT,
  VERIFIED,
  WORDS,
  type World,
} from './world-state.js';

const words = new Uint32Array(WORDS * 2);

/** Encoded and decoded again, between words of other states. */
function decoded(world: World): World {
  words.fill(0xffffffff);
  encode(world, words, WORDS);
  return decode(words, WORDS);
}

/** Without the numbers that only the reader of a trace sees. */
const stateOf = (world: World): World => ({
  ...world,
  claims: 0,
  attempts: world.attempts.map((attempt) => ({ ...attempt, number: 0 })),
});

const flag = fc.boolean();
const upTo = (max: number) => fc.nat({ max });
const attempt = fc.record({
  sent: upTo(7),
  moved: flag,
  reference: upTo(1),
  current: flag,
  client: upTo(7),
  late: flag,
  expired: flag,
  triedBefore: flag,
  number: fc.constant(0),
});
const row = fc.record({
  exists: flag,
  moved: flag,
  desired: upTo(7),
  desiredPayload: upTo(7),
  acknowledged: upTo(7),
  acknowledgedPayload: upTo(7),
  known: flag,
  knownMoved: flag,
  refused: upTo(7),
  vanished: flag,
  invalid: flag,
  claim: upTo(2),
  last: upTo(MOST_ATTEMPTS - 1),
  due: flag,
  tried: flag,
  confirm: upTo(MOST_ATTEMPTS + 1),
  confirmDelayed: flag,
  deferred: flag,
  attempts: upTo(3),
  confirmHash: upTo(7),
});
/** Of a ledger that can come back, payloads are forgotten. */
const kept = row.map((each) => ({
  ...each,
  desiredPayload: payloadOf(each.desired),
  acknowledgedPayload: NOTHING,
  confirmHash: NOTHING,
}));
const world = fc.record({
  source: upTo(5),
  parent: upTo(1),
  staged: upTo(7),
  stagedMoved: flag,
  platform: upTo(7),
  platformReference: upTo(2),
  accepted: upTo(7),
  misclosed: flag,
  closedBefore: flag,
  refuses: upTo(127).map((bits) => bits << 1),
  alive: flag,
  tookOver: flag,
  edits: upTo(3),
  faults: upTo(3),
  kills: upTo(3),
  refusals: upTo(3),
  resends: upTo(3),
  parents: upTo(1),
  restores: upTo(1),
  controls: upTo(1),
  isControl: flag,
  kept: fc.option(kept),
  keptHeld: fc.constant(false),
  doubt: fc.constantFrom(NO_DOUBT, DOUBTED, VERIFIED),
  stray: flag,
  split: flag,
  row,
  attempts: fc.array(attempt, { maxLength: MOST_ATTEMPTS }),
  claims: fc.constant(0),
});

test('every field of a state is encoded, in all of its range', () => {
  expect(Object.keys(firstWorld(budget(0, 0, 0, 0, 0, 0))).sort()).toEqual(
    Object.keys(fc.sample(world, 1)[0] ?? {}).sort(),
  );
  fc.assert(
    fc.property(world, (each) => {
      expect(decoded(each)).toEqual(each);
    }),
    { numRuns: 1_000 },
  );
});

test.each(['delete', 'close', 'report', 'ignore'] as const)(
  'every state that a step leads to under %s is decoded as it was',
  (policy) => {
    const protocol = putProtocol(policy);
    const { states, state } = explorePuts(policy, budget(1, 1, 1, 0, 0, 0));
    let steps = 0;
    const differing: World[] = [];
    for (let index = 0; index < states; index += 1) {
      eachStep(state(index), protocol, (next) => {
        steps += 1;
        if (!isDeepStrictEqual({ ...decoded(next) }, stateOf(next))) differing.push(next);
      });
    }
    expect(steps).toBeGreaterThan(1_000);
    expect(differing.slice(0, 3)).toEqual([]);
  },
);
