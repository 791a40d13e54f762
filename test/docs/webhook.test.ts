import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { fixture, openTestInbox, received } from '../features/webhook/state/open-test-inbox.js';
import { deliver, openTestWebhook } from '../features/webhook/open-test-webhook.js';

const TEXT = readFileSync(new URL('../../docs/webhook.md', import.meta.url), 'utf8');

/** Blocks of SQL that follow this heading. */
function examples(heading: string): string[] {
  const section = TEXT.slice(TEXT.indexOf(heading)).split(/\n## /)[0] ?? '';
  return [...section.matchAll(/(?:^ {4}\S.*\n(?: {4,}.*\n)*)+/gm)].flatMap(([block]) =>
    block.split(/(?<=;)\n\s*\n/),
  );
}

test('docs/webhook.md names every column of the inbox, and no other', async () => {
  const { sql } = await openTestInbox();
  const columns = await sql<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = 'placement_sync' and table_name = 'job_application' order by 1`,
  );
  const table = /\| column(?:.*\n)+?\n/.exec(TEXT)?.[0] ?? '';
  const cells = table.split('\n').map((line) => line.split('|')[1] ?? '');
  const named = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
  expect(named.toSorted()).toEqual(columns.map(({ name }) => name));
});

test('the queries of docs/webhook.md run', async () => {
  const { inbox, sql } = await openTestInbox();
  await inbox.store(received(fixture('cancelled')));
  await inbox.store(received('{"a": "\\u0000"}'));
  const [latest = '', cancelled = ''] = examples('## The inbox');
  expect(await sql(latest)).toEqual([]);
  expect(await sql(cancelled)).toMatchObject([{ application_id: fixture('cancelled').id }]);
});

/** Fenced blocks of SQL that follow this heading. */
const fenced = (heading: string): string[] => {
  const section = TEXT.slice(TEXT.indexOf(heading)).split(/\n## /)[0] ?? '';
  return [...section.matchAll(/```sql\n(.*?)```/gs)].map(([, block = '']) => block);
};

test('the trigger of docs/webhook.md takes an application over, and its error is answered 503 and stores nothing', async () => {
  const test = await openTestWebhook();
  await test.sql('create schema hr');
  await test.sql(
    `create table hr.candidate (application_id uuid primary key, vacancy_id bigint, full_name text check (full_name <> 'Budi Santoso'),
       email text, skills text[], applied_at timestamptz)`,
  );
  await test.sql(fenced('## A table of your own')[0] ?? '');
  const post = (payload: object) => deliver(test.webhook.url, payload);
  expect((await post(fixture('applied-at'))).status).toBe(200);
  expect((await post(fixture('cancelled'))).status).toBe(200);
  expect(await test.sql('select * from hr.candidate')).toMatchObject([
    { full_name: 'Sari Dewi', skills: ['forklift_operation', 'inventory_management'] },
  ]);

  expect((await post(fixture('flat'))).status).toBe(503);
  expect(await test.rows()).toMatchObject([{ layout: 'applied-at' }, { layout: 'unrecognised' }]);
  expect(test.events.at(-1)?.message).toContain(
    'SQLSTATE 23514, schema hr, table candidate, constraint candidate_full_name_check',
  );
  expect(test.events.at(-1)?.message).not.toContain('Budi');
  await test.sql('alter table hr.candidate drop constraint candidate_full_name_check');
  expect((await post(fixture('flat'))).status).toBe(200);
  expect(await test.sql('select full_name from hr.candidate order by 1')).toEqual([
    { full_name: 'Budi Santoso' },
    { full_name: 'Sari Dewi' },
  ]);
});

test('the query of docs/webhook.md for statuses gives the latest application of each person', async () => {
  const { inbox, sql, vacancy } = await openTestInbox();
  await vacancy('42', { remoteId: '0d7d1c9e-2f53-4a58-9a5e-6a1f0c6b7d21' });
  const [first, second] = [randomUUID(), randomUUID()];
  const apply = (id: string, applied_at: string) =>
    inbox.store(received({ ...fixture('applied-at'), id, applied_at }));
  await apply(second, '2026-03-02 08:00:00');
  // Delivered late.
  await apply(first, '2026-03-01 08:00:00');
  await sql('create schema hr');
  await sql('create table hr.hiring (id int, vacancy_id int, email text, status text)');
  await sql(
    `insert into hr.hiring values (1, 42, 'SARI.dewi@example.com', 'hired'), (2, 42, 'nobody@example.com', 'hired'), (3, 43, 'sari.dewi@example.com', 'hired')`,
  );
  expect(await sql(fenced('## The status of an application')[0] ?? '')).toEqual([
    { key: second, status: 'hired' },
  ]);
});
