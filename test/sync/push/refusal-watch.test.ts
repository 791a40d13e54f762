import { expect, test } from 'vitest';
import type { SyncEvent } from '../../../src/domain/events.js';
import type { EntityState } from '../../../src/ports/runs.js';
import { createRefusalWatch } from '../../../src/sync/push/area-gate.js';
import { fakeClock } from '../../fake-time.js';
import { NOTHING_KNOWN, pushFixture } from './push-fixture.js';

/** A watch of companies that holds them after three refusals, and what is stored of them. */
async function watching(known: Partial<EntityState> = {}) {
  const world = {
    now: 0,
    stored: { ...NOTHING_KNOWN, fingerprint: 'first', ...known },
    events: [] as SyncEvent[],
  };
  const { state, settings, ...push } = pushFixture([]).options();
  const watch = await createRefusalWatch({
    ...push,
    state: {
      ...state,
      entityStates: {
        ...state.entityStates,
        read: () => Promise.resolve(world.stored),
        holdPush: (_fence, _entity, pushHold) => {
          world.stored = { ...world.stored, pushHold };
          return Promise.resolve();
        },
      },
    },
    entities: push.entities.filter(({ name }) => name === 'companies'),
    settings: { ...settings, guards: { ...settings.guards, maxRejectedInARow: 3 } },
    clock: fakeClock(
      () => 0,
      () => world.now,
    ),
    emit: (event) => world.events.push(event),
  });
  const refuse = async (times: number) => {
    for (let n = 0; n < times; n += 1) await watch.note('companies', `k${n}`, 'refused');
  };
  /** Late enough that what is stored is looked at again. */
  const refresh = async () => {
    world.now += 5_000;
    await watch.refresh();
  };
  return { watch, world, refuse, refresh };
}

test('under a mapping that comes while the push goes on, the count starts again', async () => {
  const { watch, world, refuse, refresh } = await watching();
  await refuse(2);
  world.stored = { ...world.stored, fingerprint: 'second' };
  await refresh();
  expect(watch.takeChanged(), 'what was counted under the first mapping is not written').toEqual([]);
  await refuse(2);
  expect(watch.isHeld('companies')).toBe(false);
  expect(watch.takeChanged()).toEqual([
    { entity: 'companies', fingerprint: 'second', refusedInARow: 2, acceptedOnce: false },
  ]);
  await refuse(1);
  expect(watch.isHeld('companies')).toBe(true);
});

test('an acceptance under the mapping before does not excuse what the new one has refused', async () => {
  const { watch, world, refuse, refresh } = await watching({ acceptedOnce: true });
  await refuse(9);
  expect(watch.isHeld('companies')).toBe(false);
  world.stored = { ...world.stored, fingerprint: 'second', acceptedOnce: false };
  await refresh();
  await refuse(3);
  expect(watch.isHeld('companies')).toBe(true);
});

test('an approval while the push goes on lifts the hold, and the refusals before it count no more', async () => {
  const { watch, world, refuse, refresh } = await watching();
  await refuse(3);
  watch.takeChanged();
  // One was still under way when it was held.
  await refuse(1);
  expect(watch.takeChanged()).toEqual([]);
  await refresh();
  expect(watch.isHeld('companies')).toBe(true);
  world.stored = { ...world.stored, pushHold: null, refusedInARow: 0 };
  await refresh();
  expect(watch.isHeld('companies')).toBe(false);
  await refuse(2);
  expect(watch.isHeld('companies')).toBe(false);
});

test('what is stored of the count under the same mapping does not replace what is known', async () => {
  const { watch, refuse, refresh } = await watching();
  await refuse(2);
  await refresh();
  await refuse(1);
  expect(watch.isHeld('companies')).toBe(true);
});
