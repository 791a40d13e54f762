/** A database with right queries, and mistakes as a hurried person or a language model makes them, one at a time. */
export interface JudgedWorld {
  readonly schema: string;
  readonly timeZone?: string;
  readonly plainText?: Readonly<Record<string, readonly string[]>>;
  readonly queries: Readonly<Record<string, string>>;
  /** Entity, a part of its query, what stands there instead, and the check that names it. */
  readonly mistakes: readonly (readonly [entity: string, from: string, to: string, check: string])[];
}

const VACANCY_LOKER = `select l.id as key, l.perusahaan_id as company_key, l.judul as title,
  l.uraian as description,
  l.kualifikasi as qualification,
  l.kota_penempatan as region_id,
  l.jenis_kerja as job_type,
  l.pendidikan_min as min_education,
  l.jenis_kelamin as gender,
  s.nama as industry,
  case when l.tampilkan_gaji then round(l.gaji_min / case when l.satuan_gaji = 'tahun' then 12.0 else 1 end) end as min_salary_amount,
  case when l.tampilkan_gaji then round(l.gaji_max / case when l.satuan_gaji = 'tahun' then 12.0 else 1 end) end as max_salary_amount,
  l.jumlah_dibutuhkan as quota,
  l.pengalaman_tahun as min_experience,
  k.nama as skills,
  l.batas_lamaran as expire_at,
  l.diubah_pada as row_version
from lowongan l
join perusahaan p on p.id = l.perusahaan_id
  and p.aktif and p.dihapus_pada is null and p.status_verifikasi = 'terverifikasi'
join sektor s on s.id = p.sektor_id
left join (select lk.lowongan_id, array_agg(a.kode order by a.kode) as nama
  from lowongan_keahlian lk join keahlian a on a.id = lk.keahlian_id group by lk.lowongan_id) k on k.lowongan_id = l.id
where l.status = 'tayang'
  and l.dihapus_pada is null`;

const LOKER: JudgedWorld = {
  schema: 'loker.sql',
  queries: {
    companies: `select p.id as key, p.nama as name, p.kota_kantor as region_id, p.alamat_kantor as address,
  p.telepon as phone, p.surel as email, p.tentang as about, p.nib as license_number, s.nama as industry, p.situs as website
from perusahaan p join sektor s on s.id = p.sektor_id
where p.aktif and p.dihapus_pada is null
  and p.status_verifikasi = 'terverifikasi'`,
    vacancies: VACANCY_LOKER,
  },
  mistakes: [
    ['companies', 'where p.aktif', 'where not p.aktif', 'kept'],
    ['companies', 'p.dihapus_pada is null', 'p.dihapus_pada is not null', 'kept'],
    ['companies', 'p.aktif and p.dihapus_pada is null', 'p.aktif', 'kept'],
    ['companies', "= 'terverifikasi'", "<> 'terverifikasi'", 'kept'],
    ['companies', 'p.kota_kantor as region_id', 'p.kota_penagihan as region_id', 'unused'],
    ['companies', 'p.alamat_kantor as address', 'p.alamat_penagihan as address', 'unused'],
    ['companies', 'p.telepon as phone, p.surel as email', 'p.surel as phone, p.telepon as email', 'meaning'],
    ['companies', 'p.nama as name', 'p.kode as name', 'unused'],
    ['companies', 'p.nib as license_number', 'p.kode as license_number', 'unused'],
    ['companies', 'p.id as key', 'p.nama as key', 'keys'],
    ['companies', 'p.id as key', 'row_number() over (order by p.nama) as key', 'keys'],
    ['companies', 'p.id as key', "p.id || '-' || p.dibuat_pada as key", 'keys'],
    [
      'companies',
      'p.surel as email',
      '(select u.email from pengguna u where u.perusahaan_id = p.id order by u.id limit 1) as email',
      'people',
    ],
    ['companies', 'p.tentang as about', "p.tentang || ' Telp. ' || p.telepon as about", 'people'],
    ['vacancies', "l.status = 'tayang'", "l.status <> 'draf'", 'kept'],
    ['vacancies', "l.status = 'tayang'", "l.status = 'draf'", 'kept'],
    ['vacancies', "l.status = 'tayang'", 'l.status is not null', 'kept'],
    ['vacancies', 'and l.dihapus_pada is null', 'and p.dihapus_pada is null', 'kept'],
    ['vacancies', 'and l.dihapus_pada is null', '', 'kept'],
    ['vacancies', "where l.status = 'tayang'", "where (l.status = 'tayang' or l.tampilkan_gaji)", 'kept'],
    ['vacancies', 'l.kota_penempatan as region_id', 'p.kota_kantor as region_id', 'unused'],
    ['vacancies', 'l.kota_penempatan as region_id', 'l.cara_kerja as region_id', 'meaning'],
    ['vacancies', 'l.kota_penempatan as region_id', "'Bandung' as region_id", 'unused'],
    ['vacancies', 'l.batas_lamaran as expire_at', 'l.dibuat_pada::date as expire_at', 'unused'],
    ['vacancies', 'l.batas_lamaran as expire_at', "date '2030-12-31' as expire_at", 'unused'],
    ['vacancies', 'l.batas_lamaran as expire_at', 'cast(null as date) as expire_at', 'unused'],
    ['vacancies', 'l.jumlah_dibutuhkan as quota', 'l.jumlah_dilihat as quota', 'unused'],
    ['vacancies', 'l.jumlah_dibutuhkan as quota', '1 as quota', 'unused'],
    ['vacancies', 'l.jenis_kerja as job_type', 'l.cara_kerja as job_type', 'meaning'],
    ['vacancies', 'l.jenis_kerja as job_type', "'Penuh waktu' as job_type", 'unused'],
    ['vacancies', 'l.jenis_kerja as job_type', 'l.pendidikan_min as job_type', 'meaning'],
    ['vacancies', 'l.pengalaman_tahun as min_experience', '0 as min_experience', 'unused'],
    [
      'vacancies',
      "round(l.gaji_min / case when l.satuan_gaji = 'tahun' then 12.0 else 1 end)",
      'l.gaji_min',
      'pay',
    ],
    [
      'vacancies',
      'case when l.tampilkan_gaji then round(l.gaji_min',
      'case when true then round(l.gaji_min',
      'pay',
    ],
    [
      'vacancies',
      'case when l.tampilkan_gaji then round(l.gaji_min',
      'case when not l.tampilkan_gaji then round(l.gaji_min',
      'pay',
    ],
    ['vacancies', 'then 12.0 else', 'then 1.0 / 12 else', 'pay'],
    ['vacancies', 'l.perusahaan_id as company_key', "'1' as company_key", 'parents'],
    ['vacancies', 'l.perusahaan_id as company_key', 'l.pembuat_id as company_key', 'parents'],
    ['vacancies', 'l.perusahaan_id as company_key', 'p.sektor_id as company_key', 'parents'],
    ['vacancies', 'select l.id as key', 'select md5(l.judul || now()::text) as key', 'keys'],
    ['vacancies', 'select l.id as key', 'select l.judul as key', 'keys'],
    ['vacancies', 'select l.id as key', 'select row_number() over () as key', 'keys'],
    ['vacancies', 'l.judul as title', 'l.nomor as title', 'unused'],
    ['vacancies', 'l.judul as title', "'Lowongan kerja' as title", 'unused'],
    ['vacancies', 'l.uraian as description', 'l.catatan_internal as description', 'unused'],
    [
      'vacancies',
      'l.uraian as description',
      "l.uraian || ' Hubungi ' || l.kontak_hp as description",
      'people',
    ],
    ['vacancies', 'l.uraian as description', "l.uraian || ' Kirim ke ' || p.surel as description", 'people'],
    ['vacancies', 'l.uraian as description', "l.uraian || ' NIK 3273014506900001' as description", 'people'],
    ['vacancies', 'l.judul as title', "l.judul || ' (' || l.kontak_nama || ')' as title", 'people'],
    ['vacancies', 'l.diubah_pada as row_version', 'now() as row_version', 'stable-rows'],
    ['vacancies', 'l.diubah_pada as row_version', 'random()::text as row_version', 'stable-rows'],
    ['vacancies', 'and l.dihapus_pada is null', 'and l.dihapus_pada is null limit 100', 'order'],
    [
      'vacancies',
      'and l.dihapus_pada is null',
      'and l.dihapus_pada is null order by l.id limit 50 offset 50',
      'order',
    ],
    ['vacancies', 'select l.id as key', 'select distinct on (l.id) l.id as key', 'order'],
    ['vacancies', 'k.nama as skills', 'l.kualifikasi as skills', 'meaning'],
    ['vacancies', 'array_agg(a.kode order by a.kode)', 'string_agg(a.kode, chr(44))', 'stable-rows'],
    [
      'vacancies',
      'k.nama as skills',
      '(select a.kode from lowongan_keahlian x join keahlian a on a.id = x.keahlian_id where x.lowongan_id = l.id limit 1) as skills',
      'order',
    ],
    [
      'vacancies',
      'l.judul as title',
      "case when l.id % 9 = 0 then 'tes' else l.judul end as title",
      'placeholders',
    ],
    [
      'companies',
      'p.telepon as phone',
      "regexp_replace(p.telepon, '[^0-9]', '', 'g')::bigint as phone",
      'meaning',
    ],
    [
      'companies',
      'p.nama as name',
      "case when p.id % 9 = 1 then 'Demo ' || p.id else p.nama end as name",
      'placeholders',
    ],
    [
      'vacancies',
      'l.batas_lamaran as expire_at',
      "(l.dibuat_pada at time zone 'UTC')::date + 30 as expire_at",
      'zone',
    ],
    ['vacancies', 'l.pengalaman_tahun as min_experience', 'cast(null as int) as min_experience', 'unused'],
    ['vacancies', 'l.kualifikasi as qualification', 'l.uraian as qualification', 'unused'],
    ['vacancies', 'l.perusahaan_id as company_key', 'p.kode as company_key', 'parents'],
    [
      'vacancies',
      'l.uraian as description',
      "case when l.id % 9 = 0 then 'Lorem ipsum dolor sit amet' else l.uraian end as description",
      'placeholders',
    ],
  ],
};

const BOARD: JudgedWorld = {
  schema: 'board.sql',
  plainText: { vacancies: ['description'] },
  queries: {
    companies: `select e."id" as key, e."displayName" as name, c."name" as region_id, e."streetAddress" as address, e."email" as email, e."phone" as phone,
  e."aboutUs" as about, e."licenseNo" as license_number, e."website" as website
from "Employer" e
left join "Place" c on c."id" = e."placeId"
where e."isActive" and not e."isDemo" and e."deletedAt" is null`,
    vacancies: `with live as (
  select * from "JobPost" j
  where j."state" = 'LIVE' and not j."isArchived" and j."deletedAt" is null and j."publishedAt" is not null
    and not exists (select 1 from "PostFlag" f where f."postId" = j."id" and f."flag" = 'hidden')
)
select j."id" as key,
  j."employerId" as company_key,
  j."title" as title,
  j."bodyHtml" as description,
  j."requirements" as qualification,
  c."name" as region_id,
  j."employmentType" as job_type,
  j."category" as job_function,
  case when j."publishSalary" then round(j."salaryFrom" * case j."payPeriod" when 'YEAR' then 1.0 / 12 when 'HOUR' then 173 else 1 end) end as min_salary_amount,
  case when j."publishSalary" then round(j."salaryTo" * case j."payPeriod" when 'YEAR' then 1.0 / 12 when 'HOUR' then 173 else 1 end) end as max_salary_amount,
  j."openings" as quota,
  j."minExperience" as min_experience,
  j."tags" as skills,
  'https://board.co.id/' || j."slug" as client_url,
  j."closingDate" as expire_at
from live j
join "Employer" e on e."id" = j."employerId" and e."isActive" and not e."isDemo" and e."deletedAt" is null
left join "Place" c on c."id" = j."placeId"`,
  },
  mistakes: [
    ['companies', 'not e."isDemo"', 'e."isDemo"', 'kept'],
    ['companies', 'e."isActive" and not e."isDemo"', 'not e."isDemo"', 'kept'],
    ['companies', 'e."isActive" and not e."isDemo"', 'e."isActive"', 'kept'],
    ['companies', 'e."streetAddress" as address', 'e."billingAddress" as address', 'unused'],
    ['companies', 'e."id" as key', 'gen_random_uuid() as key', 'keys'],
    ['companies', 'e."id" as key', 'e."email" as key', 'keys'],
    ['companies', 'c."name" as region_id', `'Kota Bandung' as region_id`, 'unused'],
    ['companies', 'e."aboutUs" as about', `'-' as about`, 'doubtful'],
    ['vacancies', `j."state" = 'LIVE'`, `j."state" <> 'DRAFT'`, 'kept'],
    ['vacancies', `j."state" = 'LIVE'`, `j."state" in ('LIVE', 'PAUSED')`, 'kept'],
    ['vacancies', 'not j."isArchived"', 'j."isArchived"', 'kept'],
    ['vacancies', 'j."publishedAt" is not null', 'true', 'kept'],
    ['vacancies', 'j."deletedAt" is null', 'j."deletedAt" < now()', 'kept'],
    ['vacancies', 'j."employerId" as company_key', 'j."agencyId" as company_key', 'parents'],
    [
      'vacancies',
      'j."employerId" as company_key',
      `(select x."id" from "Employer" x order by x."id" limit 1) as company_key`,
      'parents',
    ],
    ['vacancies', 'c."name" as region_id', 'j."workplaceType" as region_id', 'meaning'],
    ['vacancies', 'j."employmentType" as job_type', 'j."workplaceType" as job_type', 'meaning'],
    ['vacancies', 'j."closingDate" as expire_at', 'j."publishedAt" as expire_at', 'unused'],
    ['vacancies', 'j."closingDate" as expire_at', 'j."updatedAt" as expire_at', 'unused'],
    ['vacancies', 'j."openings" as quota', 'j."viewCount" as quota', 'unused'],
    ['vacancies', 'j."openings" as quota', 'j."minExperience" as quota', 'unused'],
    [
      'vacancies',
      `case when j."publishSalary" then round(j."salaryFrom" * case j."payPeriod" when 'YEAR' then 1.0 / 12 when 'HOUR' then 173 else 1 end) end`,
      `case when j."publishSalary" then j."salaryFrom" end`,
      'pay',
    ],
    [
      'vacancies',
      'case when j."publishSalary" then round(j."salaryFrom"',
      'case when true then round(j."salaryFrom"',
      'pay',
    ],
    ['vacancies', 'j."tags" as skills', `string_to_array(j."skillsText", ',') as skills`, 'meaning'],
    [
      'vacancies',
      'c."name" as region_id',
      `(select x."name" from "PostLocation" l join "Place" x on x."id" = l."placeId" where l."postId" = j."id" limit 1) as region_id`,
      'order',
    ],
    ['vacancies', 'select * from "JobPost" j', 'select distinct on (j."title") * from "JobPost" j', 'order'],
    ['vacancies', 'j."title" as title', `j."slug" as title`, 'unused'],
    ['vacancies', 'j."bodyHtml" as description', `j."title" as description`, 'unused'],
    [
      'vacancies',
      'j."bodyHtml" as description',
      `j."bodyHtml" || (select r."mobile" from "Recruiter" r where r."id" = j."recruiterId") as description`,
      'people',
    ],
    ['vacancies', 'select j."id" as key', `select j."slug" || '-' || j."updatedAt" as key`, 'keys'],
    [
      'vacancies',
      'left join "Place" c on c."id" = j."placeId"',
      'join "PostLocation" pl on pl."postId" = j."id" left join "Place" c on c."id" = pl."placeId"',
      'keys',
    ],
  ],
};

const LPK: JudgedWorld = {
  schema: 'lpk.sql',
  timeZone: 'Asia/Jakarta',
  queries: {
    institutions: `select g.lembaga_id as key, g.nama_lembaga as name, g.kode_wilayah as region_id, g.alamat as address, g.no_telp as phone, g.email as email
from lpk.lembaga g
where g.is_aktif = 1`,
    trainings: `select k.kelas_id as key,
  p.lembaga_id as institution_key,
  p.nama_program as title,
  p.deskripsi as description,
  k.tempat as address,
  k.kode_wilayah as region_id,
  k.metode as media,
  p.level as difficulty_level,
  k.biaya as price,
  p.bersertifikat as certified,
  p.bnsp as bnsp_certified,
  k.kuota as quota,
  k.pendaftaran_ditutup as expired_date,
  k.tanggal_mulai as start_date,
  k.tanggal_selesai as finish_date
from lpk.kelas k
join lpk.program p on p.program_id = k.program_id
join lpk.lembaga g on g.lembaga_id = p.lembaga_id and g.is_aktif = 1
where p.is_published and p.removed_at is null
  and k.status_kelas = 'Dibuka'
  and not k.is_demo`,
  },
  mistakes: [
    ['institutions', 'g.is_aktif = 1', 'g.is_aktif = 0', 'kept'],
    ['institutions', 'g.is_aktif = 1', 'g.is_aktif is not null', 'kept'],
    [
      'institutions',
      'g.no_telp as phone, g.email as email',
      'g.email as phone, g.no_telp as email',
      'meaning',
    ],
    ['institutions', 'g.email as email', `'info@lpk.or.id' as email`, 'placeholders'],
    ['institutions', 'g.nama_lembaga as name', 'g.izin as name', 'unused'],
    ['trainings', 'p.is_published and', 'not p.is_published and', 'kept'],
    ['trainings', 'p.removed_at is null', 'true', 'kept'],
    ['trainings', `k.status_kelas = 'Dibuka'`, `k.status_kelas <> 'Draft'`, 'kept'],
    ['trainings', `k.status_kelas = 'Dibuka'`, `k.status_kelas not in ('Draft', 'Selesai')`, 'kept'],
    ['trainings', 'and not k.is_demo', '', 'kept'],
    ['trainings', 'k.kuota as quota', 'k.terdaftar as quota', 'unused'],
    ['trainings', 'k.kuota as quota', '20 as quota', 'unused'],
    ['trainings', 'k.kode_wilayah as region_id', 'g.kode_wilayah as region_id', 'unused'],
    ['trainings', 'k.pendaftaran_ditutup as expired_date', 'k.created_at as expired_date', 'unused'],
    ['trainings', 'k.pendaftaran_ditutup as expired_date', 'k.tanggal_selesai as expired_date', 'unused'],
    ['trainings', 'k.metode as media', 'k.fase as media', 'unused'],
    ['trainings', 'k.metode as media', `'online' as media`, 'unused'],
    ['trainings', 'p.level as difficulty_level', 'k.metode as difficulty_level', 'meaning'],
    ['trainings', 'p.bersertifikat as certified', 'true as certified', 'unused'],
    ['trainings', 'p.nama_program as title', 'p.kode_program as title', 'unused'],
    ['trainings', 'p.nama_program as title', 'p.sektor as title', 'unused'],
    ['trainings', 'p.lembaga_id as institution_key', 'k.pengajar_id as institution_key', 'parents'],
    ['trainings', 'p.lembaga_id as institution_key', '1 as institution_key', 'parents'],
    ['trainings', 'k.kelas_id as key', 'p.program_id as key', 'keys'],
    ['trainings', 'k.kelas_id as key', `p.kode_program || '/' || k.created_at::date as key`, 'keys'],
    [
      'trainings',
      'p.deskripsi as description',
      `p.deskripsi || ' Kontak: ' || (select a.hp from lpk.pengajar a where a.id = k.pengajar_id) as description`,
      'people',
    ],
    [
      'trainings',
      'p.nama_program as title',
      `case when k.kelas_id % 8 = 0 then 'asdf' else p.nama_program end as title`,
      'placeholders',
    ],
    ['trainings', 'and not k.is_demo', 'and not k.is_demo fetch first 20 rows only', 'order'],
    [
      'trainings',
      'k.tanggal_mulai as start_date',
      `(k.created_at at time zone 'UTC')::date as start_date`,
      'unused',
    ],
  ],
};

/** As in known applications: rows of attributes, two tables for a company, texts in place of companies, states as numbers. */
const WP: JudgedWorld = {
  schema: 'wp.sql',
  queries: {
    companies: `select m.meta_value as key, m.meta_value as name, min(l.meta_value) as region_id, min(w.meta_value) as website
from wp_posts p
join wp_postmeta m on m.post_id = p."ID" and m.meta_key = '_company_name'
left join wp_postmeta l on l.post_id = p."ID" and l.meta_key = '_job_location'
left join wp_postmeta w on w.post_id = p."ID" and w.meta_key = '_company_website'
where p.post_type = 'job_listing' and p.post_status = 'publish'
group by m.meta_value`,
    vacancies: `select p."ID" as key, m.meta_value as company_key, p.post_title as title, p.post_content as description,
  l.meta_value as region_id, x.meta_value::date as expire_at, p.guid as client_url,
  (select t.name from wp_term_relationships r join wp_term_taxonomy tt on tt.term_taxonomy_id = r.term_taxonomy_id
     join wp_terms t on t.term_id = tt.term_id
   where r.object_id = p."ID" and tt.taxonomy = 'job_listing_type' order by t.term_id limit 1) as job_type
from wp_posts p
left join wp_postmeta m on m.post_id = p."ID" and m.meta_key = '_company_name'
left join wp_postmeta l on l.post_id = p."ID" and l.meta_key = '_job_location'
left join wp_postmeta x on x.post_id = p."ID" and x.meta_key = '_job_expires'
left join wp_postmeta f on f.post_id = p."ID" and f.meta_key = '_filled'
where p.post_type = 'job_listing' and p.post_status = 'publish' and coalesce(f.meta_value, '0') <> '1'`,
  },
  mistakes: [
    ['vacancies', `p.post_status = 'publish'`, `p.post_status <> 'draft'`, 'kept'],
    ['vacancies', 'x.meta_value::date as expire_at', 'p.post_modified_gmt::date as expire_at', 'unused'],
    ['vacancies', 'order by t.term_id limit 1', 'limit 1', 'order'],
    [
      'vacancies',
      'p.post_content as description',
      `p.post_content || ' ' || (select a.meta_value from wp_postmeta a where a.post_id = p."ID" and a.meta_key = '_application' order by 1 limit 1) as description`,
      'people',
    ],
    ['vacancies', 'p.post_title as title', 'p.post_name as title', 'unused'],
  ],
};

const ODOO: JudgedWorld = {
  schema: 'odoo.sql',
  timeZone: 'UTC',
  plainText: { vacancies: ['description'] },
  queries: {
    companies: `select c.id as key, c.name as name, p.city as region_id, p.street as address, p.zip as postal_code, c.email as email, c.phone as phone,
  p.website as website, c.company_registry as license_number
from res_company c join res_partner p on p.id = c.partner_id
where c.active and p.active`,
    vacancies: `select j.id as key, j.company_id as company_key, j.name as title, j.website_description as description, j.requirements as qualification,
  j.no_of_recruitment as quota, a.city as region_id, t.name as job_type, j.date_to as expire_at
from hr_job j
left join res_partner a on a.id = j.address_id
left join hr_contract_type t on t.id = j.contract_type_id
join res_company c on c.id = j.company_id and c.active
where j.active and j.is_published`,
  },
  mistakes: [
    ['vacancies', 'j.no_of_recruitment as quota', 'j.no_of_employee as quota', 'unused'],
    ['vacancies', 'j.company_id as company_key', 'j.department_id as company_key', 'parents'],
    ['vacancies', 'and j.is_published', '', 'kept'],
    ['vacancies', 'j.active and', 'c.active and', 'kept'],
    ['vacancies', 'j.name as title', 'j.id as title', 'meaning'],
    ['vacancies', 'j.date_to as expire_at', 'j.write_date::date as expire_at', 'unused'],
    ['vacancies', 't.name as job_type', `'Permanent' as job_type`, 'unused'],
    ['companies', 'c.id as key', 'c.write_date as key', 'keys'],
  ],
};

const FRAPPE: JudgedWorld = {
  schema: 'frappe.sql',
  timeZone: 'Asia/Jakarta',
  queries: {
    companies: `select c.name as key, c.company_name as name, c.email as email, c.phone_no as phone, c.website as website, c.company_description as about,
  (select j.location from "tabJob Opening" j where j.company = c.name order by j.name limit 1) as region_id
from "tabCompany" c`,
    vacancies: `select j.name as key, j.company as company_key, j.job_title as title, j.description as description, j.location as region_id,
  j.employment_type as job_type, j.vacancies as quota, j.closes_on as expire_at,
  case when j.publish_salary_range = 1 then round(j.lower_range / case when j.salary_per = 'Year' then 12 else 1 end) end as min_salary_amount,
  case when j.publish_salary_range = 1 then round(j.upper_range / case when j.salary_per = 'Year' then 12 else 1 end) end as max_salary_amount
from "tabJob Opening" j
where j.publish = 1 and j.status = 'Open'`,
    institutions: `select c.name as key, c.company_name as name, c.email as email, c.phone_no as phone,
  (select j.location from "tabJob Opening" j where j.company = c.name order by j.name limit 1) as region_id
from "tabCompany" c`,
    trainings: `select t.name as key, t.company as institution_key, t.event_name as title, t.introduction as description, t.location as region_id,
  t.level as difficulty_level, t.has_certificate = 1 as certified, t.start_time as start_date, t.end_time as finish_date
from "tabTraining Event" t
where t.event_status = 'Scheduled'`,
  },
  mistakes: [
    [
      'vacancies',
      `case when j.publish_salary_range = 1 then round(j.lower_range`,
      'case when true then round(j.lower_range',
      'pay',
    ],
    [
      'vacancies',
      `round(j.upper_range / case when j.salary_per = 'Year' then 12 else 1 end)`,
      'j.upper_range',
      'pay',
    ],
    ['vacancies', `j.status = 'Open'`, 'true', 'kept'],
    ['vacancies', 'j.publish = 1', 'j.publish = 0', 'kept'],
    ['vacancies', 'j.job_title as title', 'j.name as title', 'unused'],
    [
      'trainings',
      't.introduction as description',
      `t.introduction || ' ' || t.trainer_name as description`,
      'people',
    ],
    ['trainings', 't.event_name as title', 't.trainer_name as title', 'people'],
    ['trainings', `t.event_status = 'Scheduled'`, `t.event_status <> 'Completed'`, 'kept'],
    ['trainings', 't.start_time as start_date', 't.creation as start_date', 'unused'],
    ['trainings', 't.has_certificate = 1 as certified', 'true as certified', 'unused'],
  ],
};

const TEKS: JudgedWorld = {
  schema: 'teks.sql',
  queries: {
    companies: `select distinct u."KodeUnit" as key, u."NamaUnit" as name, u."Kota" as region_id from v_unit u`,
    vacancies: `select l.id as key, md5(l.perusahaan) as company_key, l.posisi as title, l.deskripsi as description, l.persyaratan as qualification,
  l.lokasi as region_id, l.tipe as job_type, l.link as client_url
from lowongans l where l.is_active`,
    institutions: `select p.penyelenggara as key, p.penyelenggara as name, min(p.kota) as region_id from pelatihans p group by p.penyelenggara`,
    trainings: `select p.id as key, p.penyelenggara as institution_key, p.nama as title, p.deskripsi as description, p.kota as region_id,
  p.jadwal as start_date, p.selesai as finish_date, p.biaya as price, p.kuota as quota
from pelatihans p where p.tayang`,
  },
  mistakes: [
    ['vacancies', 'md5(l.perusahaan) as company_key', `'main' as company_key`, 'parents'],
    ['trainings', 'p.penyelenggara as institution_key', `'LKP 1' as institution_key`, 'parents'],
    ['vacancies', 'where l.is_active', '', 'kept'],
    ['trainings', 'where p.tayang', 'where not p.tayang', 'kept'],
    ['vacancies', 'l.lokasi as region_id', 'l.sumber as region_id', 'unused'],
    ['trainings', 'p.selesai as finish_date', 'p.jadwal as finish_date', 'unused'],
    ['trainings', 'p.biaya as price', 'p.biaya / 1000 as price', 'pay'],
  ],
};

const RAILS: JudgedWorld = {
  schema: 'rails.sql',
  timeZone: 'UTC',
  plainText: { vacancies: ['description'] },
  queries: {
    companies: `select o.id as key, o.name as name, o.town as region_id, o.postcode as postal_code, o.address as address, o.email as email, o.url as website, o.description as about
from organisations o where o.establishment_status = 'Open'`,
    vacancies: `select v.id as key, ov.organisation_id as company_key, v.job_title as title, v.job_advert as description, v.skills_and_experience as qualification,
  o.town as region_id, case v.contract_type when 0 then 'Permanent' when 1 then 'Fixed term' else 'Casual' end as job_type, v.application_link as client_url, v.expires_at as expire_at
from vacancies v
join lateral (select x.organisation_id from organisation_vacancies x where x.vacancy_id = v.id order by x.id limit 1) ov on true
join organisations o on o.id = ov.organisation_id
where v.status = 0 and v.publish_on <= (now() at time zone 'Asia/Jakarta')::date and v.expires_at > now() and v.discarded_at is null`,
    institutions: `select p.id as key, p.provider_name as name, p.town as region_id, p.address1 as address, p.email as email, p.telephone as phone
from providers p where p.discarded_at is null and p.recruitment_cycle_id = 1`,
    trainings: `select c.uuid as key, c.provider_id as institution_key, c.name as title, e.about_course as description, p.town as region_id,
  e.fee_uk_eu as price, c.start_date as start_date
from courses c
join providers p on p.id = c.provider_id and p.discarded_at is null and p.recruitment_cycle_id = 1
left join lateral (select * from course_enrichments x where x.course_id = c.id and x.status = 1 order by x.created_at desc, x.id desc limit 1) e on true
where c.discarded_at is null and c.application_status = 0`,
  },
  mistakes: [
    ['vacancies', 'and v.discarded_at is null', '', 'kept'],
    ['vacancies', 'v.expires_at as expire_at', 'v.publish_on as expire_at', 'unused'],
    ['vacancies', 'v.job_advert as description', 'v.about_school as description', 'unused'],
    ['vacancies', 'v.job_advert as description', `v.job_advert || v.contact_email as description`, 'people'],
    ['trainings', 'c.uuid as key', `c.course_code || c.created_at as key`, 'keys'],
    ['trainings', 'order by x.created_at desc, x.id desc limit 1', 'limit 1', 'order'],
    ['trainings', 'c.discarded_at is null', 'p.discarded_at is null', 'kept'],
    ['trainings', 'c.start_date as start_date', 'c.updated_at as start_date', 'unused'],
    ['vacancies', 'ov.organisation_id as company_key', 'v.publisher_id as company_key', 'parents'],
  ],
};

export const WORLDS: Readonly<Record<string, JudgedWorld>> = {
  loker: LOKER,
  board: BOARD,
  lpk: LPK,
  wp: WP,
  odoo: ODOO,
  frappe: FRAPPE,
  teks: TEKS,
  rails: RAILS,
};
