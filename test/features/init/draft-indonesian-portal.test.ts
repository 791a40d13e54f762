import { beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../postgres/test-database.js';
import { draftFrom, filledBy, openDatabase, type Tried } from './draft-world.js';

describe('draft indonesian portal', () => {
  let database: TestDatabase;
  let draft: Tried;

  beforeAll(async () => {
    database = await openDatabase('loker');
    draft = await draftFrom(database.url);
  });

  it('finds the tables among logs, categories, users and a queue that is called jobs', () => {
    expect(draft.tables).toEqual({ companies: 'tbl_perusahaan', vacancies: 'tbl_lowongan' });
  });

  it('finds columns by Indonesian names', () => {
    const query = draft.file('queries/vacancies.sql');
    const expected = {
      key: 'v.id_lowongan',
      company_key: 'v.id_perusahaan',
      title: 'v.judul',
      quota: 'v.jumlah_kebutuhan',
      qualification: 'v.persyaratan',
      job_type: 'v.id_jenis_kerja',
      region_id: 'v.id_kota',
      gender: 'v.jenis_kelamin',
      min_education: 'v.pendidikan',
      min_salary_amount: 'v.gaji_min',
      max_salary_amount: 'v.gaji_max',
      max_age: 'v.usia_maks',
      expire_at: 'v.tgl_tutup',
    };
    for (const [column, sql] of Object.entries(expected))
      expect([column, filledBy(query, column)]).toEqual([column, sql]);
    expect(query).not.toContain('row_version');
  });

  it('joins without a foreign key by the names of columns, and says so', () => {
    expect(draft.file('queries/vacancies.sql')).toContain(
      'decide: no foreign key says that id_perusahaan names tbl_perusahaan; 40 of 40',
    );
  });

  it('reads skills of a child table as one group in the form of the interface', async () => {
    const query = draft.file('queries/vacancies.sql');
    expect(query).toContain('group by lk.id_lowongan');
    expect(query.toLowerCase()).not.toContain('lateral');
    const [row] = await database.query<{ skills: string[] }>(`${query} limit 1`);
    expect(row?.skills).toEqual(['cpp', 'microsoft_excel']);
  });

  it('has every code with its name and count, and an id only where the name says which', () => {
    expect(draft.file('reference/cities.csv').split('\n').slice(0, 6)).toEqual([
      'code,id,name,count,note',
      '1,,Kota Bogor,32,',
      '2,dce8b1b9-798e-406a-87f3-9294a3747333,Kabupaten Bogor,32,',
      '3,fe7fd2e4-1494-458b-a534-46a85383444d,Kota Depok,32,',
      '4,73c670c2-bd42-491a-a76b-f17c2edb6680,Kota Jakarta Selatan,32,',
      '5,,Kota Surabaya,32,',
    ]);
    expect(draft.file('reference/job-types.csv')).toContain(
      '1,0dc1aaf7-9935-442b-ab32-8bae23284af9,Penuh Waktu,40,',
    );
    expect(draft.file('reference/job-types.csv')).toContain('3,,Harian,40,');
    expect(draft.file('reference/gender.csv')).toContain('L,male,,40,');
    expect(draft.said('reference/cities.csv')).toEqual([
      '  - reference/cities.csv: 3 of 5 codes; 24 of 40 companies, 72 of 120 vacancies',
    ]);
  });

  it('asks about flags and soft deletes, and applies none of them', () => {
    const query = draft.file('queries/vacancies.sql');
    expect(query).toContain(
      "-- decide: which rows are published? status: 'draft' 40 · 'tayang' 40 · 'tutup' 40",
    );
    expect(query).toContain("-- and v.status in ('tayang')");
    const told = query.replaceAll(/\s+--\s+/g, ' ');
    expect(told).toContain("v.status in ('tayang') keeps 40 of 120 today");
    expect(told).toContain('v.deleted_at is null keeps 120 of 120 today');
    expect(query).not.toContain('-- and v.deleted_at');
    expect(
      query
        .trimEnd()
        .split('\nwhere true\n')[1]
        ?.split('\n')
        .every((line) => line.startsWith('  -- ')),
    ).toBe(true);
    expect(draft.said('is_verified: 0 20 · 1 20 (numbers: their meaning')).toHaveLength(1);
  });

  it('guards addresses that are none, and names the HTML in plainText', () => {
    const query = draft.file('queries/companies.sql');
    expect(filledBy(query, 'website')).toMatch(
      /^case when c\.website ~\* '\^https\?:\/\/' then c\.website when .* then 'https:\/\/' \|\| c\.website end$/,
    );
    expect(query).toContain('decide: 20 of 40 values have no http:// or https://');
    expect(draft.file('placement-sync.yaml')).toContain('plainText: [about]');
  });

  it('reads no column of people, and nothing of their tables', () => {
    const reading = draft.statements.filter(
      (sql) => !sql.includes('pg_attribute') && !sql.includes('pg_class'),
    );
    expect(reading.length).toBeGreaterThan(10);
    for (const sql of reading) {
      expect(sql).not.toMatch(/telepon|email|nik\b|no_hp|password|user_id|status_pic/);
      // Rows of a table may be counted, without naming a column.
      if (/tbl_lamaran|\busers\b/.test(sql))
        expect(sql).toMatch(/^select '\d+' as oid, pg_catalog\.count\(\*\)/);
    }
    expect([...draft.files.values(), ...draft.report].join('\n')).not.toMatch(/rahasia/i);
  });

  it('gives the same draft each time', async () => {
    const again = await draftFrom(database.url);
    expect([...again.files]).toEqual([...draft.files]);
    expect(again.report).toEqual(draft.report);
  });
});

describe('draft course catalogue', () => {
  let database: TestDatabase;
  let draft: Tried;
  let trainings: string;

  beforeAll(async () => {
    database = await openDatabase('catalogue');
    draft = await draftFrom(database.url);
    trainings = draft.file('queries/trainings.sql');
  });

  it('drafts the training area alone', () => {
    expect(draft.tables).toEqual({ institutions: 'catalog.provider', trainings: 'catalog.course' });
    expect(draft.file('placement-sync.yaml')).toContain('  training: #');
    expect(draft.file('placement-sync.yaml')).not.toContain('  jobs: #');
  });

  it('takes texts by language with Indonesian first', () => {
    expect(filledBy(trainings, 'title')).toBe(
      "coalesce(nullif(btrim(t.title ->> 'id'), ''), t.title ->> 'en')",
    );
  });

  it('takes the first and the last session, by groups', async () => {
    const rows = await database.query<Record<string, unknown>>(
      `select key, cast(start_date as text) as start_date, cast(finish_date as text) as finish_date
     from (${trainings}) q order by key limit 1`,
    );
    expect(rows).toEqual([{ key: 1, start_date: '2030-04-02', finish_date: '2030-06-03' }]);
  });

  it('presets no zone of times without one', () => {
    expect(draft.file('placement-sync.yaml')).toContain('  # timeZone: Asia/Jakarta');
  });

  it('lists the values that the database allows', () => {
    expect(draft.file('reference/media.csv').split('\n').slice(1, 4)).toEqual([
      'MIX,,,20,',
      'OFF,,,20,',
      'ON,,,20,',
    ]);
  });
});

describe('draft job board', () => {
  let database: TestDatabase;
  let draft: Tried;
  let vacancies: string;

  beforeAll(async () => {
    database = await openDatabase('board');
    draft = await draftFrom(database.url);
    vacancies = draft.file('queries/vacancies.sql');
  });

  it('asks which column names the companies, with its counts; its lines of both queries work as they stand', async () => {
    const question = 'job_listing.company_name has 7 different values in 50 of 50 rows';
    expect(draft.said(question)).toHaveLength(2);
    expect(await database.query(draft.file('queries/companies.sql'))).toEqual([]);
    expect(vacancies).toContain('\n  null) as company_key,');
    expect(vacancies.replaceAll(/\s+--\s+/g, ' ')).toContain(question);
    const taken = (path: string, line: RegExp) => draft.file(path).replace(line, '$1');
    const companies = await database.query<{ key: string }>(
      taken('queries/companies.sql', /-- (select .*company_name.* union all)/),
    );
    expect(companies.map(({ key }) => key).sort()).toEqual(
      [0, 1, 2, 3, 4, 5, 6].map((number) => `acme ${String(number)}`),
    );
    const named = await database.query<{ company_key: string }>(
      `select distinct company_key from (${taken('queries/vacancies.sql', /-- (.*company_name.*, -- as company_key)/)}) q`,
    );
    expect(named.map(({ company_key }) => company_key).sort()).toEqual(
      companies.map(({ key }) => key).sort(),
    );
  });

  it('never says anything of people', () => {
    expect([...draft.files.values()].join('\n')).not.toMatch(/contact_phone|rahasia/);
  });

  it('knows the city of "City, Country" in the lookup', () => {
    expect(filledBy(vacancies, 'region_id')).toBe('v.location');
    expect(draft.file('reference/cities.csv')).toMatch(/^"Depok, Indonesia",[0-9a-f-]{36},/m);
    expect(draft.file('reference/cities.csv')).toContain('"Singapore, Singapore",,');
  });

  it('takes only numbers from prose, and says nothing of a period that is a month', () => {
    expect(draft.said('34 of 50 values are prose')).toHaveLength(1);
    expect(draft.said('is the period of the pay')).toEqual([]);
  });

  it('takes the first of a list of types, and does not take a company’s website for the vacancy’s address', () => {
    expect(filledBy(vacancies, 'job_type')).toBe('v.job_types[1]');
    expect(filledBy(vacancies, 'client_url')).toBeUndefined();
  });
});
