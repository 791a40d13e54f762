import pg, { type ClientBase } from 'pg';
import { guardConnection } from '../../runtime/guard-connection.js';
import {
  INDUSTRIES,
  PLACES,
  SKILLS,
  UNMAPPED_FUNCTION,
  UNMAPPED_INDUSTRY,
  UNMAPPED_PLACE,
  WORK_FUNCTIONS,
} from './data.js';
import { type BrokenRecord, makeSample, type Sample } from './make-sample.js';

interface SampleOptions {
  /** Another seed, other records; 1 when absent. */
  readonly seed?: number;
  /** Day (`YYYY-MM-DD`) that deadlines are counted from, so that the sample never ages; today when absent. */
  readonly today?: string;
}

export interface SeededSample {
  /** The records that are wrong on purpose, with the result that the sync must give. */
  readonly broken: readonly BrokenRecord[];
}

/**
 * Makes the tables of the invented HR vendor in the database of `client` and fills them, in one transaction,
 * in less than a second. The database must not have tables of these names.
 */
export async function seedSample(client: ClientBase, options: SampleOptions = {}): Promise<SeededSample> {
  const sample = makeSample(options.seed ?? 1, options.today ?? new Date().toISOString().slice(0, 10));
  await client.query('begin');
  try {
    await client.query(SAMPLE_SCHEMA);
    for (const [table, rows] of tablesOf(sample)) await insertRows(client, table, rows);
    await client.query(
      `select setval(pg_get_serial_sequence('lowongan', 'id'), (select max(id) from lowongan))`,
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
  await client.query('analyze');
  return { broken: sample.broken };
}

function tablesOf(sample: Sample): [table: string, rows: readonly object[]][] {
  const contacts = sample.companies.flatMap((company) => company.contacts);
  return [
    [
      'kota',
      [...PLACES, UNMAPPED_PLACE].map(({ code, name, province }) => ({
        kode_bps: code,
        nama: name,
        provinsi: province,
      })),
    ],
    [
      'bidang_usaha',
      [...INDUSTRIES, UNMAPPED_INDUSTRY].map(({ code, name }) => ({ kode: code, nama: name })),
    ],
    [
      'fungsi_kerja',
      [...WORK_FUNCTIONS, UNMAPPED_FUNCTION].map(({ code, name }) => ({ kode: code, nama: name })),
    ],
    [
      'keahlian',
      SKILLS.map((code, index) => ({ id: index + 1, kode: code, nama: code.replaceAll('-', ' ') })),
    ],
    ['perusahaan', sample.companies.map(({ row }) => row)],
    ['kontak_perusahaan', contacts.map((contact, index) => ({ id: index + 1, ...contact }))],
    ['lowongan', sample.vacancies.map(({ row }) => row)],
    ['lowongan_keahlian', sample.vacancies.flatMap(({ skills }) => skills)],
    ['lembaga_pelatihan', sample.institutions],
    ['kelas_pelatihan', sample.trainings],
  ];
}

/** One statement per table: Postgres turns the JSON into rows of the table's own types. */
async function insertRows(client: ClientBase, table: string, rows: readonly object[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(', ');
  if (columns === '') return;
  await client.query(
    `insert into ${table} (${columns}) overriding system value
     select ${columns} from jsonb_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows)],
  );
}

/**
 * Tables of an invented vendor of HR software, with a long history: some keys are UUIDs, some numbers, one
 * is padded text; codes are the vendor's; rows are marked as deleted rather than removed; texts hold HTML.
 * The tables do not follow the platform's model: the queries and lookups translate.
 */
const SAMPLE_SCHEMA = `
create type jenis_kontrak as enum ('TETAP', 'KONTRAK', 'PARUH WAKTU', 'MAGANG', 'HARIAN');
create type status_lowongan as enum ('DRAF', 'TAYANG', 'DITUTUP');

comment on type status_lowongan is 'DRAF: not published yet, TAYANG: published, DITUTUP: closed';

create table kota (
  kode_bps integer primary key,
  nama     text not null,
  provinsi text not null
);

create table bidang_usaha (
  kode varchar(4) primary key,
  nama text not null
);

create table fungsi_kerja (
  kode varchar(4) primary key,
  nama text not null
);

create table perusahaan (
  id           uuid primary key,
  bentuk       varchar(8) not null,
  nama_badan   text,
  nib          varchar(13),
  bidang_kode  varchar(4) references bidang_usaha,
  kota_kode    integer references kota,
  alamat       text,
  kode_pos     char(5),
  situs_web    text,
  profil_html  text,
  lintang      numeric(10, 6),
  bujur        numeric(10, 6),
  logo         text,
  sampul       text,
  dibuat_pada  timestamptz not null,
  diubah_pada  timestamptz not null,
  dihapus_pada timestamptz
);

comment on column perusahaan.nib is 'Business licence number';
comment on column perusahaan.logo is 'Path below https://media.example.co.id/';

create table kontak_perusahaan (
  id            integer primary key,
  perusahaan_id uuid not null references perusahaan,
  nama          text not null,
  telepon       text,
  surel         text,
  utama         boolean not null default false
);

create table lowongan (
  id               bigint generated always as identity primary key,
  perusahaan_id    uuid not null references perusahaan,
  nomor            varchar(16) not null unique,
  judul            text,
  uraian_html      text,
  syarat_html      text,
  jumlah_posisi    varchar(12),
  fungsi_kode      varchar(4) references fungsi_kerja,
  jenis            jenis_kontrak not null,
  kota_kode        integer references kota,
  jenis_kelamin    char(1),
  pendidikan_min   varchar(4),
  gaji_min         numeric(14, 2),
  gaji_maks        numeric(14, 2),
  gaji_dirahasiakan boolean not null default false,
  status_kawin     char(1),
  usia_min         smallint,
  usia_maks        smallint,
  pengalaman_bulan smallint,
  terbuka_difabel  boolean,
  nama_disamarkan  boolean not null default false,
  tautan_lamaran   text,
  batas_lamaran    timestamptz,
  status           status_lowongan not null,
  dibuat_pada      timestamptz not null,
  diubah_pada      timestamptz not null,
  dihapus_pada     timestamptz
);

comment on column lowongan.jumlah_posisi is 'Free text of the form; a number by agreement only';
comment on column lowongan.kota_kode is 'Null: at the company''s seat';
comment on column lowongan.jenis_kelamin is 'L: men, P: women, null: anybody';
comment on column lowongan.status_kawin is 'B: single, null: anybody';

create index on lowongan (perusahaan_id);
create index on kontak_perusahaan (perusahaan_id);

create table keahlian (
  id   integer primary key,
  kode text not null unique,
  nama text not null
);

create table lowongan_keahlian (
  lowongan_id bigint not null references lowongan on delete cascade,
  keahlian_id integer not null references keahlian,
  primary key (lowongan_id, keahlian_id)
);

create table lembaga_pelatihan (
  kode        char(10) primary key,
  nama        text,
  kota_kode   integer references kota,
  jalan       text,
  telepon     text,
  surel       text,
  logo        text,
  aktif       boolean not null default true,
  diubah_pada timestamptz not null
);

create table kelas_pelatihan (
  nomor           integer primary key,
  lembaga_kode    char(10) references lembaga_pelatihan,
  nama            text,
  uraian_html     text not null,
  daring          boolean not null,
  kota_kode       integer references kota,
  tempat          text,
  tingkat         char(1) not null,
  biaya           numeric(12, 2) not null,
  kursi           varchar(12) not null,
  bersertifikat   boolean not null,
  sertifikat_bnsp boolean not null,
  tutup_daftar    date not null,
  mulai           date not null,
  selesai         date not null,
  gambar          text
);

comment on column kelas_pelatihan.tingkat is 'D: beginners, L: advanced, M: experts';
`;

/** Does `work` on a connection of its own. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  guardConnection(client);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
