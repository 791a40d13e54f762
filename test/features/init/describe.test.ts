import { readdirSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { runCli } from '../../cli/run-cli.js';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { temporaryFolder } from '../../temporary-folder.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(`
    create schema hr;
    create table hr.state (id integer primary key, nama text not null);
    insert into hr.state values (1, 'draf'), (2, 'tayang'), (3, 'tutup');
    create table hr.perusahaan (id bigint primary key, nama text not null, kota text, email text, pic text);
    insert into hr.perusahaan
      select n, 'PT Rahasia ' || n, case n % 2 when 0 then 'Bandung' else 'Surabaya' end, 'a' || n || '@x.id', 'Budi ' || n
      from generate_series(1, 30) n;
    create table hr.lowongan (
      id bigint primary key, id_perusahaan bigint references hr.perusahaan, judul text, state_id integer references hr.state,
      tipe text, catatan text, lain jsonb, dihapus timestamptz);
    insert into hr.lowongan
      select n, 1 + n % 30, 'Lowongan ' || n, 1 + n % 3, case when n % 4 = 0 then 'magang' else 'tetap' end,
        case when n % 2 = 0 then '081234567890' else 'budi@x.id' end, jsonb_build_object('gaji', n, 'kontak', 'Budi'), null
      from generate_series(1, 200) n;
    create table hr.lowongan_meta (lowongan_id bigint references hr.lowongan, meta_key text, meta_value text);
    insert into hr.lowongan_meta select n, 'pendidikan', 'Siti ' || n % 2 from generate_series(1, 90) n;
    create table hr.agenda (id integer primary key, judul text, catatan text);
    insert into hr.agenda values (1, 'Rapat', 'hubungi Budi'), (2, 'Rapat', 'kata Siti'), (3, null, null);
    create table hr.jadwal (id integer primary key, agenda_id integer references hr.agenda);
    insert into hr.jadwal values (1, 1), (2, 2);
    create table hr.pelamar (id bigint primary key, nama text, status text);
    insert into hr.pelamar select n, 'Siti ' || n, 'aktif' from generate_series(1, 50) n;`);
});

const describe = async (...more: string[]) => {
  const cwd = temporaryFolder();
  const result = await runCli(['init', '--describe', ...more], {
    cwd,
    env: { SOURCE_DATABASE_URL: database.url },
  });
  expect(readdirSync(cwd)).toEqual([]);
  return result;
};

test('one text has tables, keys, links, words and the contract, and writes nothing', async () => {
  const { exitCode, stdout, stderr } = await describe();
  expect(exitCode, stderr).toBe(0);
  expect(stdout).toContain('# hr.lowongan (200 rows)');
  expect(stdout).toContain('- id: bigint; primary key; filled 100 %');
  expect(stdout).toMatch(/- id_perusahaan: bigint; → hr\.perusahaan\.id \(foreign key\); filled 100 %/);
  expect(stdout).toContain("- tipe: text; filled 100 %: 'tetap' 150 · 'magang' 50");
  expect(stdout).toContain('- dihapus: timestamp with time zone; filled 0 %');
  expect(stdout).toMatch(/- lain: jsonb; filled 100 %: keys 'gaji' 200 · 'kontak' 200/);
  expect(stdout).toContain("- nama: text; filled 100 %: 'draf' 1 · 'tayang' 1 · 'tutup' 1");
  expect(stdout).toContain("- meta_key: text; filled 100 %: 'pendidikan' 90");
  for (const part of [
    '## vacancies',
    '- `company_key` (**required**',
    '# Rules for the queries',
    'doctor --json',
  ])
    expect(stdout).toContain(part);
});

test('nothing of people is in it, whatever holds it', async () => {
  const { stdout } = await describe();
  expect(stdout).not.toMatch(/Budi|Siti|Rahasia|@x|0812/);
  expect(stdout).toMatch(/- email: text; may be about people: not read/);
  // What one person wrote is in few rows, also of a small table.
  const { stdout: small } = await describe('--table', 'hr.agenda');
  expect(small).toContain("judul: text; filled 66 %: 'Rapat' 2");
  expect(small).toContain('catatan: text; filled 66 %\n');
  expect(small).not.toMatch(/Budi|Siti/);
  const { stdout: alone } = await describe('--table', 'hr.pelamar');
  expect(alone).toContain('About people: nothing of it was read.');
  expect(alone).not.toMatch(/Siti|aktif/);
});

test('a named table is described alone; what there is not is named with what there is', async () => {
  const { stdout } = await describe('--table', 'vacancies=hr.lowongan_meta');
  expect(stdout).toContain('# hr.lowongan_meta');
  expect(stdout).not.toContain('# hr.perusahaan');
  expect(stdout).toContain('- hr.perusahaan (30 rows)');
  const { exitCode, stderr } = await describe('--table', 'hr.nothing');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('There is no table hr.nothing.');
  expect(stderr).toContain('hr.lowongan');
});

test('a large database stays below 30 KB', async () => {
  const many = Array.from({ length: 60 }, (_, table) => {
    const columns = Array.from(
      { length: 40 },
      (_, at) => `c${at} text default 'a value of the column ${at}'`,
    );
    return `create table lowongan_${table} (id integer primary key, judul text, ${columns.join(', ')});
      insert into lowongan_${table} (id) values (1), (2), (3);`;
  });
  const large = await createTestDatabase();
  await large.query(many.join('\n'));
  const { exitCode, stdout } = await runCli(['init', '--describe'], {
    cwd: temporaryFolder(),
    env: { SOURCE_DATABASE_URL: large.url },
  });
  expect(exitCode).toBe(0);
  expect(Buffer.byteLength(stdout)).toBeLessThan(30_000);
  expect(stdout).toContain('# public.lowongan_0 (3 rows)');
  expect(stdout).toContain('# Other tables');
  expect(stdout).toContain('## application-statuses');
});
