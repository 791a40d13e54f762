import { expect, it, onTestFinished } from 'vitest';
import { platformReferences } from '../../../src/cli/compose/configured-entities.js';
import { withReadOnly } from '../../../src/source/with-read-only.js';
import { draft } from '../../../src/onboarding/init/draft.js';
import { lateLines, noteLate } from '../../../src/onboarding/init/late.js';
import { look } from '../../../src/onboarding/init/look.js';
import { rank } from '../../../src/onboarding/init/rank.js';
import { createTestDatabase } from '../../postgres/test-database.js';

it('a text that could not be counted is still a question, and what was not begun is counted', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  await database.query(`
    create table company (id int primary key, name text not null);
    create table vacancy (id int primary key, company_id int not null references company, title text not null, status text,
      is_live boolean);
    insert into company values (1, 'PT Satu');
    insert into vacancy values (1, 1, 'Kasir', 'live', true)`);
  const options = { url: database.url, statementTimeoutMs: 60_000 };
  const catalog = await withReadOnly(options, look);
  const ranking = rank(catalog);
  const chosen = new Map([...ranking].flatMap(([entity, [first]]) => (first ? [[entity, first.table]] : [])));
  const late = { stopped: 0, unbegun: 0 };
  const drafted = await withReadOnly({ ...options, attemptForMs: -1 }, (read) =>
    draft(noteLate(read, late), catalog, { chosen, ranking, references: platformReferences() }),
  );
  const query = drafted.files.get('queries/vacancies.sql');
  expect(query).toContain('-- decide: which rows are published? status: not counted');
  expect(query).toContain('-- decide: which rows are published? is_live: not counted');
  expect(drafted.report).toContain('  - which rows are published? status: not counted');
  // It did not refuse the query, it was not asked.
  expect(drafted.report.filter((line) => line.includes('takes the query'))).toEqual([
    '  - whether the server takes the query could not be seen in time',
    '  - whether the server takes the query could not be seen in time',
  ]);
  expect(drafted.report.filter((line) => line.includes('does not take'))).toEqual([]);
  expect(late.unbegun).toBeGreaterThan(4);
  expect(late.stopped).toBe(0);
});

it('counts what the server stopped, and nothing that it refused', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const late = { stopped: 0, unbegun: 0 };
  await withReadOnly({ url: database.url, statementTimeoutMs: 50 }, async (read) => {
    const noting = noteLate(read, late);
    await noting.attempt('select pg_sleep(60)');
    await noting.attempt('select 1 / 0');
    expect(await noting.attempt('select 1 as one')).toEqual({ rows: [{ one: 1 }] });
  });
  expect(late).toEqual({ stopped: 1, unbegun: 0 });
});

it('says in plain words what was too late, and nothing where nothing was', () => {
  const limits = { statementMs: 10_000, wholeMs: 300_000 };
  expect(lateLines({ stopped: 0, unbegun: 0 }, limits)).toEqual([]);
  expect(lateLines({ stopped: 1, unbegun: 0 }, limits)).toEqual([
    '',
    'The database did not answer everything in time, so this draft lacks what was not seen: values, counts, codes, lookups.',
    '  - one statement was stopped after 10 seconds',
    'Draft again into another folder (--out DIR) when the database has less to do, or from a replica.',
  ]);
  expect(lateLines({ stopped: 0, unbegun: 1_200 }, limits)).toContain(
    '  - 1,200 statements were not begun, because the 5 minutes for all of them were over',
  );
});
