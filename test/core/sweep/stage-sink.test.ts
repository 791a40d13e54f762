import { expect, test } from 'vitest';
import { createStageSink } from '../../../src/core/sweep/sweep-entity.js';
import { openTestState, wants } from '../ledger/open-test-state.js';

const change = (key: string) => ({ finding: wants(key, '1'), known: null, row: null });

test('a read that begins again counts and stages anew: nothing of the first one is left', async () => {
  const state = await openTestState();
  const sink = createStageSink(state.staging, { fenced: (statement) => statement(state.sweep) }, 'companies');
  await sink.take([change('a'), change('b')]);
  await sink.take([change('c')]);
  await sink.restart();
  await sink.take([change('a')]);
  expect(await sink.finish()).toBe(1);
  expect(await state.sql('select key from placement_sync.staged_finding')).toEqual([{ key: 'a' }]);
});

test('a page that could not be staged ends the next step', async () => {
  const state = await openTestState();
  const sink = createStageSink(
    state.staging,
    { fenced: (statement) => statement({ ...state.sweep, token: state.sweep.token + 1n }) },
    'companies',
  );
  await sink.take([change('a')]);
  await expect(sink.finish()).rejects.toMatchObject({ code: 'lease-lost' });
});
