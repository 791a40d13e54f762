-- A portal for jobs: Indonesian names, drafts, filled and expired posts, pay that is kept back, pay by the year, skills by a link table.
create table sektor (id int primary key, nama text);
create table perusahaan (
  id int primary key, kode text unique, nama text, kota_kantor text, alamat_kantor text, alamat_penagihan text, kota_penagihan text,
  telepon text, surel text, tentang text, nib text, sektor_id int references sektor, situs text,
  status_verifikasi text, aktif boolean not null, dihapus_pada timestamptz, dibuat_pada timestamptz not null);
create table pengguna (id int primary key, perusahaan_id int references perusahaan, nama text, email text, hp text, kata_sandi text);
create table keahlian (id int primary key, kode text, nama text);
create table lowongan (
  id int primary key, nomor text unique, perusahaan_id int not null references perusahaan, pembuat_id int references pengguna, judul text, uraian text, kualifikasi text,
  kota_penempatan text, jenis_kerja text, cara_kerja text, pendidikan_min text, gaji_min int, gaji_max int, satuan_gaji text,
  tampilkan_gaji boolean not null, jumlah_dibutuhkan int, jumlah_dilihat int, pengalaman_tahun int, batas_lamaran date, dibuat_pada timestamptz,
  diubah_pada timestamptz, status text, dihapus_pada timestamptz, catatan_internal text, kontak_hp text, kontak_nama text, jenis_kelamin text);
create table lowongan_keahlian (lowongan_id int references lowongan, keahlian_id int references keahlian, primary key (lowongan_id, keahlian_id));
create index on lowongan_keahlian (lowongan_id);
insert into sektor select n, (array['Ritel','Logistik','Kuliner','Pendidikan'])[n] from generate_series(1, 4) n;
insert into perusahaan select n, 'PRS-' || n, 'PT ' || (array['Maju','Sinar','Karya','Bumi','Tirta'])[1 + n % 5] || ' ' || (array['Abadi','Jaya','Sentosa','Makmur'])[1 + n % 4] || ' ' || chr(64 + n % 26) || n,
  (array['Bandung','Surabaya','Semarang','Medan'])[1 + n % 4], 'Jl. Merdeka No. ' || n, 'Jl. Kasir No. ' || n, (array['Jakarta','Depok'])[1 + n % 2],
  '+62 22 42' || 10000 + n, 'hrd@perusahaan' || n || '.co.id', 'Kami perusahaan yang bergerak sejak ' || 1980 + n % 30, '91200' || 10000 + n, 1 + n % 4,
  'https://perusahaan' || n || '.co.id', (array['terverifikasi','terverifikasi','menunggu'])[1 + n % 3], n % 9 <> 0, case when n % 13 = 0 then now() - interval '9 days' end, now() - n * interval '5 days'
  from generate_series(1, 60) n;
insert into pengguna select n, 1 + n % 60, 'Orang ' || n, 'orang' || n || '@surat.co.id', '+62 812 77' || 10000 + n, 'x' from generate_series(1, 90) n;
insert into keahlian select n, (array['las','excel','menjahit','menyetir','kasir','barista','sql','desain'])[n], (array['Las','Excel','Menjahit','Menyetir','Kasir','Barista','SQL','Desain'])[n] from generate_series(1, 8) n;
insert into lowongan select n, 'LWG-' || 1000 + n, 1 + (n * 7) % 60, 1 + n % 90, (array['Operator','Staf','Kasir','Pengemudi','Juru masak','Perawat'])[1 + n % 6] || ' ' || (array['Gudang','Toko','Kantor','Lapangan'])[1 + n % 4] || ' ' || n,
  'Mengerjakan tugas harian di bagian ' || n || ' dengan teliti.', 'Jujur dan rajin, siap kerja tim ' || n, (array['Cimahi','Gresik','Solo','Binjai','Malang'])[1 + n % 5],
  (array['Penuh waktu','Paruh waktu','Kontrak','Magang'])[1 + n % 4], (array['Onsite','Remote','Hybrid'])[1 + n % 3], (array['SMA','SMK','D3','S1'])[1 + n % 4],
  (3000000 + (n % 20) * 150000) * case when n % 5 = 0 then 12 else 1 end, (5000000 + (n % 20) * 200000) * case when n % 5 = 0 then 12 else 1 end, case when n % 5 = 0 then 'tahun' else 'bulan' end,
  n % 4 <> 0, 1 + n % 9, n * 37 % 5000, n % 6, current_date + 5 + n % 60, now() - n * interval '3 hours', now() - n * interval '1 hours',
  (array['tayang','tayang','tayang','draf','kedaluwarsa','terisi'])[1 + n % 6 ], case when n % 17 = 0 then now() - interval '2 days' end,
  'hubungi pak Budi sebelum tayang ' || n, '+62 813 55' || 10000 + n, 'Budi ' || n, (array['L','P',null])[1 + n % 3]
  from generate_series(1, 240) n;
insert into lowongan_keahlian select n, k from generate_series(1, 240) n, generate_series(1, 8) k where (n + k) % 4 = 0;
