-- A district office that moved from MySQL: quoted names, no foreign keys, char flags, times as text.
-- expect companies name: NmPerusahaan
-- expect companies address: AlamatPerusahaan
-- expect companies region_id: KabKota
-- expect companies postal_code: KdPos
-- expect companies phone: NoTelp
-- expect companies email: Surel
-- expect companies license_number: NIB
-- expect companies industry: BidangUsaha
-- expect companies about: ProfilPerusahaan
-- expect companies website: LamanWeb
-- expect vacancies company_key: KdPerusahaan
-- expect vacancies title: NmLowongan
-- expect vacancies description: UraianTugas
-- expect vacancies qualification: Syarat
-- expect vacancies quota: JmlButuh
-- expect vacancies job_type: JnsKontrak
-- expect vacancies gender: JK
-- expect vacancies min_education: PendMin
-- expect vacancies min_salary_amount: GajiMin
-- expect vacancies max_salary_amount: GajiMaks
-- expect vacancies min_age: UsiaMin
-- expect vacancies max_age: UsiaMaks
-- expect vacancies min_experience: PengalamanThn
-- expect vacancies region_id: KotaPenempatan|KabKota
-- expect vacancies industry: BidangUsaha
-- expect vacancies expire_at: BatasTanggal
-- condition vacancies Sts: TAYANG
-- condition companies StsVerif: 1
create table "TB_PERUSAHAAN" (
  "KdPerusahaan" varchar(12) primary key, "NmPerusahaan" varchar(150) not null, "AlamatPerusahaan" text,
  "KabKota" varchar(60), "KdPos" char(5), "NoTelp" varchar(20), "NoFax" varchar(20), "Surel" varchar(80),
  "NIB" varchar(20), "BidangUsaha" varchar(60), "ProfilPerusahaan" text, "LamanWeb" varchar(120),
  "JmlKaryawan" integer, "JmlLaki" integer, "StsVerif" smallint, "TglInput" timestamp);
comment on column "TB_PERUSAHAAN"."StsVerif" is '0 = belum diverifikasi, 1 = terverifikasi';
create table "TB_LOWONGAN" (
  "NoLowongan" serial primary key, "KdPerusahaan" varchar(12) not null, "NmLowongan" varchar(120) not null,
  "UraianTugas" text, "Syarat" text, "JmlButuh" integer, "JmlPelamar" integer, "Dilihat" integer, "NoTelpHRD" varchar(20),
  "JnsKontrak" varchar(20), "JK" char(1), "PendMin" varchar(10), "GajiMin" numeric(12,0), "GajiMaks" numeric(12,0),
  "UsiaMin" smallint, "UsiaMaks" smallint, "PengalamanThn" smallint, "KotaPenempatan" varchar(60),
  "BatasTanggal" date, "Sts" varchar(10), "JnsPengumuman" varchar(20), "Kategori" varchar(10), "LampiranNo" varchar(30), "TglInput" timestamp);
insert into "TB_PERUSAHAAN" select 'P' || lpad(i::text, 5, '0'), 'PT Sumber Makmur ' || i, 'Jl. Merdeka No. ' || i,
  (array['Kota Bandung','Kab. Sleman','Kota Surabaya','Kota Depok'])[1 + i % 4], (40000 + i)::text, '022-70' || (1000 + i), null, 'hrd' || i || '@contoh.id',
  (9120000000000 + i)::text, (array['Manufaktur','Perdagangan','Konstruksi'])[1 + i % 3], 'Perusahaan yang bergerak di bidang produksi ' || i,
  'https://sumber' || i || '.example', 10 + i * 3, 4 + i, (i % 5 <> 0)::int, timestamp '2026-01-02 08:00' + i * interval '1 hour'
  from generate_series(1, 40) i;
insert into "TB_LOWONGAN" select i, 'P' || lpad((1 + i % 40)::text, 5, '0'), (array['Operator Produksi','Kasir','Teknisi Listrik','Staf Gudang'])[1 + i % 4],
  'Mengoperasikan mesin dan mencatat hasil kerja.', 'Teliti dan disiplin.', 1 + i % 12, i % 60, i * 17, '08123' || (10000 + i),
  (array['PKWT','Tetap','Magang'])[1 + i % 3], (array['L','P','-'])[1 + i % 3], (array['SMP','SMA','SMK','D3','S1'])[1 + i % 5], 2500000 + i * 1000, 3500000 + i * 1000,
  18, 30 + i % 10, i % 4, (array['Kota Bandung','Kab. Sleman','Kota Surabaya'])[1 + i % 3],
  date '2026-10-01' + i, (array['TAYANG','TAYANG','TAYANG','TUTUP','BATAL'])[1 + i % 5], (array['Umum','Khusus'])[1 + i % 2],
  (array['A','B'])[1 + i % 2], 'L/' || i, timestamp '2026-02-02 08:00' + i * interval '1 hour' from generate_series(1, 200) i;
