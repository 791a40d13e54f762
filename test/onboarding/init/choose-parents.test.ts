import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { draftFrom, filledBy } from './draft-world.js';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

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
    'decide: lowongan.firm_id, filled in 100 % of the rows, names legal_firm; lowongan.site_partner_id, filled in 20 % of the rows, names partner_account. The draft takes legal_firm',
  );
  expect(draft.said('company_key: lowongan.firm_id')).toHaveLength(1);
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
  expect(rows.map(({ company_key }) => company_key).filter((key) => key?.startsWith('PT '))).toHaveLength(60);
  expect(vacancies.replaceAll(/\n\s*-- /g, ' ')).toContain('20 of 20 different values of a sample are there');
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
  expect(draft.said('none of their values names company')).toHaveLength(1);
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
