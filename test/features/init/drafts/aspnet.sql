-- A district's system in quoted mixed case: Id and Kd columns, Sts as a digit with a comment, views for the public, pay in thousands named so.
-- expect companies name: NamaPerusahaan
-- expect companies address: Alamat
-- expect companies postal_code: KdPos
-- expect companies phone: Telepon
-- expect companies email: Email
-- expect companies region_id: KabKota
-- expect vacancies company_key: PerusahaanId
-- expect vacancies title: NamaJabatan
-- expect vacancies description: UraianPekerjaan
-- expect vacancies quota: JmlLowongan
-- expect vacancies min_education: PendMin
-- expect vacancies gender: JnsKelamin
-- expect vacancies expire_at: TglKadaluarsa
-- expect vacancies region_id: KabKota|LokasiKerja
-- expect vacancies min_salary_amount: UpahMin
-- expect vacancies max_salary_amount: UpahMaks
-- condition vacancies Sts: 1
create table "Perusahaan" ("Id" uuid primary key, "NamaPerusahaan" varchar(150) not null, "Alamat" varchar(250), "KdPos" varchar(5), "Telepon" varchar(30), "Email" varchar(100), "KabKota" varchar(60), "NamaPimpinan" varchar(80), "JmlTenagaKerja" integer, "Aktif" boolean, "TglInput" timestamp);
create table "Lowongan" ("Id" uuid primary key, "PerusahaanId" uuid references "Perusahaan", "NoLowongan" varchar(20), "NamaJabatan" varchar(120) not null, "UraianPekerjaan" text, "JmlLowongan" integer, "JmlTerisi" integer, "PendMin" varchar(20), "JnsKelamin" varchar(12), "UpahMin" numeric(12,0), "UpahMaks" numeric(12,0), "LokasiKerja" varchar(60), "TglKadaluarsa" date, "Sts" smallint not null, "Dilihat" integer, "UserInput" varchar(40), "TglInput" timestamp);
create table "PencariKerja" ("Id" uuid primary key, "Nama" varchar(80), "NIK" varchar(16), "TglLahir" date, "NoHp" varchar(20));
comment on column "Lowongan"."Sts" is '0 = konsep, 1 = tayang, 2 = tutup';
insert into "Perusahaan" select md5('c' || i)::uuid, 'PT Sejahtera ' || i, 'Jl. Pahlawan ' || i, (60200 + i)::text, '031-7' || i, 'info@sejahtera' || i || '.example', (array['Kab. Gresik','Kab. Sidoarjo','Kota Surabaya'])[1 + i % 3], 'Rahasia', i * 12, i % 8 <> 0, timestamp '2026-01-01' from generate_series(1, 40) i;
insert into "Lowongan" select md5('v' || i)::uuid, md5('c' || (1 + i % 40))::uuid, 'L-' || i, (array['Welder','Staf QC','Kurir'])[1 + i % 3], 'Mengelas sesuai gambar.', 1 + i % 7, 0, (array['SMA/SMK','D3','S1'])[1 + i % 3], (array['Laki-laki','Perempuan','L/P'])[1 + i % 3], 4200000 + i * 1000, 5200000 + i * 1000, (array['Kab. Gresik','Kab. Sidoarjo','Kota Surabaya'])[1 + i % 3], date '2026-12-10' + i % 50, (array[1, 1, 0, 2])[1 + i % 4], i * 5, 'Rahasia', timestamp '2026-01-01' from generate_series(1, 120) i;
insert into "PencariKerja" select md5('p' || i)::uuid, 'Rahasia', '35780' || i, date '2000-01-01', '0812' from generate_series(1, 40) i;
