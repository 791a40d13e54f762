import * as draft from './drafting.js';

const TARGETS = draft.targets({
  title: draft.text(
    'title judul position posisi jabatan job_title headline nama_lowongan nama_jabatan position_name position_title post_title job_name nama_posisi judul_lowongan',
    'name nama nm role heading label subject pekerjaan job designation sebutan',
  ),
  description: draft.text(
    'job_advert advert_text description desc deskripsi body job_description job_desc jobdesc uraian uraian_pekerjaan deskripsi_pekerjaan responsibility tuga dutie duty task body_html description_html post_content full_description',
    'content detail text html isi konten summary overview keterangan ringkasan note excerpt long_text memo remark comment catatan',
  ),
  quota: draft.number(
    'quota kuota opening headcount jumlah jumlah_posisi jml kebutuhan butuh jml_butuh jumlah_butuh opening_cnt jumlah_kebutuhan jml_kebutuhan slot number_of_opening number_of_position no_of_recruitment num_opening vacancy_count jumlah_lowongan jml_lowongan formasi seat position_count jumlah_formasi daya_tampung num_position openings_count jumlah_dibutuhkan hiring_count head_count open_place open_position open_seat people_needed',
    'vacancy position needed capacity amount_needed jumlah_orang lowongan',
  ),
  qualification: draft.text(
    'demand want\\w+ qualification kualifikasi requirement persyaratan syarat job_requirement kriteria qualification_html requirement_html syarat_html',
    'profile prerequisite candidate_profile expectation profil_dicari',
  ),
  industry: draft.code(
    'industry industri sector sektor bidang_usaha kbli klu naic lapangan_usaha industry_sector business_sector',
  ),
  job_type: draft.code(
    'working_pattern work_pattern job_type employment_type contract_type work_type jenis_pekerjaan jenis_kontrak tipe_pekerjaan tipe_kerja status_kerja contract_kind employment_kind jenis_kerja contract_form contract kontrak employment hubungan_kerja jenis_hubungan_kerja work_arrangement engagement employment_form ikatan_kerja',
    'type tipe jenis kind working_time schedule work_time full_time_or_part position_type workload regime',
  ),
  job_function: draft.code(
    'job_function job_category bidang_pekerjaan occupation occupation_group job_family fungsi_pekerjaan kategori_pekerjaan job_field profession profesi kbji isco functional_area golongan_jabatan',
    'function fungsi category kategori department departemen discipline field bidang specialization spesialisasi area_of_work subject role_category',
  ),
  region_id: draft.CITY,
  region_country_code: draft.COUNTRY,
  gender: draft.code(
    'gender sex jenis_kelamin kelamin jk jekel gender_preference required_gender syarat_kelamin gender_requirement',
  ),
  min_education: draft.code(
    'education_min education pendidikan min_education education_level pendidikan_min pendidikan_minimal degree minimum_education jenjang jenjang_pendidikan edu_level required_education strata tingkat_pendidikan education_min degree_level edu min_edu min_degree required_degree syarat_pendidikan schooling school pend_min min_pend pend pendidikan_terakhir',
    'level ijazah school_level grade',
  ),
  min_salary_currency: draft.code(
    `${draft.PAY}_(?:iso|iso3|cur|ccy|valuta|currency|currency_code|curr) currency curr currency_code salary_currency mata_uang valuta pay_currency currency_iso salary_min_currency iso_currency ccy`,
  ),
  min_salary_amount: draft.number(
    `${draft.either(draft.PAY, draft.LOW)} salary_min min_salary salary_from gaji_min gaji_minimum gaji_minimal pay_from pay_min min_pay salary_low wage_min gaji_dari upah_min salary_lower gaji_terendah salary_start gaji_awal salary_min_amount lower_salary minimum_salary wage_from compensation_min remuneration_from range_gaji_min upah_dari upah_minimum gaji_bawah salary_range pay_range range_gaji rentang_gaji`,
    `salary gaji upah wage pay compensation remuneration salary_amount salary_text gaji_text salary_range ${draft.either('(?:range|amount|nominal)', draft.LOW)}`,
  ),
  max_salary_currency: draft.code('salary_max_currency'),
  max_salary_amount: draft.number(
    `${draft.either(draft.PAY, draft.HIGH)} salary_max max_salary salary_to gaji_max gaji_mak gaji_maksimum gaji_maksimal pay_to pay_max max_pay salary_high wage_max gaji_sampai upah_max upah_mak salary_upper gaji_tertinggi salary_end gaji_akhir salary_max_amount upper_salary maximum_salary wage_to compensation_max remuneration_to range_gaji_max upah_sampai upah_maksimum gaji_ata`,
    draft.either('(?:range|amount|nominal)', draft.HIGH),
  ),
  marital: draft.code(
    'wed wedlock kawin nikah marital marital_status status_kawin status_perkawinan status_nikah marital_requirement syarat_nikah pernikahan',
  ),
  min_age: draft.number(
    `${draft.either('(?:age|usia|umur)', draft.LOW)} min_age age_min usia_min umur_min age_from minimum_age usia_minimal umur_minimal usia_dari umur_dari usia_minimum lower_age age_range range_usia rentang_usia`,
    'umur_awal',
  ),
  max_age: draft.number(
    `${draft.either('(?:age|usia|umur)', draft.HIGH)} max_age age_max usia_max usia_mak umur_max umur_mak age_to maximum_age usia_maksimal umur_maksimal usia_sampai umur_sampai usia_maksimum upper_age age_limit bata_usia bata_umur`,
  ),
  min_experience: draft.number(
    `(?:min_)?${draft.YEARS}_(?:of_)?(?:exp\\w*|pengalaman|min|kerja) (?:exp\\w*|pengalaman)(?:_kerja)?_(?:min_)?${draft.YEARS} experience min_experience year_experience experience_year pengalaman pengalaman_min pengalaman_kerja pengalaman_tahun exp_year tahun_pengalaman year_of_experience experience_min minimum_experience min_exp required_experience lama_pengalaman exp`,
    'experience_level',
  ),
  disability_allowed: draft.flag(
    'disability difabel disabilita disability_allowed disability_friendly accept_disability terbuka_difabel ramah_difabel inclusive open_for_disability is_disability untuk_disabilita penyandang_disabilita disabled_welcome inklusif barrier_free accessible wheelchair ramah_disabilita',
  ),
  confidential: draft.flag(
    'confidential is_confidential anonymous is_anonymous hide_company nama_disamarkan rahasia hide_employer company_hidden blind blind_ad secret_employer tanpa_nama',
  ),
  skills: draft.list(
    'ability competence skill keahlian keterampilan kompetensi competency required_skill skill_required skill_list',
    'tag keyword',
  ),
  client_url: draft.url(
    'url apply_url application_url job_url client_url external_url tautan_lamaran permalink apply_link source_url web_url link_lamaran public_url how_to_apply_url website',
    'link tautan slug_url external_link',
  ),
  expire_at: draft.date(
    'expire_at (?:job|posting|vacancy)?(?:close|closing|end|expire|expiry|due)date time(?:close|end|expire) expired_at expire_on expiry expiry_date expiration expiration_date expire expired closing_date closing close_date close_dt closing_dt expiry_dt end_dt bata bata_tanggal sampai_dengan tgl_penutupan tgl_kadaluarsa tgl_kedaluwarsa tanggal_kadaluarsa closed_on close_at close_on closing_at deadline application_deadline valid_until valid_through valid_to bata_lamaran bata_akhir tgl_tutup tanggal_tutup tanggal_berakhir tgl_berakhir berlaku_sampai end_date tgl_akhir tanggal_akhir last_date due_date date_end end_at date_close date_closed apply_before apply_by until tutup tutup_pada tanggal_penutupan ditutup_pada open_until date_deadline bata_waktu masa_berlaku tgl_bata closes expired_date last_day .*_deadline (?:closing|close|expiry|deadline|until|expire)_.* (?:open|valid|active|visible|listed|berlaku|aktif|tayang)_(?:until|to|till|through|sampai|hingga)',
    '.*_until .*_before berakhir end to finish_date active_until publish_end publish_until published_until unpublish_at date_to closed_at selesai akhir',
  ),
});

/** Vacancies in the databases of partners. */
export const VACANCY_DRAFTING: draft.Drafting = {
  alias: 'v',
  tables: {
    sure: `vacancy, lowongan, loker, lowker, job posting, job post, jobpost, job ad, job advert, job offer, job opening,
      job listing, job order, jobs, requisition, job requisition, job vacancy, jobad, joboffer, joborder, jobvacancy, jobopening, jobposting`,
    maybe: `job, posting, post, position, posisi, opening, advert, advertisement, ad, listing, offer, opportunity, formasi,
      pekerjaan, jabatan, announcement, role, iklan, recruitment, rekrutmen, hiring, kebutuhan, permintaan, tender, mission`,
  },
  prefixes: 'job, post',
  parentWords: 'company, employer, perusahaan, organisation, organization, instansi',
  targets: TARGETS,
  telling: {
    title: 3,
    description: 2,
    expire_at: 2,
    quota: 1,
    min_salary_amount: 1,
    qualification: 1,
    job_type: 0.5,
  },
  wanted: [
    'company_key',
    'title',
    'description',
    'region_id',
    'expire_at',
    'job_type',
    'min_education',
    'skills',
  ],
  fromParent: ['region_id', 'industry'],
};
