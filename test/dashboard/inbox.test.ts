import { expect, onTestFinished, test } from 'vitest';
import { createInbox } from '../../src/features/webhook/state/inbox.js';
import { createStateDatabase } from '../../src/core/ledger/database/state-database.js';
import { fixture, received, takeOverSql } from '../features/webhook/state/open-test-inbox.js';
import { linkTo, openTestDashboard, pageWords } from './open-test-dashboard.js';

const JOB = '0d7d1c9e-2f53-4a58-9a5e-6a1f0c6b7d21';

/** A dashboard, and the inbox of a worker. */
async function withInbox() {
  const dashboard = await openTestDashboard();
  const database = createStateDatabase({ url: dashboard.state.url, poolMax: 2, schema: 'placement_sync' });
  onTestFinished(() => database.close());
  await dashboard.state.sql(
    `insert into placement_sync.sync_state (entity, key, platform_id, remote_id) values ('vacancies', 'v/1', gen_random_uuid(), $1)`,
    [JOB],
  );
  return { ...dashboard, inbox: createInbox(database) };
}

test('each application is listed with time, vacancy, layout and version, without anything of the applicant', async () => {
  const { ask, inbox } = await withInbox();
  await inbox.store(received(fixture('applied-at')));
  await inbox.store(received(fixture('flat')));
  await inbox.store(received(fixture('cancelled')));
  const { text, status } = await ask('/inbox');
  expect(status).toBe(200);
  const words = pageWords(text);
  expect(words).toMatch(/! Unrecognised 1 .* flat 1 .* v\/1 applied-at 1/);
  expect(linkTo(text, 'v/1')).toBe('/record?entity=vacancies&key=v%2F1');
  for (const personal of [
    'Sari',
    'Dewi',
    'sari.dewi',
    'Budi',
    'Santoso',
    '0812',
    'Bandung',
    '1998',
    '1edd9893',
  ])
    expect(text).not.toContain(personal);
});

test('what a trigger refused is shown as not stored until it is stored', async () => {
  const { ask, inbox, state } = await withInbox();
  await state.sql(takeOverSql('insert into public.applicant (id) values (new.application_id)'));
  const webhook = received(fixture('applied-at'));
  for (const attempt of [1, 2]) {
    await expect(inbox.store(webhook), String(attempt)).rejects.toMatchObject({ code: 'state-failed' });
  }
  const failed = await ask('/inbox');
  expect(pageWords(failed.text)).toMatch(/Not stored .* v\/1 applied-at 2 .*SQLSTATE 42P01/);
  expect(failed.text).not.toMatch(/Sari|sari\.dewi|Bandung/);
  expect(pageWords(failed.text)).toContain('No job application has arrived.');
  await state.sql('create table public.applicant (id uuid)');
  expect(await inbox.store(webhook)).toBe('stored');
  const stored = pageWords((await ask('/inbox')).text);
  expect(stored).not.toContain('Not stored');
  expect(stored).toContain('v/1 applied-at');
});

test('the inbox goes on page by page, and refuses an address that it does not give', async () => {
  const { ask, state } = await withInbox();
  await state.sql(
    `insert into placement_sync.job_application (layout, request_id, request_timestamp, body, delivery_hash, vacancy_key)
     select 'unrecognised', 'r', now(), '{}', n::text, 'v' || n from generate_series(1, 120) n`,
  );
  const seen: string[] = [];
  let path = '/inbox';
  for (const size of [50, 50, 20]) {
    const { text } = await ask(path);
    const found = [...text.matchAll(/key=(v\d+)"/g)].map(([, key = '']) => key);
    expect(found).toHaveLength(size);
    seen.push(...found);
    if (size === 50) path = linkTo(text, 'Older job applications');
  }
  expect(new Set(seen).size).toBe(120);
  expect(seen.slice(0, 2), 'the latest first').toEqual(['v120', 'v119']);
  for (const odd of ['0', '-1', '1.5', 'x', '9'.repeat(19)])
    expect([odd, (await ask(`/inbox?before=${odd}`)).status]).toEqual([odd, 400]);
});

test('who reads the inbox stands among the actions, once an hour for each name', async () => {
  const { ask, state } = await openTestDashboard({
    token: 'a-long-random-text',
    admission: { tokens: [{ name: 'reader', token: 'a-token-of-a-reader', role: 'look' }] },
  });
  for (const token of ['a-token-of-a-reader', 'a-token-of-a-reader', 'a-long-random-text'])
    expect((await ask('/inbox', { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
  expect((await ask('/inbox')).status).toBe(401);
  const rows = () => state.operatorActions.list({ limit: 9 });
  expect((await rows()).map(({ who, action, outcome }) => [who, action, outcome])).toEqual([
    ['token', 'read-inbox', 'done'],
    ['reader', 'read-inbox', 'done'],
  ]);
  await state.sql(`update placement_sync.operator_action set at = at - interval '1 hour'`);
  await ask('/inbox', { headers: { authorization: 'Bearer a-token-of-a-reader' } });
  expect(await rows()).toHaveLength(3);
});
