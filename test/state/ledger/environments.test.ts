import { expect, test } from 'vitest';
import { entity } from '../../../src/entities/index.js';
import type { PlatformEnvironment } from '../../../src/ports/runs.js';
import { idOf, openTestState, says, wants } from '../open-test-state.js';

const JOBS: PlatformEnvironment = {
  area: 'jobs',
  baseUrl: 'https://one.example',
  clientId: 'a',
  namespace: idOf('n'),
};
const OTHER: PlatformEnvironment = { ...JOBS, baseUrl: 'https://two.example' };

test('an area is added once; adding does not change it', async () => {
  const { environments } = await openTestState();
  await environments.add([JOBS]);
  await environments.add([OTHER]);
  expect(await environments.read()).toEqual([JOBS]);
});

test('keeping changes the address and nothing of the records', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  await state.acceptAll();
  const before = await state.row('a');
  await state.environments.add([JOBS]);
  await state.environments.keep(state.push, [OTHER]);
  expect(await state.environments.read()).toEqual([OTHER]);
  expect(await state.row('a')).toEqual(before);
});

test('resetting forgets what the old platform held, of the named entities only', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'), wants('gone', '1'));
  await state.publish('institutions', wants('i', '1'));
  await state.acceptAll();
  await state.acceptAll('institutions');
  await state.publish('companies', says('vanished', 'gone'));
  await state.environments.add([JOBS]);
  expect(
    await state.environments.reset(state.push, [OTHER], [entity('companies'), entity('vacancies')]),
  ).toBe(1);
  expect(await state.row('gone')).toBeUndefined();
  expect(await state.row('a')).toMatchObject({
    reference: null,
    remote_id: null,
    acknowledged_hash: null,
    acknowledged_at: null,
    attempted_at: null,
  });
  expect(await state.row('i', 'institutions')).toMatchObject({ reference: 'ref-i' });
  expect((await state.entityStates.read('companies')).fingerprint).toBeNull();
  expect(await state.claim()).toHaveLength(1);
});

test('resetting under another namespace forgets the records, because their ids are no longer valid', async () => {
  const state = await openTestState();
  await state.environments.add([JOBS]);
  await state.publish('companies', wants('a', '1'));
  await state.publish('institutions', wants('i', '1'));
  await state.acceptAll();
  const renamed = { ...OTHER, namespace: idOf('m') };
  expect(
    await state.environments.reset(state.push, [renamed], [entity('companies'), entity('vacancies')]),
  ).toBe(0);
  expect(await state.row('a')).toBeUndefined();
  expect(await state.row('i', 'institutions')).toBeDefined();
  expect(await state.environments.read()).toEqual([renamed]);
});
