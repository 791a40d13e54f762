import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fixture, openTestInbox, received } from '../state/open-test-inbox.js';

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

test('the statement of docs/webhook.md takes an application over', async () => {
  const test = await openTestInbox();
  await test.sql('create schema hr');
  await test.sql(
    `create table hr.candidate (application_id uuid primary key, vacancy_id bigint, full_name text, email text,
       skills text[], applied_at timestamptz)`,
  );
  const [statement = ''] = examples('## A statement of your own');
  const inbox = test.with({ statement });
  await inbox.checkStatement();
  await inbox.store(received(fixture('applied-at')));
  expect(await test.sql('select * from hr.candidate')).toMatchObject([
    { full_name: 'Sari Dewi', skills: ['forklift_operation', 'inventory_management'] },
  ]);
});
