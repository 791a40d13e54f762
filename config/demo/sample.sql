-- The database of `placement-sync demo`: tables of an invented vendor of HR software, with a long history. Some keys
-- are UUIDs, some numbers, one is padded text; codes are the vendor's; rows are marked as deleted rather than removed;
-- texts hold HTML. The tables do not follow the platform's model: the queries and lookups translate.
--
-- In this order: tables, how values are chosen, lists to choose from, records that are all valid, rows that the queries
-- hide, records that are wrong on purpose. The last statement returns the wrong ones.
--
-- It must be sent as one text: then all of it is one transaction. The content is the same on every machine. Its days
-- are counted from today, so the sample never ages.
set local timezone to 'Asia/Jakarta';

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

-- How values are chosen: `record` names the record (company 17), `what` the value to choose. The same two always give
-- the same choice.

-- From 0 to below 1.
create function dice(record text, what text) returns float8 language sql immutable as $$
  select ('x' || left(md5(record || ' ' || what), 12))::bit(48)::bigint / (2 ^ 48)
$$;

create function chance(probability float8, record text, what text) returns boolean language sql immutable as $$
  select dice(record, what) < probability
$$;

create function whole(lowest bigint, highest bigint, record text, what text) returns bigint
language sql immutable as $$
  select lowest + floor(dice(record, what) * (highest - lowest + 1))::bigint
$$;

create function pick(items anyarray, record text, what text) returns anyelement language sql immutable as $$
  select items[whole(1, cardinality(items), record, what)]
$$;

create function several(items text[], count bigint, record text, what text) returns text[]
language sql immutable as $$
  select array(select item from unnest(items) item order by dice(record, what || item) limit count)
$$;

create function html_list(items text[]) returns text language sql immutable as $$
  select string_agg('<li>' || item || '</li>', '' order by place) from unnest(items) with ordinality _ (item, place)
$$;

-- So many days from today, by the clock of Jakarta: an early morning is still the day before in UTC.
create function moment(days bigint, clock time default '09:15') returns timestamptz language sql stable as $$
  select current_date + days::integer + clock
$$;

create function company_id(number bigint) returns uuid language sql immutable as $$
  select overlay(overlay(md5('company ' || number) placing '4' from 13) placing 'a' from 17)::uuid
$$;

-- Numbers from a range that is not in use.
create function telephone(dialling text, record text, what text) returns text language sql immutable as $$
  select dialling || '-555' || whole(1000, 9999, record, what)
$$;

create function address(record text) returns text language sql immutable as $$
  select pick(
      '{Jl. Jenderal Sudirman,Jl. Gatot Subroto,Jl. Diponegoro,Jl. Ahmad Yani,Jl. Pahlawan,Jl. Merdeka,Jl. Imam Bonjol,
        Jl. Veteran,Jl. Raya Industri,Jl. Kartini,Jl. Pemuda,Jl. Hasanuddin,Kawasan Niaga Sentosa Blok C,
        Ruko Permata Indah Blok B}'::text[],
      record, 'street')
    || ' No. ' || whole(1, 220, record, 'house')
    || case when chance(0.3, record, 'has block')
         then ', RT 00' || whole(1, 9, record, 'RT') || '/RW 0' || whole(10, 99, record, 'RW') else '' end
$$;

-- Lists to choose from. The codes are those of reference/; one of each kind is in no lookup.

-- Codes of the Ministry of Home Affairs, about the middle of the place, and how its postal codes and telephone numbers
-- begin.
create temporary table place (code, name, province, latitude, longitude, postal, dialling) on commit drop as values
  (1371, 'Kota Padang', 'Sumatera Barat', -0.947, 100.417, '251', '0751'),
  (1671, 'Kota Palembang', 'Sumatera Selatan', -2.976, 104.775, '301', '0711'),
  (1872, 'Kota Metro', 'Lampung', -5.113, 105.307, '341', '0725'),
  (2172, 'Kota Tanjungpinang', 'Kepulauan Riau', 0.919, 104.446, '291', '0771'),
  (3171, 'Jakarta Pusat', 'DKI Jakarta', -6.181, 106.835, '103', '021'),
  (3173, 'Jakarta Barat', 'DKI Jakarta', -6.168, 106.759, '114', '021'),
  (3174, 'Jakarta Selatan', 'DKI Jakarta', -6.266, 106.813, '121', '021'),
  (3175, 'Jakarta Timur', 'DKI Jakarta', -6.225, 106.9, '134', '021'),
  (3201, 'Kab. Bogor', 'Jawa Barat', -6.595, 106.816, '169', '0251'),
  (3204, 'Kab. Bandung', 'Jawa Barat', -7.025, 107.528, '403', '022'),
  (3215, 'Kab. Karawang', 'Jawa Barat', -6.305, 107.305, '413', '0267'),
  (3216, 'Kab. Bekasi', 'Jawa Barat', -6.366, 107.172, '175', '021'),
  (3276, 'Kota Depok', 'Jawa Barat', -6.402, 106.794, '164', '021'),
  (3404, 'Kab. Sleman', 'DI Yogyakarta', -7.716, 110.355, '555', '0274'),
  (3507, 'Kab. Malang', 'Jawa Timur', -8.13, 112.573, '651', '0341'),
  (3671, 'Kota Tangerang', 'Banten', -6.178, 106.63, '151', '021'),
  (5103, 'Kab. Badung', 'Bali', -8.58, 115.177, '803', '0361'),
  (5171, 'Kota Denpasar', 'Bali', -8.65, 115.217, '801', '0361'),
  (6371, 'Kota Banjarmasin', 'Kalimantan Selatan', -3.317, 114.59, '701', '0511'),
  (7171, 'Kota Manado', 'Sulawesi Utara', 1.475, 124.842, '951', '0431');

-- Kinds of work with what their vacancies say; pay a month in million rupiah.
create temporary table work
  (code text, name text, titles text[], duties text[], skills text[], education text[], low int, high int)
  on commit drop;
insert into work values
  ('F01', 'Keuangan & akuntansi', '{Staf Akuntansi,Staf Pajak,Kasir,Supervisor Keuangan}',
   '{Mencatat transaksi harian,Menyusun laporan bulanan,Menyiapkan faktur &amp; dokumen pajak,Rekonsiliasi bank}',
   '{microsoft-excel,akuntansi,perpajakan,ketelitian}', '{SMK,D3,S1}', 4, 9),
  ('F02', 'Personalia', '{Staf HRD,Rekruter,Staf Penggajian}',
   '{Menjalankan rekrutmen,Mengelola absensi &amp; cuti,Menghitung gaji bulanan}',
   '{rekrutmen,penggajian,komunikasi,microsoft-excel}', '{D3,S1}', 4, 9),
  ('F03', 'Umum & administrasi', '{Staf Administrasi,Resepsionis,Sekretaris}',
   '{Mengarsip dokumen,Menerima tamu &amp; telepon,Membuat surat keluar}',
   '{administrasi,microsoft-excel,komunikasi}', '{SMA,SMK,D3}', 3, 6),
  ('F04', 'Teknologi informasi', '{Backend Developer,Frontend Developer,Analis Sistem,QA Engineer}',
   '{Merancang &amp; menulis kode,Meninjau kode rekan,Menulis pengujian otomatis,Memelihara layanan}',
   '{sql,javascript,git,linux,bahasa-inggris}', '{D3,S1}', 7, 20),
  ('F05', 'Produksi', '{Operator Produksi,Operator Mesin CNC,Quality Control,Kepala Regu Produksi}',
   '{Menjalankan mesin sesuai prosedur,Memeriksa mutu hasil,Menjaga kebersihan &amp; keselamatan kerja}',
   '{k3,operator-mesin,ketelitian,kerja-sama-tim}', '{SMA,SMK}', 3, 6),
  ('F06', 'Perawatan mesin', '{Teknisi Listrik,Teknisi Mesin,Mekanik Alat Berat}',
   '{Perawatan berkala,Memperbaiki kerusakan,Mencatat suku cadang}',
   '{kelistrikan,mekanik,k3,membaca-gambar-teknik}', '{SMK,D3}', 4, 8),
  ('F07', 'Gudang & pengiriman', '{Staf Gudang,Pengemudi,Admin Logistik,Checker}',
   '{Menerima &amp; mengeluarkan barang,Menghitung stok,Menyiapkan surat jalan}',
   '{pergudangan,sim-b1,microsoft-excel,ketelitian}', '{SMP,SMA,SMK}', 3, 5),
  ('F08', 'Operasional bank', '{Teller,Analis Kredit,Account Officer}',
   '{Melayani nasabah,Memeriksa kelayakan kredit,Menjaga portofolio}',
   '{analisis-kredit,pelayanan-pelanggan,microsoft-excel}', '{D3,S1}', 5, 10),
  ('F09', 'Penjualan', '{Sales Executive,Pramuniaga,Kepala Toko,Sales Canvasser}',
   '{Menawarkan produk,Mencapai target bulanan,Menjaga hubungan dengan pelanggan}',
   '{penjualan,negosiasi,komunikasi,sim-c}', '{SMA,SMK,D3}', 3, 8),
  ('F10', 'Teknik', '{Pelaksana Lapangan,Surveyor,Drafter,Estimator}',
   '{Mengawasi pekerjaan di lapangan,Menghitung volume &amp; biaya,Membuat gambar kerja}',
   '{autocad,membaca-gambar-teknik,k3}', '{SMK,D3,S1}', 5, 11),
  ('F11', 'Pengajaran', '{Guru Bahasa Inggris,Instruktur Komputer,Tutor Matematika}',
   '{Menyiapkan materi,Mengajar kelas,Menilai kemajuan siswa}',
   '{mengajar,bahasa-inggris,komunikasi}', '{S1}', 3, 7),
  ('F12', 'Dapur', '{Juru Masak,Asisten Juru Masak,Baker}',
   '{Menyiapkan bahan,Memasak sesuai resep,Menjaga kebersihan dapur}',
   '{memasak,kebersihan-pangan,kerja-sama-tim}', '{SMP,SMA,SMK}', 3, 6),
  ('F13', 'Tenaga kesehatan', '{Perawat,Asisten Apoteker,Analis Laboratorium}',
   '{Melayani pasien,Mencatat rekam medis,Menyiapkan obat &amp; alat}',
   '{keperawatan,farmasi,ketelitian}', '{D3,S1}', 4, 9),
  ('F14', 'Administrator TI', '{Administrator Jaringan,IT Support,Administrator Basis Data}',
   '{Menjaga jaringan &amp; peladen,Membantu pengguna,Membuat cadangan data}',
   '{linux,jaringan,sql}', '{SMK,D3,S1}', 5, 12),
  ('F15', 'Pelayanan restoran', '{Pramusaji,Barista,Kapten Restoran}',
   '{Melayani tamu,Menyajikan minuman &amp; makanan,Menerima pembayaran}',
   '{pelayanan-pelanggan,komunikasi,bahasa-inggris}', '{SMA,SMK}', 3, 5),
  ('F16', 'Layanan pelanggan', '{Customer Service,Agen Call Center}',
   '{Menjawab pertanyaan pelanggan,Mencatat keluhan,Menindaklanjuti penyelesaian}',
   '{pelayanan-pelanggan,komunikasi,microsoft-excel}', '{SMA,D3}', 3, 6);

-- Lines of business with words for names of companies, the end of "Perusahaan yang bergerak di bidang …", and the
-- kinds of work that such companies hire for, besides those of every office.
create temporary table industry (code text, name text, words text[], field text, functions text[]) on commit drop;
insert into industry values
  ('A01', 'Otomotif & suku cadang', '{Otomotif,Motor,Komponen}', 'suku cadang kendaraan', '{F05,F06,F07}'),
  ('B02', 'Bank & pembiayaan', '{Finansial,Kapital,Pembiayaan}', 'pembiayaan &amp; jasa keuangan', '{F08,F09}'),
  ('C03', 'Bahan bangunan', '{Beton,Keramik,Baja}', 'bahan bangunan &amp; saniter', '{F05,F07,F10}'),
  ('D04', 'Pendidikan', '{Edukasi,Cendekia,Pustaka}', 'pendidikan &amp; pelatihan', '{F11}'),
  ('E05', 'Barang konsumsi', '{Konsumindo,Sejahtera Food,Niaga}', 'produk kebutuhan sehari-hari', '{F05,F07,F09}'),
  ('E06', 'Makanan & minuman', '{Pangan,Boga,Tirta}', 'makanan &amp; minuman olahan', '{F05,F07,F12}'),
  ('F07', 'Kesehatan & farmasi', '{Medika,Farma,Husada}', 'layanan kesehatan &amp; farmasi', '{F13,F09}'),
  ('G08', 'Perangkat lunak & telekomunikasi', '{Teknologi,Digital,Solusi}', 'perangkat lunak &amp; telekomunikasi',
   '{F04,F14}'),
  ('H09', 'Pabrik umum', '{Manufaktur,Industri,Presisi}', 'manufaktur', '{F05,F06,F07}'),
  ('I10', 'Tambang & energi', '{Energi,Mineral,Tambang}', 'pertambangan &amp; energi', '{F06,F10}'),
  ('J11', 'Properti', '{Properti,Graha,Griya}', 'pengembangan properti', '{F10,F09}'),
  ('K12', 'Restoran & kafe', '{Kuliner,Rasa,Dapur}', 'restoran &amp; jasa boga', '{F12,F15}'),
  ('L13', 'Perdagangan', '{Perdagangan,Dagang,Distribusi}', 'perdagangan besar &amp; eceran', '{F07,F09}'),
  ('M14', 'Angkutan & gudang', '{Logistik,Trans,Kargo}', 'angkutan &amp; pergudangan', '{F07,F06}');

insert into kota select code, name, province from place union all values (9471, 'Kota Jayapura', 'Papua');
insert into bidang_usaha select code, name from industry union all values ('X90', 'Lain-lain (katalog lama)');
insert into fungsi_kerja select code, name from work union all values ('F99', 'Keberlanjutan');
insert into keahlian
  select row_number() over (order by skill collate "C"), skill, replace(skill, '-', ' ')
  from (select distinct unnest(skills) as skill from work) _;

-- 204 companies with different names. The last four are deleted.
create temporary table company on commit drop as
  select number, 'company ' || number as record, company_id(number) as id, name,
    replace(lower(name), ' ', '-') as slug, industry, functions,
    pick(array(select code from place order by code), 'company ' || number, 'place') as place
  from (
    select row_number() over (order by md5(head || word)) as number, i.code as industry,
      i.functions || '{F01,F02,F03,F16}'::text[] as functions,
      head || ' ' || word || ' '
        || pick('{Abadi,Makmur,Sejati,Lestari,Jaya,Utama,Mandiri,Persada}'::text[], head || word, 'tail') as name
    from industry i, unnest(i.words) word, unnest('{Sumber,Cipta,Karya,Mitra,Bintang,Surya,Tunas,Multi,Anugerah,Cakra,
      Dwi,Prima,Samudra,Nusa}'::text[]) head
  ) _
  where number <= 204;

insert into perusahaan
select c.id, case when chance(0.75, record, 'form') then 'PT' else 'CV' end, c.name,
  whole(1000000000000, 9999999999999, record, 'licence'), industry, p.code, address(record),
  p.postal || whole(10, 99, record, 'postal code'),
  case when chance(0.6, record, 'website') then 'https://' || slug || '.example.co.id' end,
  '<p><strong>' || c.name || '</strong> bergerak di bidang ' || i.field || ' dan berdiri sejak '
    || whole(1975, 2021, record, 'year') || E'.</p>\n<p>Dari ' || p.name || ' kami bekerja bersama '
    || whole(2, 90, record, 'staff') * 10 || ' karyawan.<br>Pelamar tidak dipungut biaya.</p>',
  case when located then p.latitude + whole(-40000, 40000, record, 'latitude') / 1e6 end,
  case when located then p.longitude + whole(-40000, 40000, record, 'longitude') / 1e6 end,
  case when chance(0.5, record, 'logo') then 'logo/' || slug || '.png' end,
  case when chance(0.2, record, 'cover') then 'sampul/' || slug || '.jpg' end,
  moment(-age), moment(-whole(1, age, record, 'changed'), '16:40'), case when number > 200 then moment(-20) end
from company c
join place p on p.code = c.place
join industry i on i.code = c.industry
cross join lateral (select chance(0.7, record, 'located') as located, whole(200, 1500, record, 'age') as age) _
order by number;

-- One in four has a second contact.
insert into kontak_perusahaan
select row_number() over (order by number, main desc), c.id, case when main then 'Bagian Personalia' else 'Kantor' end,
  telephone(p.dialling, record, 'telephone ' || main),
  case when main then 'hrd@' else 'info@' end || slug || '.example.co.id', main
from company c
join place p on p.code = c.place
cross join (values (true), (false)) _ (main)
where main or chance(0.25, record, 'second contact');

-- 1,600 published vacancies of the companies that stay valid (194). Only the companies of the last five do not.
create temporary table vacancy on commit drop as
  select id, 'vacancy ' || id as record, case when id < 11596 then whole(1, 194, 'vacancy ' || id, 'company')
    else ('{195,196,197,201,202}'::int[])[id - 11595] end as company
  from generate_series(10001, 11600) id;

insert into lowongan overriding system value
select v.id, c.id, 'LK-' || extract(year from current_date) || '-' || v.id, pick(w.titles, v.record, 'title'),
  '<p>' || p.bentuk || ' ' || c.name || ' mencari rekan baru di bagian <b>' || replace(w.name, '&', '&amp;')
    || E'</b>.</p>\n<p>Tugas:</p>\n<ul>'
    || html_list(several(w.duties, whole(2, cardinality(w.duties), v.record, 'duties'), v.record, 'duty')) || '</ul>',
  '<ol>' || html_list('Pendidikan ' || array_to_string(w.education, '/') || several(
    '{Jujur &amp; bertanggung jawab,Bersedia bekerja dalam <i>shift</i>,Mampu bekerja dalam tim,
      Domisili di sekitar kantor,Dapat segera bergabung}'::text[],
    whole(2, 4, v.record, 'wishes'), v.record, 'wish')) || '</ol>',
  case when chance(0.7, v.record, 'few') then whole(1, 4, v.record, 'quota') else whole(5, 40, v.record, 'quota') end,
  w.code,
  pick('{TETAP,TETAP,TETAP,KONTRAK,KONTRAK,KONTRAK,PARUH WAKTU,MAGANG,HARIAN}'::jenis_kontrak[], v.record, 'type'),
  case when chance(0.2, v.record, 'elsewhere')
    then pick(array(select code from place order by code), v.record, 'place') end,
  case when chance(0.15, v.record, 'has gender') then pick('{L,P}'::text[], v.record, 'gender') end,
  case when chance(0.95, v.record, 'has education') then pick(w.education, v.record, 'education') end,
  case when pay_known <= 8 then pay end,
  case when pay_known <= 6 then pay + whole(4, 60, v.record, 'more pay') * 50000 end,
  chance(0.15, v.record, 'secret pay'), case when chance(0.1, v.record, 'single') then 'B' end,
  case when aged then youngest end, case when aged then youngest + whole(7, 20, v.record, 'ages') end,
  case when chance(0.5, v.record, 'has experience') then pick('{6,12,18,24,36,60}'::int[], v.record, 'experience') end,
  case when chance(0.6, v.record, 'disability known') then chance(0.3, v.record, 'disability') end,
  chance(0.05, v.record, 'confidential'),
  'https://karier.example.co.id/' || c.slug || '/lowongan/' || v.id || '?asal=mitra',
  -- Some end just after midnight: another day in UTC.
  moment(whole(5, 90, v.record, 'deadline'), pick('{23:59:59,23:59:59,17:00,00:30}'::time[], v.record, 'hour')),
  'TAYANG', moment(-published - 2), moment(-whole(0, published, v.record, 'changed'), '14:05')
from vacancy v
join company c on c.number = v.company
join perusahaan p on p.id = c.id
join work w on w.code = pick(c.functions, v.record, 'work')
cross join lateral (
  -- Pay goes in steps of 50,000; sometimes only one end is known, sometimes none.
  select whole(w.low * 20, w.high * 20 - 10, v.record, 'pay') * 50000 as pay,
    whole(1, 10, v.record, 'pay known') as pay_known, chance(0.6, v.record, 'aged') as aged,
    whole(18, 25, v.record, 'age') as youngest, whole(1, 60, v.record, 'published') as published
) _
order by v.id;
select setval(pg_get_serial_sequence('lowongan', 'id'), max(id)) from lowongan;

insert into lowongan_keahlian
select v.id, k.id
from vacancy v
join lowongan l on l.id = v.id
join work w on w.code = l.fungsi_kode
join keahlian k on k.kode = any (
  several(w.skills, whole(0, least(4, cardinality(w.skills)), record, 'skills'), record, 'skill'));

-- 64 institutions. The codes are two characters shorter than the column, which pads them. The last four are not active.
insert into lembaga_pelatihan
select record,
  pick('{LPK,LPK,LKP,BLK Komunitas,Balai Latihan}'::text[], record, 'kind') || ' '
    || pick('{Bina Karya,Tunas Terampil,Cahaya Ilmu,Maju Bersama,Sinar Harapan,Insan Kreatif,Graha Komputer,Bahari,
         Nusantara Jaya,Wira Usaha,Busana Indah,Otomotif Muda}'::text[], record, 'name') || ' '
    || regexp_replace(p.name, '^(Kota|Kab\.) ', ''),
  p.code, address(record),
  case when chance(0.85, record, 'has telephone') then telephone(p.dialling, record, 'telephone') end,
  case when chance(0.7, record, 'has mail') then lower(record) || '@pelatihan.example.co.id' end,
  case when chance(0.4, record, 'logo') then 'lembaga/' || lower(record) || '.png' end,
  number <= 60, moment(-whole(1, 400, record, 'changed'), '10:20')
from generate_series(1, 64) number
cross join lateral (select 'LPK-' || to_char(number, 'FM0000') as record) _
join place p on p.code = pick(array(select code from place order by code), record, 'place')
order by number;

-- 90 classes of the institutions that stay valid (58), one in twelve without an institution.
insert into kelas_pelatihan
select number, case when number % 12 <> 0 then i.kode end, 'Pelatihan ' || subject,
  '<p>Pelatihan <b>' || subject || '</b> untuk pencari kerja &amp; pekerja.</p>', online,
  case when not online then i.kota_kode end, case when not online then i.jalan end,
  pick('{D,D,D,L,M}'::text[], record, 'level'), pick('{0,150000,250000,500000,1250000}'::int[], record, 'fee'),
  whole(8, 40, record, 'places'), chance(0.8, record, 'certificate'), chance(0.3, record, 'BNSP'),
  current_date + start - 7, current_date + start, current_date + start + whole(2, 30, record, 'length')::int,
  case when chance(0.5, record, 'picture') then 'kelas/' || number || '.jpg' end
from generate_series(501, 590) number
cross join lateral (
  select 'class ' || number as record, whole(20, 90, 'class ' || number, 'start')::int as start,
    chance(0.3, 'class ' || number, 'online') as online,
    pick('{Barista,Menjahit Busana,Las Listrik,Servis Sepeda Motor,Tata Boga,Instalasi Listrik,Desain Grafis,
      Administrasi Perkantoran,Operator Forklift,Tata Rias,Pemrograman Web,Bahasa Jepang}'::text[],
      'class ' || number, 'subject') as subject
) _
join lembaga_pelatihan i on i.kode = 'LPK-' || to_char(whole(1, 58, record, 'institution'), 'FM0000');

-- Rows that the queries hide: drafts, closed, expired and deleted vacancies.
update lowongan set status = 'DRAF' where id between 11490 and 11529;
update lowongan set status = 'DITUTUP' where id between 11530 and 11559;
update lowongan set batas_lamaran = moment(-3, '23:59:59') where id between 11560 and 11579;
update lowongan set dihapus_pada = moment(-1) where id between 11580 and 11589;

-- Records that are wrong on purpose, by their key in the queries, with the result that the sync must give (`invalid`:
-- not sent; `warning`: sent; `waiting`: its company is not sent, so it waits) and the contract's column that shows it.
create temporary table broken (entity, key, expect, "column", reason, change) on commit drop as values
  ('companies', company_id(195)::text, 'invalid', 'name', 'it has no name', 'nama_badan = null'),
  ('companies', company_id(196)::text, 'invalid', 'website', 'its website is not a URL',
   $$situs_web = 'instagram: @tokokami'$$),
  ('companies', company_id(197)::text, 'invalid', 'latitude', 'its latitude lacks the decimal point',
   'lintang = -617.5, bujur = 106.8'),
  ('companies', company_id(198)::text, 'invalid', 'industry', 'its line of business X90 is in no lookup',
   $$bidang_kode = 'X90'$$),
  ('companies', company_id(199)::text, 'invalid', 'industry', 'its line of business X90 is in no lookup',
   $$bidang_kode = 'X90'$$),
  ('companies', company_id(200)::text, 'invalid', 'region_id', 'its city 9471 is in no lookup', 'kota_kode = 9471'),
  ('vacancies', '11590', 'invalid', 'title', 'it has no title', 'judul = null'),
  ('vacancies', '11591', 'invalid', 'quota', 'its number of positions is the word “many”',
   $$jumlah_posisi = 'banyak'$$),
  ('vacancies', '11592', 'warning', 'quota', 'its number of positions is a fraction, which is rounded',
   $$jumlah_posisi = '2.5'$$),
  ('vacancies', '11593', 'invalid', 'job_function', 'its function F99 is in no lookup', $$fungsi_kode = 'F99'$$),
  ('vacancies', '11594', 'invalid', 'region_id', 'its city 9471 is in no lookup', 'kota_kode = 9471'),
  ('vacancies', '11595', 'invalid', 'client_url', 'its link is a sentence',
   $$tautan_lamaran = 'kirim lamaran lewat surel'$$),
  ('vacancies', '11596', 'waiting', 'company_key', 'its company is invalid', null),
  ('vacancies', '11597', 'waiting', 'company_key', 'its company is invalid', null),
  ('vacancies', '11598', 'waiting', 'company_key', 'its company is invalid', null),
  ('vacancies', '11599', 'waiting', 'company_key', 'its company was deleted', null),
  ('vacancies', '11600', 'waiting', 'company_key', 'its company was deleted', null),
  ('institutions', 'LPK-0059', 'invalid', 'name', 'its name is blank', $$nama = '   '$$),
  ('institutions', 'LPK-0060', 'invalid', 'region_id', 'its city 9471 is in no lookup', 'kota_kode = 9471'),
  ('trainings', '589', 'invalid', 'quota', 'its number of places is text', $$kursi = 'sekitar 20'$$),
  ('trainings', '590', 'invalid', 'difficulty_level', 'its level X is in no lookup', $$tingkat = 'X'$$);

do $$
declare one record;
begin
  for one in
    select change, key, tabel, column_of_key
    from broken
    join (values ('companies', 'perusahaan', 'id'), ('vacancies', 'lowongan', 'id'),
      ('institutions', 'lembaga_pelatihan', 'kode'), ('trainings', 'kelas_pelatihan', 'nomor'))
      _ (entity, tabel, column_of_key) using (entity)
    where change is not null
  loop
    execute format('update %I set %s where %I::text = %L', one.tabel, one.change, one.column_of_key, one.key);
  end loop;
end $$;

drop function address, telephone, company_id, moment, html_list, several, pick, whole, chance, dice;
analyze;
select entity, key, expect, "column", reason from broken;
