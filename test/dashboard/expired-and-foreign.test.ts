import { expect, test } from 'vitest';
import { says, wants } from '../state/open-test-state.js';
import { openTestDashboard } from './open-test-dashboard.js';

test('the overview says how many vanished vacancies had expired, and how many rows are foreign', async () => {
  const { ask, state } = await openTestDashboard();
  await state.publish('vacancies', wants('a', '1'), wants('b', '1'), wants('c', '1'));
  await state.acceptAll('vacancies');
  await state.publish('vacancies', { ...says('vanished', 'a'), expired: true }, says('vanished', 'b'));
  await state.sql(
    `insert into placement_sync.entity_state (entity, foreign_rows) values ('application-statuses', 12)
     on conflict (entity) do update set foreign_rows = excluded.foreign_rows`,
  );
  const { text } = await ask('/');
  expect(text).toContain('Of the vanished records 1 had expired: their last day was over.');
  expect(text).toContain(
    '12 more rows are for applications that the webhook never received (foreign). Not sent.',
  );
  const indonesian = (await ask('/?lang=id')).text;
  expect(indonesian).toContain('1 sudah kedaluwarsa');
  expect(indonesian).toContain('12 baris lain untuk lamaran');
});

test('a list names the last day of a vacancy that expired', async () => {
  const { ask, state } = await openTestDashboard();
  await state.publish('vacancies', wants('a', '1'));
  await state.acceptAll('vacancies');
  await state.sql(
    `update placement_sync.sync_state set desired_payload = jsonb_build_object('title', 'T', 'expire_at', '2020-01-31')`,
  );
  await state.publish('vacancies', { ...says('vanished', 'a'), expired: true });
  const { text } = await ask('/records?entity=vacancies&status=vanished');
  expect(text).toContain('Expired: its last day was 2020-01-31.');
});
