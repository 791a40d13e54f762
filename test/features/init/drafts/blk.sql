-- A training centre's own catalogue: no table of institutions, dates and places in batches below each training.
-- expect institutions name: '[^']+'
-- expect trainings institution_key: '[^']+'
-- expect trainings title: nama_pelatihan
-- expect trainings description: deskripsi
-- expect trainings price: biaya
-- expect trainings quota: kuota
-- expect trainings media: metode
-- expect trainings start_date: mulai
-- expect trainings finish_date: selesai
-- expect trainings expired_date: batas_daftar
-- expect trainings address: tempat
-- expect trainings region_id: kota
-- expect trainings certified: bersertifikat
-- expect trainings difficulty_level: tingkat
-- condition trainings stat: buka
create table ref_kejuruan (id serial primary key, kejuruan varchar(60) not null);
create table tbl_pelatihan (id serial primary key, nama_pelatihan varchar(150) not null, deskripsi text, id_kejuruan integer references ref_kejuruan, biaya numeric(12,0), metode varchar(20), bersertifikat smallint, tingkat varchar(20),
  jam_pelajaran integer, jumlah_materi integer, jumlah_dilihat integer, no_telp varchar(20), jenjang_sekolah varchar(20), stat varchar(10), created_at timestamp);
create table tbl_jadwal (id serial primary key, id_pelatihan integer not null references tbl_pelatihan, angkatan integer, kuota integer, tempat varchar(120), kota varchar(60), batas_daftar date, mulai date, selesai date);
create table tbl_pendaftar (id serial primary key, id_jadwal integer references tbl_jadwal, nama_lengkap text, nik text, tgl_lahir date);
insert into ref_kejuruan select i, (array['Las','Menjahit','Komputer'])[i] from generate_series(1, 3) i;
insert into tbl_pelatihan select i, (array['Las Listrik','Menjahit Dasar','Desain Grafis'])[1 + i % 3] || ' ' || i, 'Belajar dari dasar sampai mahir.', 1 + i % 3, 0, (array['luring','daring'])[1 + i % 2], i % 2, (array['dasar','menengah','mahir'])[1 + i % 3],
  240, 12, i * 9, '0274-55' || i, null, (array['buka','buka','tutup','penuh'])[1 + i % 4], timestamp '2026-01-01 08:00' from generate_series(1, 40) i;
insert into tbl_jadwal (id_pelatihan, angkatan, kuota, tempat, kota, batas_daftar, mulai, selesai) select 1 + i % 40, 1 + i / 40, 16, 'Gedung ' || i, (array['Kab. Sleman','Kota Yogyakarta','Kab. Bantul'])[1 + i % 3], date '2026-11-01' + i, date '2026-12-01' + i, date '2027-01-01' + i from generate_series(0, 79) i;
insert into tbl_pendaftar select i, 1 + i % 80, 'Rahasia', 'Rahasia', date '2000-01-01' from generate_series(1, 60) i;
