import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { draftFrom, filledBy, type Tried } from './draft-world.js';

describe('draft times', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  /** The draft of classes, or of vacancies, with these columns and, in each row, these values. */
  async function withColumns(table: 'class' | 'vacancy', columns: string, values: string): Promise<Tried> {
    await database.query(`drop table if exists class, vacancy;
    create table ${table} (id int primary key, title text not null, ${columns});
    insert into ${table} select g, 'Las ' || g, ${values} from generate_series(1, 40) g`);
    return await draftFrom(database.url);
  }

  const NOON = Date.UTC(2027, 2, 1, 5) / 1000;

  it.each([
    ['', '', 'seconds'],
    ['000', ' / 1000.0', 'milliseconds'],
  ])('makes times of numbers since 1970 (%s): 0 is none', async (zeros, divisor, unit) => {
    const draft = await withColumns(
      'class',
      'regopendate bigint, regclosedate bigint, begin_at bigint, timefinish numeric, seats int',
      `${String(NOON)}${zeros}, case g % 2 when 0 then 0 else ${String(NOON)}${zeros} end, ${String(NOON)}${zeros}, ${String(NOON)}${zeros}, 20`,
    );
    const query = draft.file('queries/trainings.sql');
    expect(filledBy(query, 'expired_date')).toBe(`to_timestamp(nullif(t.regclosedate, 0)${divisor})`);
    expect(filledBy(query, 'start_date')).toBe(`to_timestamp(nullif(t.begin_at, 0)${divisor})`);
    expect(filledBy(query, 'finish_date')).toBe(`to_timestamp(nullif(t.timefinish, 0)${divisor})`);
    expect(filledBy(query, 'quota')).toBe('t.seats');
    expect(query).toContain(`-- decide: a number of ${unit} since 1970 by its values`);
    expect(draft.said(`class.begin_at: a number of ${unit} since 1970`)).toHaveLength(1);
    const rows = await database.query<{ expired_date: Date | null; start_date: Date }>(
      `select * from (${query}) q order by key limit 2`,
    );
    expect(rows.map(({ expired_date }) => expired_date)).toEqual([new Date(NOON * 1000), null]);
    expect(rows[0]?.start_date).toEqual(new Date(NOON * 1000));
  });

  it('compares a number of seconds with the present time', async () => {
    const draft = await withColumns(
      'vacancy',
      'expires int',
      `extract(epoch from now())::int + (g - 20) * 86400 + 100`,
    );
    const query = draft.file('queries/vacancies.sql').replace('-- and (to_timestamp', 'and (to_timestamp');
    expect(await database.query(query)).toHaveLength(21);
  });

  it('makes no time of other numbers', async () => {
    const draft = await withColumns('vacancy', 'expires int, salary_start bigint', '20270301, 1000000000');
    const query = draft.file('queries/vacancies.sql');
    expect(query).not.toContain('to_timestamp');
    expect(filledBy(query, 'min_salary_amount')).toBe('v.salary_start');
  });

  it('leaves out the days that are over by the calendar of a stated zone, whatever that of the session is', async () => {
    const draft = await withColumns(
      'vacancy',
      'closes_on date',
      `cast(now() at time zone 'Asia/Jakarta' as date) + g - 20`,
    );
    const vacancies = draft.file('queries/vacancies.sql').replace('-- and (v.closes_on', 'and (v.closes_on');
    // At any time one of these two has another day than Jakarta.
    for (const zone of ['Etc/GMT+12', 'Pacific/Kiritimati']) {
      const client = new pg.Client({ connectionString: database.url, options: `-c TimeZone=${zone}` });
      await client.connect();
      const { rows } = await client.query(vacancies).finally(() => client.end());
      expect(rows, zone).toHaveLength(21);
    }
    expect(draft.said('a day or time without zone').length + draft.said('closes_on').length).toBeGreaterThan(
      0,
    );
  });

  it.each([
    ['class', 'code text', `'W' || g || '-2026'`, 'class: code contain a year'],
    ['class', 'idnumber text', `'CRS-' || g || '/2026'`, 'class: idnumber contain a year'],
    ['class', 'slug text', `'2026-las-' || chr(65 + g)`, 'class: slug contain a year'],
  ] as const)('asks about ids that are renewed: %s %s %s', async (table, columns, values, said) => {
    expect((await withColumns(table, columns, values)).said(said)).toHaveLength(1);
  });

  it('asks about titles with a year', async () => {
    await database.query(`drop table if exists class, vacancy;
    create table class (id int primary key, title text not null);
    insert into class select g, 'Las ' || g || case when g > 20 then ' (2025)' else '' end from generate_series(1, 40) g`);
    expect((await draftFrom(database.url)).said('class.title: 20 of 40 values contain a year')).toHaveLength(
      1,
    );
  });

  it.each([
    ['vacancy', `'VAC-2026-' || lpad(g::text, 4, '0')`, 0],
    ['class', `'TRN/2026/' || lpad(g::text, 3, '0')`, 0],
    ['class', `'W' || g || '-2026'`, 1],
  ] as const)('asks about a key of %s like %s: %d', async (table, key, times) => {
    await database.query(`drop table if exists class, vacancy;
    create table ${table} (no text primary key, title text not null);
    insert into ${table} select ${key}, 'Las ' || g from generate_series(1, 40) g`);
    expect((await draftFrom(database.url)).said('the keys contain a year or cycle')).toHaveLength(times);
  });

  it.each(['wage_period', 'contract_period', 'trial_period', 'notice_period', 'year_of_experience'])(
    'a %s is no cycle of the records',
    async (column) => {
      const draft = await withColumns('vacancy', `${column} int, slug text`, `1, 'las-' || g`);
      expect(draft.said('ids are renewed')).toEqual([]);
    },
  );

  it('a school year is', async () => {
    const draft = await withColumns(
      'class',
      'academic_year int, no_ref text, code text, slug text',
      `2025 + g % 2, case when g > 5 then 'R' || g end, 'K' || g / 4, 'las-' || g / 2`,
    );
    expect(draft.said('rows have an academic_year').join()).toContain('renewed: slug is filled in each row');
    const other = await withColumns('class', 'academic_year int, code text', `2026, 'K' || g / 4`);
    expect(other.said('rows have an academic_year').join()).toContain('no code of it is filled in each row');
    // Codes of something else are none of the record's.
    await database.query('drop table if exists place, class; create table place (code text primary key)');
    await database.query(
      'create table class (no int primary key, title text, academic_year int, place_code text references place)',
    );
    await database.query(`insert into class select g, 'Las ' || g, 2026 from generate_series(1, 40) g`);
    expect((await draftFrom(database.url)).said('rows have an academic_year')).toEqual([]);
  });
});

describe('draft places', () => {
  let database: TestDatabase;
  let draft: Tried;

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query(`
    create table vacancy (id int primary key, title text not null, location text);
    insert into vacancy select g, 'Kasir ' || g,
      case when g <= 50 then 'Depok, Indonesia' when g <= 60 then 'Jurong, Singapore' when g <= 95 then 'Bandung' end
      from generate_series(1, 100) g`);
    draft = await draftFrom(database.url);
  });

  it('of "City, Country", a text without a comma is a city at home', async () => {
    const rows = await database.query(
      `select region_id, region_country_code, count(*)::int as count from (${draft.file('queries/vacancies.sql')}) q
     group by 1, 2 order by 3 desc`,
    );
    expect(rows).toEqual([
      { region_id: 'Depok', region_country_code: 'Indonesia', count: 50 },
      { region_id: 'Bandung', region_country_code: null, count: 35 },
      { region_id: null, region_country_code: 'Singapore', count: 10 },
      { region_id: null, region_country_code: null, count: 5 },
    ]);
  });

  it('asks whether that is right, in the file and in the report', () => {
    const text = 'a text without a comma counts as a city at home';
    expect(draft.file('queries/vacancies.sql').replaceAll(/\s+--\s+/g, ' ')).toContain(text);
    expect(draft.said(text)).toHaveLength(1);
  });
});
