import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { createTestDatabase, onServer, type TestDatabase } from '../../postgres/test-database.js';
import { SCHEMAS } from './schema-files.js';
import { draftFrom, openDatabase, type Tried } from './draft-world.js';

/** Names of columns that belong to people, seen without the code's own lists. */
const PERSONAL =
  'phone|telepon|telp|mobile|mail|passw|birth|lahir|nik$|npwp|ktp|director|owner|pic$|contact_person|recruiter|_hp$|token|activation_code|given_name|(created|updated|deleted)_by$|^contact$|verifikator|petugas_|approved_name|publisher_name|person$|moderator';

/**
 * A role that may read every column but those of people; of a table about people only that there are rows.
 *
 * @param people tables about people
 */
async function asStranger<T>(
  database: TestDatabase,
  people: readonly string[],
  work: (client: pg.Client) => Promise<T>,
) {
  const role = `stranger_${randomBytes(6).toString('hex')}`;
  const columns = await database.query<{ schema: string; table: string; column: string }>(
    `select n.nspname as schema, c.relname as table, a.attname as column from pg_attribute a
     join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'v', 'm', 'p') and a.attnum > 0 and not a.attisdropped and n.nspname !~ '^(pg_|information_schema)'`,
  );
  await database.query(`create role ${role} login password 'pw'`);
  onTestFinished(async () => {
    await database.drop();
    await onServer((client) => client.query(`drop role if exists ${role}`));
  });
  const quoted = (name: string) => `"${name}"`;
  let withheld = 0;
  for (const { schema, table, column } of columns) {
    await database.query(`grant usage on schema ${quoted(schema)} to ${role}`);
    const own = people.includes(table) || people.includes(`${schema}.${table}`);
    // Of people, only a key: rows may be counted.
    const readable = own ? column === 'id' : !new RegExp(PERSONAL, 'i').test(column);
    if (readable)
      await database.query(
        `grant select (${quoted(column)}) on ${quoted(schema)}.${quoted(table)} to ${role}`,
      );
    else withheld += 1;
  }
  expect(withheld).toBeGreaterThan(0);
  const url = new URL(database.url);
  url.username = role;
  url.password = 'pw';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
    await database.query(`drop owned by ${role}`);
  }
}

/** Statements of a draft that the server refuses to a role which may read no column of people. */
async function refused(
  database: TestDatabase,
  draft: Tried,
  people: readonly string[],
): Promise<readonly string[]> {
  const reading = draft.statements.filter(
    (sql) => !/pg_(class|attribute|constraint|roles|trigger|policy)|set_config|current_setting/.test(sql),
  );
  expect(reading.length).toBeGreaterThan(8);
  return await asStranger(database, people, async (client) => {
    const found: string[] = [];
    for (const sql of reading)
      await client.query(sql).catch((error: unknown) => {
        if ((error as { code?: string }).code === '42501') found.push(`${(error as Error).message}: ${sql}`);
      });
    return found;
  });
}

it('no statement reads a column of people, whatever stands beside, below and behind the records', async () => {
  const database = await openDatabase('people');
  await database.query('analyze');
  const draft = await draftFrom(database.url);
  expect(draft.tables).toEqual({ companies: 'company', vacancies: 'vacancy' });
  const people = ['app_user', 'applicants', 'member', 'contact', 'publisher', 'manager', 'petugas', 'agents'];
  expect(await refused(database, draft, people)).toEqual([]);
  expect([...draft.files.values(), ...draft.report].join('\n')).not.toMatch(/rahasia/i);
  // What they name themselves is drafted all the same.
  expect(draft.file('queries/companies.sql')).toMatch(/c\.phone +as phone/);
  expect(draft.file('reference/cities.csv')).toContain('Kota Depok');
});

it.each(SCHEMAS)('nor in the database %s', async (name) => {
  const folder = join(import.meta.dirname, './schemas', name);
  const database = await createTestDatabase();
  for (const file of ['schema.sql', 'data.sql'])
    await database.query(readFileSync(join(folder, file), 'utf8'));
  await database.query('analyze');
  expect(await refused(database, await draftFrom(database.url), [])).toEqual([]);
});
