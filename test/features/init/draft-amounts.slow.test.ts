import { beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { draftFrom, filledBy, type Tried } from './draft-world.js';

describe('draft amounts', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query(`create table employer (id int primary key, name text not null, city text);
    insert into employer select g, 'PT ' || g, 'Kota Depok' from generate_series(1, 10) g`);
  });

  /** The draft of vacancies with these columns and, in each row, these values. */
  async function withColumns(columns: string, values: string): Promise<Tried> {
    await database.query(`drop table if exists vacancy;
    create table vacancy (id int primary key, employer_id int not null references employer, title text not null, ${columns});
    insert into vacancy select g, 1 + g % 10, 'Kasir ' || g, ${values} from generate_series(1, 40) g`);
    return await draftFrom(database.url);
  }

  async function amountsOf(draft: Tried): Promise<Readonly<Record<string, unknown>> | undefined> {
    const query = draft.file('queries/vacancies.sql');
    const names = ['min_salary_amount', 'max_salary_amount', 'min_salary_currency', 'max_salary_currency'];
    const list = names.filter((name) => filledBy(query, name) !== undefined);
    if (list.length === 0) return {};
    const [row] = await database.query<Record<string, unknown>>(
      `select ${list.map((name) => `${name}::text`).join(', ')} from (${query}) q order by key limit 1`,
    );
    return row && Object.fromEntries(list.map((name) => [name, row[name]]));
  }

  it.each([
    ['show_pay_range smallint', 'g % 2', {}],
    ['hide_wage int', '0', {}],
    ['salary int', 'g % 2', {}],
    [
      'display_wage_range int, wage_bottom numeric(21, 9), wage_top numeric(21, 9), ccy text',
      `g % 2, 5000000, 7000000, 'IDR'`,
      {
        min_salary_amount: '5000000.000000000',
        max_salary_amount: '7000000.000000000',
        min_salary_currency: 'IDR',
        max_salary_currency: 'IDR',
      },
    ],
  ])('a flag is no amount: %s', async (columns, values, expected) => {
    expect(await amountsOf(await withColumns(columns, values))).toEqual(expected);
  });

  it.each([
    ['wage int, pay_low int, pay_high int', 'pay_low', 'pay_high'],
    ['salary_begin int, salary_end int, income int', 'salary_begin', 'salary_end'],
    ['gaji_terendah int, gaji_tertinggi int, upah_max int', 'gaji_terendah', 'gaji_tertinggi'],
  ])('both ends come from columns that belong together: %s', async (columns, low, high) => {
    const values = columns.split(',').map((_, at) => String(4_000_000 + at));
    const query = (await withColumns(columns, values.join(', '))).file('queries/vacancies.sql');
    expect(filledBy(query, 'min_salary_amount')).toBe(`v.${low}`);
    expect(filledBy(query, 'max_salary_amount')).toBe(`v.${high}`);
  });

  it('only offers a range without a word for pay', async () => {
    const draft = await withColumns(
      'lower_amount int, upper_amount int, currency text',
      `4000000, 6000000, 'IDR'`,
    );
    const query = draft.file('queries/vacancies.sql').replaceAll(/\s+--\s+/g, ' ');
    expect(query).toContain('decide: is lower_amount the pay? Its name does not say so');
    expect(query).toContain('decide: is upper_amount the pay?');
  });

  it('asks for the month of pay by the year, and whether hidden pay is kept back, with the SQL', async () => {
    const draft = await withColumns(
      'salary_min int, salary_per text, publish_salary boolean',
      `4000000, (array['Month', 'Year'])[1 + g % 2], g % 4 = 0`,
    );
    const query = draft.file('queries/vacancies.sql').replaceAll(/\s+--\s+/g, ' ');
    expect(query).toContain(
      "decide: salary_per ('Month' 20 · 'Year' 20) is the period of the pay, and the platform shows pay by the month",
    );
    expect(query).toContain('decide: publish_salary (false 30 · true 10): is pay kept back there?');
    expect(filledBy(draft.file('queries/vacancies.sql'), 'min_salary_amount')).toBe(
      "case when v.publish_salary then round(v.salary_min * case v.salary_per when 'Year' then 1.0 / 12 else 1 end) end",
    );
  });

  it.each(['bill_rate_max numeric', 'rate_max numeric', 'fee_rate_max int', 'charge_rate_high int'])(
    'what a client may be billed is only offered: %s',
    async (column) => {
      const [name = ''] = column.split(' ');
      const draft = await withColumns(column, '4000000');
      const query = draft.file('queries/vacancies.sql');
      expect(filledBy(query, 'max_salary_amount')).toBe(`-- v.${name}`);
      expect(query.replaceAll(/\s+--\s+/g, ' ')).toContain(`decide: ${name} may be what a client is billed`);
      expect(draft.said(`- ${name} may be what a client is billed`)).toHaveLength(1);
      // A person who agrees uncomments it.
      await database.query(query.replace(`-- v.${name} as`, `v.${name} as`));
    },
  );

  it('a pay rate is paid', async () => {
    const query = (await withColumns('pay_rate_min int, pay_rate_max int', '4000000, 6000000')).file(
      'queries/vacancies.sql',
    );
    expect(filledBy(query, 'max_salary_amount')).toBe('v.pay_rate_max');
  });

  it.each(['notes', 'internal_description', 'remarks', 'catatan', 'memo'])(
    'a text for colleagues is only offered: %s',
    async (name) => {
      const draft = await withColumns(`${name} text`, `'They pay late'`);
      const query = draft.file('queries/vacancies.sql');
      expect(await database.query(`select * from (${query}) q limit 1`)).toEqual([
        expect.not.objectContaining({ description: expect.anything() as unknown }),
      ]);
      expect(draft.said(`- ${name} may be meant for colleagues; is it public?`)).toHaveLength(1);
      expect(filledBy(query, 'description')).toBe(`-- v.${name}`);
    },
  );

  it('no column that fills something else stands in for a text for colleagues', async () => {
    const draft = await withColumns(
      'requirements jsonb',
      `jsonb_build_object('notes', 'Be on time', 'wheelchair', 'true')`,
    );
    const query = draft.file('queries/vacancies.sql');
    expect(filledBy(query, 'qualification')).toMatch(/^-- .*'notes'/);
    expect(filledBy(query, 'disability_allowed')).toContain("'wheelchair'");
  });

  it('a text for colleagues is not offered where another text is public', async () => {
    const draft = await withColumns('notes text, body text', `'They pay late', 'Work'`);
    expect(filledBy(draft.file('queries/vacancies.sql'), 'description')).toBe('v.body');
    expect(draft.said('colleagues')).toEqual([]);
  });

  it.each([
    ['no_telp int', '812345600 + g'],
    ['contact_number int', '2'],
    ['position_number int', 'g'],
    ['total int', '3'],
    ['job_no int', 'g'],
    ['jumlah int', '3'],
    ['vacancy_count int', '0'],
    ['quota int', '5000000'],
  ])('what may be no number of places is only offered as quota: %s', async (column, value) => {
    const [name = ''] = column.split(' ');
    const query = (await withColumns(column, value)).file('queries/vacancies.sql');
    expect([undefined, `-- v.${name}`]).toContain(filledBy(query, 'quota'));
  });

  it.each([
    'quota int',
    'kuota int',
    'openings int',
    'vacancies_count int',
    'jumlah_lowongan int',
    'headcount int',
  ])('a number of places is the quota: %s', async (column) => {
    const [name = ''] = column.split(' ');
    const query = (await withColumns(column, '1 + g % 5')).file('queries/vacancies.sql');
    expect(filledBy(query, 'quota')).toBe(`v.${name}`);
  });

  it.each([
    ['pay_from int, pay_to int', '18, 45', '-- v.pay_from'],
    ['salary_min int, salary_max int', '4, 6', '-- v.salary_min'],
    ['salary_min int, salary_max int', '4000000, 6000000', 'v.salary_min'],
    ['salary_min int, salary_max int, salary_currency text', `4000, 6000, 'USD'`, 'v.salary_min'],
  ])('ages and millions are no pay until a person says so: %s as %s', async (columns, values, expected) => {
    const query = (await withColumns(columns, values)).file('queries/vacancies.sql');
    expect(filledBy(query, 'min_salary_amount')).toBe(expected);
  });
});

describe('draft values', () => {
  let database: TestDatabase;
  let draft: Tried;

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query(`
    create table company (id int primary key, name text not null, city_code text, status text);
    insert into company select g, 'PT ' || g, '3174', case g % 3 when 0 then 'aktif' else 'tutup' end from generate_series(1, 30) g;
    create table kind (code text primary key, name text);
    insert into kind values ('PT', 'Pegawai Tetap'), ('FT', '+Penuh waktu');
    create table vacancy (id int primary key, company_id int references company, title text not null,
      job_type text references kind, status int);
    insert into vacancy select g, g, 'Kasir ' || g, case g % 2 when 0 then 'PT' else 'FT' end, g % 20
      from generate_series(1, 30) g`);
    draft = await draftFrom(database.url);
  });

  it('takes no city by a number alone, and asks whose code it is', () => {
    expect(draft.file('reference/cities.csv').split('\n')[1]).toMatch(
      /^3174,,,60,"ambiguous: KOTA ADM\. JAKARTA SELATAN in the list of the Ministry of Home Affairs;/,
    );
    expect(draft.said('reference/cities.csv')[0]).toContain('0 of 1 codes (1 ambiguous); 0 of 30 companies');
  });

  it('takes an id by the name of a code, not by the code', () => {
    const [, ...lines] = draft.file('reference/job-types.csv').trimEnd().split('\n');
    expect(lines).toEqual([
      "FT,0dc1aaf7-9935-442b-ab32-8bae23284af9,'+Penuh waktu,15,",
      'PT,,Pegawai Tetap,15,',
    ]);
  });

  it('a condition that is uncommented as it stands keeps what it says', async () => {
    const query = draft.file('queries/companies.sql');
    const kept = /keeps (\d+) of 30 today/.exec(query.replaceAll(/\s+--\s+/g, ' '))?.[1];
    const rows = await database.query(query.replace(/-- (and c\.status in \(.*\))/, '$1'));
    expect(String(rows.length)).toBe(kept);
    expect(rows.length).toBeLessThan(30);
    // Of more values than are shown no list is offered.
    expect(draft.file('queries/vacancies.sql')).not.toMatch(/-- and v\.status/);
    expect(draft.said('… 4 more values')).toHaveLength(1);
  });
});

describe('draft choices', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query(`
    create table company (id int primary key, name text not null, city text, terms jsonb);
    create table vacancy (id int primary key, company_id int not null references company, title text not null, city text,
      closes_at timestamp, body jsonb);
    insert into company select g, 'PT ' || g, 'Kota Depok', null from generate_series(1, 20) g;
    insert into vacancy select g, 1 + g % 20, 'Kasir ' || g, case g % 3 when 0 then 'Kota Bogor' when 1 then '  ' end,
      now() at time zone 'Asia/Jakarta' + make_interval(mins => g * 30 - 615), jsonb_build_object('id', case when g % 2 = 0 then '' else 'Teks' end, 'en', 'Text')
      from generate_series(1, 40) g`);
  });

  /** Draft of these offices: one is the head office, and it is not the first by its key. */
  async function withOffices(columns: string, branch: string, head: string): Promise<Tried> {
    await database.query(`drop table if exists company_office cascade;
    drop type if exists office_sort; create type office_sort as enum ('branch', 'head_office');
    create table company_office (id serial primary key, company_id int not null references company, street text, postal_code text, ${columns});
    insert into company_office (company_id, street, postal_code, ${columns.split(' ')[0] ?? ''})
      select g, 'Branch ' || g, '1' || g, ${branch} from generate_series(1, 20) g union all
      select g, 'Head ' || g, '2' || g, ${head} from generate_series(1, 20) g union all
      select g, 'Later ' || g, '3' || g, null from generate_series(1, 20) g`);
    return await draftFrom(database.url);
  }

  it.each([
    ['is_head_office boolean', 'false', 'true'],
    ['is_primary smallint', '0', '1'],
    ['is_main char(1)', "'N'", "'Y'"],
  ])('takes the address of the head office by %s, and says so', async (columns, branch, head) => {
    const draft = await withOffices(columns, branch, head);
    const query = draft.file('queries/companies.sql');
    const rows = await database.query<{ address: string }>(`select address from (${query}) q`);
    expect(rows).toHaveLength(20);
    expect(rows.filter(({ address }) => !address.startsWith('Head '))).toEqual([]);
    expect(query.replace(/\n *-- /g, ' ')).toContain(
      `decide: a record may have several rows in company_office; this takes the main one by ${columns.split(' ')[0] ?? ''}`,
    );
  });

  it('takes the first by its key where nothing says which is the main one', async () => {
    const draft = await withOffices('note text', "'a'", "'b'");
    expect(draft.file('queries/companies.sql').replace(/\n *-- /g, ' ')).toContain('this takes the first');
  });

  it('an empty text does not win: the other language stands in, and the city of the company where most have none', async () => {
    const vacancies = (await draftFrom(database.url)).file('queries/vacancies.sql');
    const rows = await database.query<{ region_id: string; description: string }>(
      `select * from (${vacancies}) q order by key`,
    );
    expect(new Set(rows.map(({ region_id }) => region_id))).toEqual(new Set(['Kota Depok']));
    expect(rows.map(({ description }) => description).slice(0, 3)).toEqual(['Teks', 'Text', 'Teks']);
  });
});

describe('a table of more rows than are counted', () => {
  let database: TestDatabase;
  let draft: Tried;

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query(`
    create table company (id int primary key, name text not null, city text);
    insert into company select g, 'PT ' || g, 'Kota Depok' from generate_series(1, 20) g;
    create unlogged table vacancy (id int, title text not null, employment_type text, status text);
    insert into vacancy select g, 'Kasir', case when g <= 500000 then 'Full time' else 'Magang' end,
      case when g <= 500000 then 'live' else 'draft' end from generate_series(1, 500010) g;
    alter table vacancy add primary key (id)`);
    draft = await draftFrom(database.url);
  });

  it('says of a large table that only its first rows were counted, so that codes may be missing', () => {
    expect(draft.file('reference/job-types.csv')).not.toContain('Magang');
    expect(draft.said('reference/job-types.csv')).toEqual([
      expect.stringContaining(
        '500,000 of 500,000 vacancies. Only the first 500,000 rows of a table were counted: doctor names the codes that the file lacks',
      ),
    ]);
    expect(draft.said('reference/cities.csv')[0]).toMatch(/ 20 of 20 companies$/);
  });

  it('offers no list of states that may lack one', () => {
    const query = draft.file('queries/vacancies.sql');
    expect(query).not.toContain('and v.status');
    expect(draft.said("status: 'live' 500,000 (of the first 500,000 rows")).toHaveLength(1);
  });
});
