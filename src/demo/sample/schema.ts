/**
 * Tables of an invented vendor of HR software, with a long history: some keys are UUIDs, some numbers, one
 * is padded text; codes are the vendor's; rows are marked as deleted rather than removed; texts hold HTML.
 * The tables do not follow the platform's model: the queries and lookups translate.
 */
export const SAMPLE_SCHEMA = `
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
