-- An Indonesian portal as Laravel applications have them: prefixes, no foreign keys, soft deletes, users beside companies.
create table tbl_perusahaan (
  id_perusahaan serial primary key,
  user_id int,
  nama_perusahaan varchar(120) not null,
  id_kota int,
  alamat text,
  kode_pos varchar(10),
  telepon varchar(30),
  email varchar(80),
  nib varchar(30),
  id_bidang int,
  deskripsi text,
  website varchar(120),
  logo varchar(120),
  is_verified smallint not null default 0,
  status_pic varchar(10) default 'rahasia',
  created_at timestamp,
  updated_at timestamp,
  deleted_at timestamp
);
create table ref_kota (id serial primary key, nama varchar(80) not null, jenis varchar(10) not null, id_provinsi int);
create table ref_provinsi (id serial primary key, nama varchar(80));
create table ref_bidang (id serial primary key, nama varchar(80));
create table ref_jenis_kerja (id serial primary key, nama varchar(40));
create table tbl_lowongan (
  id_lowongan serial primary key,
  id_perusahaan int not null,
  judul varchar(160) not null,
  deskripsi text,
  persyaratan text,
  jumlah_kebutuhan int,
  id_jenis_kerja int,
  id_kota int,
  jenis_kelamin char(1),
  pendidikan varchar(10),
  gaji_min numeric(12,2),
  gaji_max numeric(12,2),
  usia_min smallint,
  usia_maks smallint,
  tgl_tutup date,
  status varchar(10) not null default 'draft',
  created_at timestamp,
  updated_at timestamp,
  deleted_at timestamp
);
create table tbl_lowongan_keahlian (id serial primary key, id_lowongan int not null, keahlian varchar(60) not null);
create table tbl_lamaran (id serial primary key, id_lowongan int not null, nama varchar(80), nik varchar(20), no_hp varchar(20));
create table users (id serial primary key, name varchar(80), email varchar(80), password varchar(120));
create table jobs (id bigserial primary key, queue varchar(40) not null, payload text not null, attempts smallint not null, reserved_at int);
create table log_lowongan (id bigserial primary key, id_lowongan int, aksi varchar(20), waktu timestamp);
create table kategori_lowongan (id serial primary key, nama varchar(60));

insert into ref_provinsi (nama) values ('Jawa Barat'), ('DKI Jakarta');
insert into ref_kota (nama, jenis, id_provinsi) values
  ('Bogor', 'Kota', 1), ('Bogor', 'Kabupaten', 1), ('Depok', 'Kota', 1), ('Jakarta Selatan', 'Kota', 2), ('Surabaya', 'Kota', 1);
insert into ref_bidang (nama) values ('Trading'), ('Perikanan');
insert into ref_jenis_kerja (nama) values ('Penuh Waktu'), ('Magang'), ('Harian');
insert into tbl_perusahaan (user_id, nama_perusahaan, id_kota, alamat, telepon, email, nib, id_bidang, deskripsi, website, logo, is_verified, deleted_at)
  select g, 'PT Contoh ' || g, 1 + g % 5, 'Jalan Melati ' || g, '0812-RAHASIA', 'rahasia' || g || '@contoh.co.id', '91200' || g, 1 + g % 2,
    '<p>Profil ' || g || '</p>', case when g % 2 = 0 then 'www.contoh' || g || '.co.id' else 'https://contoh' || g || '.co.id' end,
    'logo/' || g || '.png', g % 2, case when g = 7 then timestamp '2026-01-01' end
  from generate_series(1, 40) g;
insert into tbl_lowongan (id_perusahaan, judul, deskripsi, persyaratan, jumlah_kebutuhan, id_jenis_kerja, id_kota, jenis_kelamin, pendidikan, gaji_min, gaji_max, usia_min, usia_maks, tgl_tutup, status)
  select 1 + g % 40, 'Operator ' || g, '<p>Uraian</p>', 'Teliti', 3, 1 + g % 3, 1 + g % 5, (array['L', 'P', null])[1 + g % 3],
    (array['SMA', 'D3', 'S1', 'S2'])[1 + g % 4], 5000000, 7000000, 18, 35, date '2030-01-01' + g, (array['tayang', 'draft', 'tutup'])[1 + g % 3]
  from generate_series(1, 120) g;
insert into tbl_lowongan_keahlian (id_lowongan, keahlian) select g, k from generate_series(1, 120) g, unnest(array['C++', 'Microsoft Excel']) k;
insert into tbl_lamaran (id_lowongan, nama, nik, no_hp) select 1 + g % 120, 'Rahasia', '3201', '0812' from generate_series(1, 500) g;
insert into users (name, email, password) select 'Rahasia', 'rahasia', 'rahasia' from generate_series(1, 600) g;
insert into log_lowongan (id_lowongan, aksi) select 1 + g % 120, 'ubah' from generate_series(1, 900) g;
insert into kategori_lowongan (nama) values ('Teknik');
insert into jobs (queue, payload, attempts) select 'default', '{}', 0 from generate_series(1, 50);
