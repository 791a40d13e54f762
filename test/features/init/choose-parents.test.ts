import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDecisions } from '../../../src/features/doctor/sql/conditions.js';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { draftFrom, filledBy } from './draft-world.js';

describe('choose parents', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase();
  });

  it('takes the table that nearly all rows name, before a larger one that few name, and asks', async () => {
    await database.query(`
    create table partner_account (id int primary key, name text, street text, city text, website text, phone text, industry text);
    create table legal_firm (id int primary key, name text not null);
    create table lowongan (id int primary key, title text, description text, closes_at date,
      firm_id int references legal_firm, site_partner_id int references partner_account);
    create table offer (id int primary key, partner_id int references partner_account);
    create table invoice (id int primary key, partner_id int references partner_account);
    insert into partner_account select g, 'Mitra ' || g, 'Jl. ' || g, 'Kota Depok', 'https://m.example', '021', 'IT' from generate_series(1, 600) g;
    insert into legal_firm select g, 'PT ' || g from generate_series(1, 30) g;
    insert into lowongan select g, 'Kasir ' || g, 'Teks', '2031-01-01', 1 + g % 30, case when g % 5 = 0 then g end from generate_series(1, 100) g`);
    const draft = await draftFrom(database.url);
    expect(draft.tables).toEqual({ companies: 'legal_firm', vacancies: 'lowongan' });
    const vacancies = draft.file('queries/vacancies.sql');
    expect(filledBy(vacancies, 'company_key')).toBe('v.firm_id');
    const comments = vacancies.replaceAll(/\n\s*-- /g, ' ');
    expect(comments).toContain(
      'decide: lowongan names legal_firm in 100 % of the rows, partner_account in 20 % of the rows. The draft takes legal_firm',
    );
    expect(draft.said('lowongan names legal_firm in 100 %')).toHaveLength(1);
  });

  it('knows the employer by its name in a column without foreign key, whatever the tables are called', async () => {
    await database.query(`
    create table "Badan Usaha" (nama varchar(90) primary key, alamat text, situs text);
    create table "Lowongan Kerja" (nomor varchar(20) primary key, judul text, uraian text, batas_lamaran date, pihak varchar(90), kondisi text);
    insert into "Badan Usaha" select 'PT ' || g, 'Jl. ' || g, null from generate_series(1, 20) g;
    insert into "Lowongan Kerja" select 'L-' || g, 'Kasir ' || g, 'Teks', '2031-01-01', 'PT ' || (1 + g % 20), 'buka' from generate_series(1, 60) g`);
    const draft = await draftFrom(database.url);
    const vacancies = draft.file('queries/vacancies.sql');
    const rows = await database.query<{ company_key: string }>(vacancies);
    expect(rows.map(({ company_key }) => company_key).filter((key) => key?.startsWith('PT '))).toHaveLength(
      60,
    );
    expect(vacancies.replaceAll(/\n\s*-- /g, ' ')).toContain(
      '20 of 20 different values of a sample are there',
    );
  });

  it('finds pairs and keys without underscore and without foreign key by their values', async () => {
    await database.query(`
    create table lembaga (id bigint primary key, nama text, alamat text, kota text);
    create table kursus (id bigint primary key, nama text, uraian text, mulai date, selesai date);
    create table lembaga_kursus (id bigint primary key, lembagaid bigint, kursusid bigint);
    insert into lembaga select g, 'LPK ' || g, 'Jl. ' || g, 'Kota Depok' from generate_series(1, 25) g;
    insert into kursus select 900 + g, 'Las ' || g, 'Teks', '2031-01-01', '2031-02-01' from generate_series(1, 50) g;
    insert into lembaga_kursus select g, 1 + g % 25, 900 + g from generate_series(1, 50) g`);
    const draft = await draftFrom(database.url);
    expect(draft.tables).toEqual({ institutions: 'lembaga', trainings: 'kursus' });
    const rows = await database.query<{ key: string; institution_key: string }>(
      draft.file('queries/trainings.sql'),
    );
    expect(rows).toHaveLength(50);
    for (const { key, institution_key } of rows)
      expect(Number(institution_key), key).toBe(1 + ((Number(key) - 900) % 25));
  });

  it('does not believe a name whose values are not there', async () => {
    await database.query(`
    create table company (id int primary key, name text, address text, website text);
    create table vacancy (id int primary key, title text, description text, closes_at date, company_code int);
    insert into company select g, 'PT ' || g, 'Jl.', null from generate_series(1, 20) g;
    insert into vacancy select g, 'Kasir ' || g, 'Teks', '2031-01-01', 7000 + g from generate_series(1, 40) g`);
    const draft = await draftFrom(database.url);
    expect(filledBy(draft.file('queries/vacancies.sql'), 'company_key')).toBe('cast(null as text)');
    expect(draft.said('no name and no value of vacancy names company')).toHaveLength(1);
  });

  it('takes one table for one entity: training centres are no companies where nothing looks like vacancies', async () => {
    await database.query(`
    create table company (id int primary key, name text, address text, city text, phone text);
    create table training (id int primary key, name text, description text, start_date date, company_id int references company);
    insert into company select g, 'LPK ' || g, 'Jl.', 'Kota Depok', '021' from generate_series(1, 20) g;
    insert into training select g, 'Las ' || g, 'Teks', '2031-01-01', 1 + g % 20 from generate_series(1, 40) g`);
    const draft = await draftFrom(database.url);
    expect(draft.tables).toEqual({ institutions: 'company', trainings: 'training' });
    expect(draft.said('vacancies: no table looks like them')).toHaveLength(1);
    expect(
      draft.said('companies: the likeliest table is company, which is drafted as institutions'),
    ).toHaveLength(1);
  });

  it('takes the centre that trainings name where the companies have a table already', async () => {
    await database.query(`
    create table company (id int primary key, name text, address text, city text, phone text);
    create table supplier (id int primary key, name text, address text);
    create table vacancy (id int primary key, title text, description text, closes_at date, company_id int references company);
    create table training (id int primary key, name text, description text, start_date date,
      company_id int references company, supplier_id int references supplier);
    insert into company select g, 'PT ' || g, 'Jl.', 'Kota Depok', '021' from generate_series(1, 40) g;
    insert into supplier select g, 'LPK ' || g, 'Jl.' from generate_series(1, 10) g;
    insert into vacancy select g, 'Kasir ' || g, 'Teks', '2031-01-01', 1 + g % 40 from generate_series(1, 90) g;
    insert into training select g, 'Las ' || g, 'Teks', '2031-01-01', 1, 1 + g % 10 from generate_series(1, 40) g`);
    const draft = await draftFrom(database.url);
    expect(draft.tables).toEqual({
      companies: 'company',
      vacancies: 'vacancy',
      institutions: 'supplier',
      trainings: 'training',
    });
    expect(filledBy(draft.file('queries/trainings.sql'), 'institution_key')).toBe('t.supplier_id');
  });
});

describe('draft one to one', () => {
  let database: TestDatabase;

  /** Firms that keep their address with a record of the address book, which has others, too. */
  beforeEach(async () => {
    database = await createTestDatabase();
    await database.query(`
    create table kota (id int primary key, nama text);
    create table book_entry (id int primary key, label text, street text, zip text, town text, kota_id int references kota, homepage text);
    create table firm (id int primary key, name text not null, entry_id int not null references book_entry, group_id int references book_entry);
    create table vacancy (id int primary key, title text, description text, closes_at date, firm_id int references firm);
    insert into kota values (1, 'Kota Depok'), (2, 'Kota Bogor');
    insert into book_entry select g, 'B' || g, 'Jl. ' || g, '1' || g, case when g = 1 then 'Depok' end, 1 + g % 2, 'https://b.example/' || g from generate_series(1, 80) g;
    insert into firm select g, 'PT ' || g, 40 + g, 1 + g % 2 from generate_series(1, 30) g;
    insert into vacancy select g, 'Kasir ' || g, 'Teks', '2031-01-01', 1 + g % 30 from generate_series(1, 60) g`);
  });

  it('takes what the table does not have from the row that each of its rows names', async () => {
    const draft = await draftFrom(database.url);
    expect(draft.tables).toEqual({ companies: 'firm', vacancies: 'vacancy' });
    const rows = await database.query<Record<string, unknown>>(
      `select * from (${draft.file('queries/companies.sql')}) q order by key`,
    );
    expect(rows).toHaveLength(30);
    expect(rows[1]).toMatchObject({ key: 2, name: 'PT 2', address: 'Jl. 42', postal_code: '142' });
    const vacancies = await database.query<Record<string, unknown>>(draft.file('queries/vacancies.sql'));
    expect(vacancies.every(({ region_id }) => [1, 2].includes(region_id as number))).toBe(true);
  });

  it('of two columns for the city, takes the one that is filled', async () => {
    const draft = await draftFrom(database.url);
    const companies = draft.file('queries/companies.sql');
    expect(filledBy(companies, 'region_id')).toMatch(/\.kota_id$/);
    const cities = await database.query<{ region_id: unknown }>(companies);
    expect(cities.filter(({ region_id }) => region_id === null)).toEqual([]);
  });

  it('does not follow a link that several rows share', async () => {
    await database.query('update firm set entry_id = 1 + id % 3');
    expect(
      filledBy((await draftFrom(database.url)).file('queries/companies.sql'), 'address'),
    ).toBeUndefined();
  });
});

describe('what a person would write by hand', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase();
  });

  it('finds keys by values where no table has one', async () => {
    await database.query(`
    create table perusahaan (kode text, nama text, kota text, profil text);
    create table t_lowongan (jabatan text, no_lowongan text, perusahaan text, uraian text, tgl_tutup date, sts text);
    create view v_lowongan as select jabatan, no_lowongan, perusahaan, uraian, tgl_tutup from t_lowongan;
    insert into perusahaan select 'P' || g, 'PT Maju ' || g, 'Kota Depok', 'Usaha ke ' || g from generate_series(1, 100) g;
    insert into t_lowongan select 'Kasir ' || g, 'L-' || g, 'PT Maju ' || (1 + g % 100), 'Uraian ' || g, '2031-01-01',
      case when g % 2 = 0 then 'aktif' else 'tutup' end from generate_series(1, 300) g`);
    const draft = await draftFrom(database.url);
    expect(draft.tables).toEqual({ companies: 'perusahaan', vacancies: 't_lowongan' });
    const vacancies = draft.file('queries/vacancies.sql');
    expect(filledBy(vacancies, 'key')).toBe('v.no_lowongan');
    const rows = await database.query<{ key: string; company_key: string }>(vacancies);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(300);
    expect(rows).toHaveLength(300);
    expect(rows.filter(({ company_key }) => company_key === null)).toEqual([]);
  });

  it('offers the city at the end of an address by its name or form; uncommented, the line works', async () => {
    await database.query(`
    create table employers (id int primary key, nama_perusahaan text, alamat_kantor text);
    create table vacancies (id int primary key, employer_id int references employers, title text);
    insert into employers select g, 'PT ' || g, 'Jl. Mawar ' || g || ', ' ||
      (array['Kabupaten Pringsewu', 'Surabaya', 'Gedung A'])[1 + g % 3] || ' 4' || g from generate_series(1, 60) g;
    insert into vacancies select g, 1 + g % 60, 'Kasir ' || g from generate_series(1, 100) g`);
    const companies = (await draftFrom(database.url)).file('queries/companies.sql');
    expect(companies.replaceAll(/\n\s*-- /g, ' ')).toContain(
      'decide: 40 of 60 employers.alamat_kantor end with a city. Use it? The other 20 have none then, and are not sent',
    );
    const rows = await database.query<{ region_id: string | null }>(
      `select region_id from (${companies.replace(/-- (.*, -- as region_id)/, '$1')}) q order by key limit 3`,
    );
    expect(rows.map(({ region_id }) => region_id)).toEqual(['Surabaya', 'Gedung A', 'Kabupaten Pringsewu']);
  });

  it('takes no work mode for a city, and asks of which company the vacancies of another table are', async () => {
    await database.query(`
    create table "Companies" (id int primary key, name text, city text);
    create table "Vacancies" (id int primary key, company_id int references "Companies", title text, "workLocation" text);
    create table "Trainings" (id int primary key, company_id int, title text, quota int);
    insert into "Companies" select g, 'PT ' || g, 'Kota Depok' from generate_series(1, 30) g;
    insert into "Vacancies" select g, 1 + g % 30, 'Kasir ' || g, (array['Onsite', 'Remote', 'Hybrid'])[1 + g % 3] from generate_series(1, 90) g;
    insert into "Trainings" select g, 1 + g % 30, 'Las ' || g, 20 from generate_series(1, 90) g`);
    const draft = await draftFrom(database.url);
    expect(filledBy(draft.file('queries/vacancies.sql'), 'region_id')).toBe('company.city');
    expect(
      draft.said('Trainings.company_id names "Companies" (30 rows): are these the institutions?'),
    ).toHaveLength(2);
    const trainings = draft.file('queries/trainings.sql');
    expect(trainings).toContain('\n  null) as institution_key,');
    const taken = (query: string, line: RegExp) => database.query(query.replace(line, '$1'));
    expect(
      await taken(draft.file('queries/institutions.sql'), /-- (select .*"Companies".* union all)/),
    ).toHaveLength(30);
    expect(await taken(trainings, /-- (t\.company_id, -- as institution_key)/)).toHaveLength(90);
  });

  it('makes no key of a time, and asks whether the rest is unique', async () => {
    await database.query(`
    create table company (id int primary key, name text);
    create table vacancy (no uuid, posted_at timestamptz, company_id int references company, title text, description text, primary key (no, posted_at));
    insert into company select g, 'PT ' || g from generate_series(1, 10) g;
    insert into vacancy select md5('v' || g)::uuid, now(), 1 + g % 10, 'Kasir ' || g, 'Uraian kerja' from generate_series(1, 30) g`);
    const vacancies = (await draftFrom(database.url)).file('queries/vacancies.sql');
    expect(filledBy(vacancies, 'key')).toBe('v.no');
    expect(vacancies).toContain('decide: the primary key has posted_at, too');
  });

  it('reads ranges, lists in JSON, and the cities of link tables; asks whether a document has a better key', async () => {
    await database.query(`
    create table city (id int primary key, name text);
    create table company (id int primary key, document_id text, name text, "desc" text);
    create table company_city_lnk (id int primary key, company_id int references company, city_id int references city);
    create table vacancy (id int primary key, company_id int references company, title text, description text,
      "salaryRange" int4range, "ageRange" int4range, places jsonb);
    insert into city values (1, 'Kota Depok'), (2, 'Kabupaten Lebak');
    insert into company select g, 'D' || g, 'PT ' || g, 'Usaha yang maju' from generate_series(1, 20) g;
    insert into company_city_lnk select g, g, 1 + g % 2 from generate_series(1, 20) g;
    insert into vacancy select g, 1 + g % 20, 'Kasir ' || g, 'Uraian kerja', int4range(4000000, 6000001), int4range(18, 36),
      '{"locations": [{"city": "Kota Bogor"}, {"city": "Kota Depok"}]}' from generate_series(1, 40) g`);
    const draft = await draftFrom(database.url);
    const companies = draft.file('queries/companies.sql');
    expect(draft.said('does document_id stay')).toHaveLength(1);
    const [company] = await database.query(`select * from (${companies}) q where key = 1`);
    expect(company).toMatchObject({ about: 'Usaha yang maju', region_id: 2 });
    const [vacancy] = await database.query(draft.file('queries/vacancies.sql'));
    expect(vacancy).toMatchObject({ min_salary_amount: 4_000_000, max_salary_amount: 6_000_000 });
    expect(vacancy).toMatchObject({ min_age: 18, max_age: 35, region_id: 'Kota Bogor' });
    expect(draft.said('it is a list; this takes the first')).toHaveLength(1);
  });

  it('what is offered of a joined table works when it is uncommented', async () => {
    await database.query(`
    create table site (id int primary key, alamat text, jenis text);
    create table company (id int primary key, name text, site_id int not null unique references site, kategori_usaha text);
    create table vacancy (id int primary key, company_id int references company, title text, description text);
    insert into site select g, 'Jl. ' || g, 'x' from generate_series(1, 20) g;
    insert into company select g, 'PT ' || g, g, (array['Kayu lapis', 'Agrobisnis'])[1 + g % 2] from generate_series(1, 20) g;
    insert into vacancy select g, 1 + g % 20, 'Kasir ' || g, 'Uraian kerja' from generate_series(1, 40) g`);
    const draft = await draftFrom(database.url);
    const vacancies = draft.file('queries/vacancies.sql');
    expect(filledBy(vacancies, 'industry')).toBe('-- company.kategori_usaha');
    const rows = await database.query(
      vacancies.replace('-- company.kategori_usaha as', 'company.kategori_usaha as'),
    );
    expect(rows[0]).toHaveProperty('industry');
    expect(draft.file('placement-sync.yaml')).toContain('industry: reference/industries.csv');
  });

  it('does not name companies by a text that many of them share', async () => {
    await database.query(`
    create table company (id int primary key, name text);
    create table vacancy (id int primary key, title text, description text, employer text);
    insert into company select g, 'PT ' || g % 10 from generate_series(1, 100) g;
    insert into vacancy select g, 'Kasir ' || g, 'Uraian', 'PT ' || g % 10 from generate_series(1, 100) g`);
    const vacancies = (await draftFrom(database.url)).file('queries/vacancies.sql');
    expect(await database.query(vacancies)).toHaveLength(100);
    expect(vacancies).not.toContain('distinct on');
  });
});

describe('parent condition', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  const offered = (query: string) => query.split('\n').filter((line) => line.includes('and exists ('));

  /** Twenty companies, the last five not verified, one of the others deleted; two vacancies of each. */
  async function withTables(company: string, vacancy: string, values: string): Promise<void> {
    await database.query(`drop table if exists vacancy, company;
    create table company (id int primary key, name text not null, ${company});
    create table vacancy (id int primary key, title text not null, status text not null, ${vacancy});
    insert into company select g, 'PT ' || g, ${values} from generate_series(1, 20) g;
    insert into vacancy select g, 'Kasir ' || g, 'live', (g + 1) / 2 from generate_series(1, 40) g`);
  }

  it('a child offers the conditions of its parent, which the server takes and which leave out what waits for ever', async () => {
    await withTables(
      'is_verified boolean, deleted_at timestamptz',
      'company_id int not null references company',
      'g <= 15, case g when 3 then now() end',
    );
    const draft = await draftFrom(database.url);
    const query = draft.file('queries/vacancies.sql');
    const [line = ''] = offered(query);
    expect(offered(query)).toEqual([
      '  -- and exists (select 1 from public.company c where c.id = v.company_id and c.is_verified and c.deleted_at is null)',
    ]);
    const question =
      'will queries/companies.sql leave companies out? Their vacancies would wait for ever, so leave these out by the same conditions';
    expect(openDecisions(query).map((open) => open.question)).toContain(question);
    // Uncommented, it is answered, and the rest are the vacancies of the fourteen companies that are left.
    const taken = query.replace(line, line.replace('-- ', ''));
    expect(openDecisions(taken).map((open) => open.question)).not.toContain(question);
    expect(await database.query(query)).toHaveLength(40);
    expect(await database.query(taken)).toHaveLength(28);
    expect(offered(draft.file('queries/companies.sql'))).toEqual([]);
  });

  it('offers it also where a table of pairs names the parent', async () => {
    await withTables('is_verified boolean', 'number int', 'g <= 15');
    await database.query(`create table vacancy_company (vacancy_id int references vacancy, company_id int references company);
    insert into vacancy_company select id, number from vacancy`);
    const query = (await draftFrom(database.url)).file('queries/vacancies.sql');
    const [line = ''] = offered(query);
    expect(line).toMatch(/where c\.id = \w+\.key and c\.is_verified\)$/);
    expect(await database.query(query.replace(line, line.replace('-- ', '')))).toHaveLength(30);
    await database.query('drop table vacancy_company');
  });

  it('offers nothing where the parents have no condition, or where nothing names the parent', async () => {
    await withTables('city text', 'company_id int not null references company', `'Kota Depok'`);
    expect(offered((await draftFrom(database.url)).file('queries/vacancies.sql'))).toEqual([]);
    await withTables('is_verified boolean', 'company_id text not null', 'true');
    const draft = await draftFrom(database.url);
    expect(draft.file('queries/vacancies.sql')).toContain('cast(null as text) as company_key');
    expect(offered(draft.file('queries/vacancies.sql'))).toEqual([]);
  });
});
