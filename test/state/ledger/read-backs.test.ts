import { expect, test } from 'vitest';
import { only, openTestState, TIMEOUT_MS, wants } from '../open-test-state.js';

test('a record is judged only while it is as it was read: not edited, not sent again, not under way', async () => {
  const state = await openTestState();
  const keys = ['same', 'edited', 'sent', 'open'];
  await state.publish('companies', ...keys.map((key) => wants(key, '1')));
  await state.acceptAll();
  const read = await state.readBacks.page('companies', 'settled', null, 10);
  expect(read.map(({ key }) => key).toSorted()).toEqual(keys.toSorted());

  // The same payload once more: only the time of its acceptance tells that the platform was asked before it.
  await state.resendRequests.resync('companies', ['sent'], TIMEOUT_MS);
  await state.acceptAll();
  await state.publish('companies', ...keys.map((key) => wants(key, key === 'edited' ? '2' : '1')));
  await state.acceptAll();
  await state.resendRequests.resync('companies', ['open'], TIMEOUT_MS);
  expect(only(await state.claim())).toMatchObject({ key: 'open' });

  const unchanged = await Promise.all(
    read.map(async (record) =>
      (await state.readBacks.isUnchanged('companies', record)) ? [record.key] : [],
    ),
  );
  expect(unchanged.flat()).toEqual(['same']);
});
