import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { editSample } from '../../../../src/features/demo/sample/edit-sample.js';
import { seedSample, withClient } from '../../../../src/features/demo/sample/seed-sample.js';
import { entity } from '../../../../src/core/entities/index.js';
import {
  createSampleDatabase,
  createTestDatabase,
  SAMPLE_COUNTS,
  SAMPLE_FILE,
} from '../../../postgres/test-database.js';

const NAMES = ['companies', 'vacancies', 'institutions', 'trainings'] as const;
type Name = (typeof NAMES)[number];
type Row = Readonly<Record<string, string | null>>;

const CONFIG = path.resolve(import.meta.dirname, '../../../../config');

/** Every value as the text that Postgres prints, in the zone of the platform; keys without the padding of char(n). */
async function runQuery(url: string, name: Name): Promise<{ rows: Row[]; columns: string[] }> {
  const client = new pg.Client({ connectionString: url, types: { getTypeParser: () => String } });
  await client.connect();
  try {
    await client.query(`set timezone to 'Asia/Jakarta'`);
    const result = await client.query<Row>(readFileSync(path.join(CONFIG, 'queries', `${name}.sql`), 'utf8'));
    const rows = result.rows.map((row) => ({ ...row, key: row.key?.trimEnd() ?? null }));
    return { rows, columns: result.fields.map((field) => field.name) };
  } finally {
    await client.end();
  }
}

function lookupCodes(file: string): Set<string | null> {
  const lines = readFileSync(path.join(CONFIG, 'reference', file), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  return new Set(lines.map((line) => line.split(',')[0] ?? ''));
}

describe('the example queries on the sample', () => {
  let database: Awaited<ReturnType<typeof createSampleDatabase>>;
  const results: Partial<Record<Name, { rows: Row[]; columns: string[] }>> = {};
  const rowsOf = (name: Name): Row[] => results[name]?.rows ?? [];
  beforeAll(async () => {
    database = await createSampleDatabase();
    for (const name of NAMES) results[name] = await runQuery(database.url, name);
  });
  afterAll(() => database.drop());

  test.each(NAMES)('%s returns the promised number of rows with different keys', (name) => {
    expect(rowsOf(name)).toHaveLength(SAMPLE_COUNTS[name]);
    expect(new Set(rowsOf(name).map((row) => row.key)).size).toBe(SAMPLE_COUNTS[name]);
  });

  test.each(NAMES)('%s returns only columns of the contract, the required ones among them', (name) => {
    const contract = entity(name).columns;
    expect(contract.map((column) => column.name)).toEqual(
      expect.arrayContaining(results[name]?.columns ?? []),
    );
    const required = contract.filter((column) => column.required).map((column) => column.name);
    expect(results[name]?.columns).toEqual(expect.arrayContaining(required));
  });

  test.each([
    ['companies', 'industry', 'sample-industries.csv'],
    ['companies', 'region_id', 'cities.csv'],
    ['vacancies', 'industry', 'sample-industries.csv'],
    ['vacancies', 'job_type', 'sample-job-types.csv'],
    ['vacancies', 'job_function', 'sample-job-functions.csv'],
    ['vacancies', 'region_id', 'cities.csv'],
    ['vacancies', 'gender', 'sample-gender.csv'],
    ['vacancies', 'min_education', 'sample-education-levels.csv'],
    ['vacancies', 'marital', 'sample-marital.csv'],
    ['institutions', 'region_id', 'cities.csv'],
    ['trainings', 'region_id', 'cities.csv'],
    ['trainings', 'difficulty_level', 'sample-difficulty-levels.csv'],
  ] as const)('of %s, only broken records have a %s that is not in %s', (name, column, file) => {
    const codes = lookupCodes(file);
    const unknown = rowsOf(name)
      .filter((row) => typeof row[column] === 'string' && !codes.has(row[column]))
      .map((row) => row.key);
    const expected = database.broken
      .filter((each) => each.entity === name && each.column === column)
      .map((each) => each.key);
    expect(new Set(unknown)).toEqual(new Set(expected));
  });

  test('vacancies belong to companies of the companies query, except those that wait for a deleted one', () => {
    const companies = new Set(rowsOf('companies').map((row) => row.key));
    const orphans = rowsOf('vacancies').filter((row) => !companies.has(row.company_key ?? ''));
    const deleted = database.broken.filter((each) => each.reason === 'its company was deleted');
    expect(orphans.map((row) => row.key)).toEqual(deleted.map((each) => each.key));
  });

  test('records are wrong in the ways that the sample says', () => {
    const byKey = new Map(
      NAMES.flatMap((name) => rowsOf(name).map((row) => [`${name} ${row.key ?? ''}`, row])),
    );
    const value = (column: string) =>
      database.broken
        .filter((each) => each.column === column && each.expect !== 'waiting')
        .map((each) => byKey.get(`${each.entity} ${each.key}`)?.[column]);
    expect(value('name')).toEqual([null, '   ']);
    expect(value('title')).toEqual([null]);
    expect(value('latitude')).toEqual(['-617.500000']);
    expect(value('quota')).toEqual(['banyak', '2.5', 'sekitar 20']);
    expect(value('website')).toEqual(['instagram: @tokokami']);
    expect(value('client_url')).toEqual(['kirim lamaran lewat surel']);
  });

  test('texts hold HTML, and some deadlines are another day in UTC', () => {
    expect(rowsOf('vacancies')[0]?.description).toMatch(/<p>.*&amp;|<li>/s);
    expect(rowsOf('vacancies').some((row) => row.expire_at?.includes(' 00:30:00+07'))).toBe(true);
  });

  test('telephone numbers and addresses are not in use', async () => {
    const people = await database.query<{ telepon: string | null; surel: string | null }>(
      `select telepon, surel from kontak_perusahaan union all select telepon, surel from lembaga_pelatihan`,
    );
    const phones = people.flatMap(({ telepon }) => telepon ?? []);
    expect(phones.filter((phone) => !/^0\d{2,3}-555\d{4}$/.test(phone))).toEqual([]);
    const mails = people.flatMap(({ surel }) => surel ?? []);
    expect(mails.filter((mail) => !mail.endsWith('.example.co.id'))).toEqual([]);
  });

  test('a second sample of the same day is the same', async () => {
    const second = await createSampleDatabase();
    expect(second.broken).toEqual(database.broken);
    expect(await snapshot(second.url)).toEqual(await snapshot(database.url));
    await second.drop();
  });
});

describe('the sample', () => {
  test('leaves nothing behind when the database already has such tables', async () => {
    const database = await createTestDatabase();
    await database.query('create table lembaga_pelatihan (x int)');
    await expect(withClient(database.url, (client) => seedSample(client, SAMPLE_FILE))).rejects.toMatchObject(
      {
        code: '42P07',
      },
    );
    expect(await database.query(`select 1 from pg_tables where schemaname = 'public'`)).toHaveLength(1);
    await database.drop();
  });

  test('edited twice, changes exactly what the edits say, each time', async () => {
    const database = await createSampleDatabase();
    let before = await snapshot(database.url);
    for (let round = 0; round < 2; round += 1) {
      const edits = await withClient(database.url, editSample);
      const after = await snapshot(database.url);
      expect(edits.map(({ entity: name, key, action }) => `${action} ${name} ${key}`).sort()).toEqual(
        differences(before, after).sort(),
      );
      expect(edits.map((edit) => edit.action).sort()).toEqual([
        'changed',
        'changed',
        'changed',
        'new',
        'vanished',
      ]);
      before = after;
    }
    await database.drop();
  });
});

/** What the queries return: the row's JSON by entity and key. */
async function snapshot(url: string): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for (const name of NAMES) {
    for (const row of (await runQuery(url, name)).rows)
      all.set(`${name} ${row.key ?? ''}`, JSON.stringify(row));
  }
  return all;
}

function differences(before: Map<string, string>, after: Map<string, string>): string[] {
  const gone = [...before.keys()].filter((key) => !after.has(key)).map((key) => `vanished ${key}`);
  const other = [...after].filter(([key, row]) => before.get(key) !== row);
  return [...gone, ...other.map(([key]) => `${before.has(key) ? 'changed' : 'new'} ${key}`)];
}
