import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { entity } from '../../../src/core/entities/index.js';
import type { DoctorEntity } from '../../../src/features/doctor/finding.js';
import { inspectEntity } from '../../../src/features/doctor/read/inspect-entity.js';
import { readSource } from '../../../src/features/doctor/read/read-source.js';
import { createTestDatabase } from '../../postgres/test-database.js';
import { collect, openTestSource, queryOf } from '../../core/source/source-fixture.js';

/** A database, and doctor's inspection of one query there. */
async function openInspection(sql: string, tables = '') {
  const database = await createTestDatabase();
  if (tables !== '') await database.query(tables);
  const options = { url: database.url, statementTimeoutMs: 10_000 };
  const companies: DoctorEntity = {
    ...entity('companies'),
    query: queryOf(sql),
    mapContext: {
      lookups: {},
      plainText: [],
      required: [],
      namespace: '6f1a3c1e-9d6c-4b58-8f5e-2a4f4d1b7c11',
    },
    requireInbox: false,
    onVanished: 'report',
  };
  const settings = {
    source: {
      ...options,
      timeZone: null,
      sessionTimeZone: null,
      rowSecurity: 'refuse' as const,
      maxReplicaLagMs: null,
    },
    references: new Map(),
    platformTimeZone: 'Asia/Jakarta',
    maxInvalidPercent: 20,
    today: '2030-01-01',
  };
  const inspect = async (attemptForMs = 60_000) => {
    const catalog = await readSource(options, () => Date.now());
    return inspectEntity(companies, { ...options, attemptForMs, catalog, settings });
  };
  return { database, inspect };
}

test('when the time for a query is over, no further statement about it begins, and each fact says why it is missing', async () => {
  const { inspect } = await openInspection(
    'select a.id as key from a, b where a.id = b.a_id',
    'create table a (id int primary key, status text); create table b (a_id int)',
  );
  const late = { cause: 'it took too long' };
  expect(await inspect(-1)).toMatchObject({
    ...{ plan: late, stable: late },
    losses: { value: { losses: [], unseen: ['the joins of a (it took too long)'] } },
  });
  expect(await inspect()).toMatchObject({
    losses: { value: { losses: [], unseen: [] } },
    stable: { value: true },
  });
});

/** The statements that somebody sends to Postgres. */
async function statementsOf(work: () => Promise<unknown>) {
  const send = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    return send.mock.calls.map(([query]) => query as unknown as { text: string; values?: string[] });
  } finally {
    send.mockRestore();
  }
}

test('what is explained and compared are the statements of a run, in a session with the same settings', async () => {
  const sql = `select n as key, 'Company ' || n as name, localtimestamp as about from generate_series(1, 9) n`;
  const { database, inspect } = await openInspection(sql);
  const source = openTestSource(database.url);
  const byRun = await statementsOf(() =>
    source.read(queryOf(sql), async (reader) => {
      await reader.digest();
      await collect(reader.allRows());
    }),
  );
  await source.close();
  const byDoctor = await statementsOf(() => inspect());

  const digest = byRun.find(({ text }) => text.includes('as null_keys'))?.text ?? '';
  const rows = byRun.find(({ text }) => text.startsWith('declare'))?.text.replace(/^declare \w+ /, '') ?? '';
  expect(digest).toContain('record_send');
  const texts = byDoctor.map(({ text }) => text);
  expect(texts.filter((text) => text === digest)).toHaveLength(2);
  const explained = texts.filter((text) => text.startsWith('explain (format json, verbose) '));
  expect(explained.map((text) => text.replace(/^explain \(.*?\) (declare \w+ )?/, ''))).toEqual([
    digest,
    rows,
  ]);

  /** What a session for one query sets; the last transaction is that. */
  const settingsOf = (statements: typeof byRun) =>
    JSON.parse(
      statements.findLast(({ text }) => text.includes('json_each_text'))?.values?.[0] ?? '{}',
    ) as Record<string, string>;
  const { statement_timeout: _, row_security: hidden, ...settings } = settingsOf(byRun);
  expect(hidden).toBe('off');
  expect(settings.datestyle).toBe('ISO, YMD');
  expect(settingsOf(byDoctor)).toEqual({ ...settings, statement_timeout: '10000' });
});

test('rows whose text is the same in the session of psql, and which a run would send again, are different rows', async () => {
  // 0.30000000000000004 and 0.3: the plan decides which, and the setting of an old application hides it.
  const sum = `case current_setting('enable_hashagg') when 'on' then 0.1::float8 + 0.2::float8 else 0.3::float8 end`;
  const { database, inspect } = await openInspection(`select 1 as key, ${sum} as name`);
  await database.query(`alter database ${database.name} set extra_float_digits = 0`);
  expect(await inspect()).toMatchObject({ stable: { value: false } });
});

test('rows with a version of their own are the same as long as it is', async () => {
  const plan = `current_setting('enable_hashagg') as name`;
  const versioned = await openInspection(`select 1 as key, 'v1' as row_version, ${plan}`);
  expect(await versioned.inspect()).toMatchObject({ stable: { value: true } });
  const plain = await openInspection(`select 1 as key, ${plan}`);
  expect(await plain.inspect()).toMatchObject({ stable: { value: false } });
});

test('a query without a key has no statement of a run, and says so', async () => {
  const { inspect } = await openInspection(`select 'PT Satu' as name`);
  const none = { cause: 'the query returns no key' };
  expect(await inspect()).toMatchObject({ plan: none, stable: none, columns: { value: [{ name: 'name' }] } });
});
