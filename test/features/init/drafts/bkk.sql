-- A vocational school's job exchange (BKK): Indonesian names, flags Y/T, dates as text of the day first, employers as mitra, one sentence as requirement.
-- expect companies name: nm_mitra
-- expect companies address: alamat_mitra
-- expect companies region_id: kabkota
-- expect companies phone: no_telp
-- expect companies email: surel
-- expect companies industry: bidang_usaha
-- expect vacancies company_key: id_mitra
-- expect vacancies title: posisi
-- expect vacancies description: uraian
-- expect vacancies quota: jml_dibutuhkan
-- expect vacancies gender: jk
-- expect vacancies min_education: pend_min
-- expect vacancies min_age: usia_min
-- expect vacancies max_age: usia_maks
-- expect vacancies region_id: kabkota|penempatan
-- expect vacancies expire_at: tgl_penutupan
-- expect vacancies qualification: syarat
-- expect vacancies industry: bidang_usaha
-- condition vacancies tampil: Y
create table mitra (id_mitra serial primary key, nm_mitra varchar(100) not null, alamat_mitra text, kabkota varchar(50), no_telp varchar(20), surel varchar(80), bidang_usaha varchar(60), nm_pimpinan varchar(60), thn_berdiri integer, jml_karyawan integer, mou char(1), tgl_mou text);
create table loker (id_loker serial primary key, id_mitra integer references mitra, posisi varchar(100) not null, uraian text, syarat text, jml_dibutuhkan integer, jml_pelamar integer, jk char(1), pend_min varchar(10), usia_min integer, usia_maks integer, penempatan varchar(50), tgl_terbit date, tgl_penutupan date, tampil char(1), no_urut integer, jml_hit integer, petugas varchar(50));
create table alumni (nis varchar(20) primary key, nama varchar(80), jk char(1), jurusan varchar(50), thn_lulus integer, no_hp varchar(20));
create table lamaran (id serial primary key, id_loker integer references loker, nis varchar(20) references alumni, tgl date, hasil varchar(20));
comment on column loker.jk is 'L laki-laki, P perempuan, B bebas';
insert into mitra select i, 'PT Mitra ' || i, 'Jl. Raya ' || i, (array['Kab. Bogor','Kota Depok','Kab. Bekasi'])[1 + i % 3], '021-77' || i, 'hrd@mitra' || i || '.example', (array['Otomotif','Garmen','Makanan'])[1 + i % 3], 'Rahasia', 1990 + i % 30, i * 20, (array['Y','T'])[1 + i % 2], '01-02-2026' from generate_series(1, 36) i;
insert into loker select i, 1 + i % 36, (array['Operator Produksi','Teknisi','Admin'])[1 + i % 3], 'Menjalankan mesin.', 'Sehat dan jujur.', 2 + i % 10, i % 40, (array['L','P','B'])[1 + i % 3], (array['SMK','SMA','D3'])[1 + i % 3], 18, 25 + i % 5, (array['Kab. Bogor','Kota Depok','Kab. Bekasi'])[1 + i % 3], date '2026-10-01' + i % 30, date '2026-12-01' + i % 40, (array['Y','Y','Y','T'])[1 + i % 4], i, i * 7, 'Rahasia' from generate_series(1, 110) i;
insert into alumni select 'N' || i, 'Rahasia', 'L', 'TKR', 2024, '0812' from generate_series(1, 40) i;
insert into lamaran select i, 1 + i % 110, 'N' || (1 + i % 40), date '2026-11-01', 'proses' from generate_series(1, 60) i;
