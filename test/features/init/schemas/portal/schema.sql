-- An Indonesian job portal: UUID keys, jsonb for what was added later, child tables.
create schema karir;

create table karir.provinsi (
  kode char(2) primary key,
  nama_provinsi text not null
);

create table karir.kota (
  kode varchar(5) primary key, -- with a point: 31.73
  provinsi_kode char(2) not null references karir.provinsi,
  nama_kota text not null
);

create table karir.bidang_usaha (
  kode varchar(12) primary key,
  nama_bidang text not null
);

create table karir.mitra_usaha (
  id uuid primary key,
  nama_usaha text not null,
  bidang varchar(12) references karir.bidang_usaha,
  nib text,
  situs text,
  profil_html text,
  kontak jsonb not null default '{}',
  logo_berkas text,
  terverifikasi boolean not null default false,
  dibekukan boolean not null default false,
  dihapus_pada timestamptz,
  dibuat_pada timestamptz not null default '2025-01-01Z'
);

-- Several for each; one of them is the main one, but the application does not make sure of it.
create table karir.alamat_usaha (
  id bigint primary key,
  mitra_id uuid not null references karir.mitra_usaha,
  jalan text not null,
  kode_pos text,
  kota varchar(5) not null references karir.kota,
  utama boolean not null default false,
  lintang numeric(9, 6),
  bujur numeric(9, 6)
);

create table karir.jenis_kerja (
  kode varchar(10) primary key,
  nama_jenis text not null
);

create table karir.fungsi_kerja (
  id integer primary key,
  nama_fungsi text not null
);

create table karir.lowongan (
  id uuid primary key,
  mitra_id uuid not null references karir.mitra_usaha,
  judul text not null,
  uraian_html text,
  syarat jsonb not null default '{}',
  upah jsonb,
  jumlah_orang smallint,
  jenis varchar(10) references karir.jenis_kerja,
  fungsi_id integer references karir.fungsi_kerja,
  kota varchar(5) references karir.kota,
  tayang boolean not null default false,
  tutup_pada timestamptz,
  dihapus_pada timestamptz,
  tautan_slug text not null
);

create table karir.keahlian (
  id integer primary key,
  sandi text not null unique
);

create table karir.lowongan_keahlian (
  lowongan_id uuid not null references karir.lowongan,
  keahlian_id integer not null references karir.keahlian,
  primary key (lowongan_id, keahlian_id)
);

create index on karir.alamat_usaha (mitra_id);
create index on karir.lowongan (mitra_id);

-- People: nothing of them may be read.
create table karir.pelamar (
  id uuid primary key,
  nama_lengkap text not null,
  surel text not null,
  sandi_hash text not null,
  tanggal_lahir date,
  nik varchar(16)
);

create table karir.lamaran (
  id uuid primary key,
  lowongan_id uuid not null references karir.lowongan,
  pelamar_id uuid not null references karir.pelamar,
  tahap varchar(12) not null
);
