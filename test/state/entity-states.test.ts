import { expect, test } from 'vitest';
import type { Hold, PushHold } from '../../src/domain/guard/hold.js';
import { NEVER, openTestState, refused, wants } from './open-test-state.js';

const HOLD: Hold = {
  guard: 'max-vanished-count',
  message: 'many',
  counts: { vanished: 7, invalid: 0 },
  sampleKeys: ['a'],
  since: '2026-01-01T00:00:00.000Z',
};
const PUSH_HOLD: PushHold = {
  guard: 'max-rejected-in-a-row',
  message: 'all',
  refused: 1,
  sampleKeys: ['a'],
  since: '2026-01-01T00:00:00.000Z',
};

async function withRefusedRecord() {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  const outcomes = (await state.claim()).map(refused);
  await state.queue.record({
    token: state.push,
    outcomes,
    tallies: [{ entity: 'companies', fingerprint: 'f1', refusedInARow: 1, acceptedOnce: false }],
    timeoutMs: () => 1,
  });
  await state.entityStates.holdPush(state.push, 'companies', PUSH_HOLD);
  return state;
}

test('an entity that no sweep has seen is known as nothing', async () => {
  const { entityStates } = await openTestState();
  expect(await entityStates.read('vacancies')).toMatchObject({
    fingerprint: null,
    hold: null,
    lastSuccessAt: null,
    fullSweepRequested: false,
  });
});

test('an approval stores the counts of the hold, outlasts a sweep it does not cover, and is used up by a publication', async () => {
  const state = await openTestState();
  await state.entityStates.hold(state.sweep, 'companies', HOLD);
  expect(await state.entityStates.approve('companies')).toEqual({ sweep: HOLD, push: null, rearmed: 0 });
  expect(await state.entityStates.read('companies')).toMatchObject({ approval: HOLD.counts, hold: HOLD });
  await state.entityStates.hold(state.sweep, 'companies', { ...HOLD, counts: { vanished: 9, invalid: 0 } });
  expect(await state.entityStates.read('companies')).toMatchObject({
    approval: HOLD.counts,
    hold: { counts: { vanished: 9 } },
  });
  await state.entityStates.approve('companies');
  await state.publish('companies');
  expect(await state.entityStates.read('companies')).toMatchObject({ approval: null, hold: null });
});

test('an approval ends a stopped push, and what was refused is pending again', async () => {
  const state = await withRefusedRecord();
  expect(await state.entityStates.approve('companies')).toEqual({ sweep: null, push: PUSH_HOLD, rearmed: 1 });
  expect(await state.entityStates.read('companies')).toMatchObject({ pushHold: null, refusedInARow: 0 });
  expect(await state.claim()).toHaveLength(1);
});

test('a stopped push outlasts sweeps under the same mapping and ends with another one', async () => {
  const state = await withRefusedRecord();
  await state.publish('companies');
  expect((await state.entityStates.read('companies')).pushHold).toEqual(PUSH_HOLD);
  await state.staging.publish(state.sweep, 'companies', {
    renamings: [],
    expected: 0,
    mark: { fingerprint: 'f2', full: true, startedAt: '2000-01-01' },
    signal: NEVER,
  });
  expect(await state.entityStates.read('companies')).toMatchObject({
    pushHold: null,
    refusedInARow: 0,
    fingerprint: 'f2',
  });
  expect(await state.claim()).toHaveLength(1);
});

test('a full sweep asked for during a sweep is not forgotten by it', async () => {
  const state = await openTestState();
  await state.publish('companies');
  const { readAt } = await state.entityStates.read('companies');
  await state.entityStates.requestFullSweep('companies');
  const publish = (startedAt: string) =>
    state.staging.publish(state.sweep, 'companies', {
      renamings: [],
      expected: 0,
      mark: { fingerprint: 'f1', full: true, startedAt },
      signal: NEVER,
    });
  await publish(readAt);
  const after = await state.entityStates.read('companies');
  expect(after.fullSweepRequested).toBe(true);
  await publish(after.readAt);
  expect((await state.entityStates.read('companies')).fullSweepRequested).toBe(false);
});

test('a success is dated by the sweep that it belongs to', async () => {
  const state = await openTestState();
  await state.publish('companies');
  await state.entityStates.noteSuccess('companies');
  const { lastSuccessAt, lastSweepAt } = await state.entityStates.read('companies');
  expect(lastSuccessAt).toEqual(lastSweepAt);
  expect(lastSuccessAt).toBeInstanceOf(Date);
});
