import { singular } from './words.js';

/** What a target column takes. */
export type TargetKind = 'text' | 'code' | 'number' | 'date' | 'flag' | 'url' | 'degrees' | 'list' | 'person';

export interface Target {
  readonly name: string;
  readonly kind: TargetKind;
  /** Names that hardly mean anything else, then those that may. Words in the singular, joined by `_`; `*`: any words. */
  readonly sure: RegExp;
  readonly maybe: RegExp;
}

const NEVER = '(?!)';
const PAY =
  '(?:salary|gaji|pay|wage|upah|remuneration|compensation|comp|income|honor|honorarium|stipend|penghasilan|rate|range_gaji|bayaran)';
const LOW = '(?:min|from|low|lower|start|minimum|minimal|dari|bawah|terendah|awal|mulai|floor|bottom)';
const HIGH =
  '(?:max|to|high|upper|end|maximum|maksimum|maksimal|mak|sampai|ata|tertinggi|akhir|upto|up_to|hingga|ceiling|top|until)';
const SIGN_UP =
  '(?:registration|register|enrol|enrolment|enroll|enrollment|sign_?up|apply|application|booking|daftar|pendaftaran|reg|admission|intake)';
const ENDS =
  '(?:until|end|ends|close|closes|closing|deadline|by|before|tutup|akhir|bata|sampai|selesai|to|finish|last_day|cutoff)';
const YEARS = '(?:year|yr|tahun|thn|th|month|bulan|bln)';

/** Both orders of two words: `salary_min` and `min_salary`. */
function either(one: string, other: string): string {
  return `${one}(?:_(?:amount|value|nominal|idr|rp))?_${other}(?:_(?:amount|value|nominal|idr|rp))? ${other}_${one}(?:_(?:amount|value|nominal|idr|rp))?`;
}

function target(name: string, kind: TargetKind, sure: string, maybe = ''): Target {
  const whole = (text: string) => {
    const names = text.split(/\s+/).filter(Boolean);
    const singulars = names.map((each) => each.split('_').map(singular).join('_'));
    return new RegExp(`^(?:${singulars.join('|') || NEVER})$`);
  };
  return { name, kind, sure: whole(sure), maybe: whole(maybe) };
}

const NAME =
  'registered_as registered_name name nama nm nama_resmi legal_name nama_badan nama_usaha official_name nama_perusahaan company_name registered_name';
const REGION = `city kota kabupaten kab kabkota kab_kota kotum kota_kab kota_kabupaten kabupaten_kota regency municipality town kecamatan_kota
  town_text township township work_city kota_penempatan kota_kerja city_name nama_kota`;
const REGION_MAYBE = `location lokasi wilayah region area place locality domisili penempatan lokasi_kerja work_location job_location district dati2
  tempat tempat_kerja daerah venue lokasi_penempatan tempat_penempatan administrative_area kabkot kecamatan address alamat`;
const COUNTRY = target(
  'region_country_code',
  'code',
  'country country_iso country_code negara iso_country nation country_iso2',
);
const ADDRESS = target(
  'address',
  'text',
  'address alamat street street1 jalan addr alamat_lengkap full_address street_address address_line alamat_kantor office_address alamat_perusahaan head_office jl street_line address1 line1',
  'location_text addressline alamat_surat mailing_address lokasi_detail venue venue_address tempat place',
);
const PHONE = target(
  'phone',
  'person',
  'phone telephone telepon telpon telp tlp tel phone_number nomor_telepon no_telepon no_telp office_phone contact_phone telepon_kantor phone_no',
  'mobile hp no_hp handphone mobile_phone whatsapp',
);
const EMAIL = target(
  'email',
  'person',
  'email e_mail surel email_address alamat_email contact_email office_email email_perusahaan',
  'mail',
);
const LOGO = target(
  'logo_uri',
  'url',
  'logo logo_url logo_uri logo_path logo_file logo_image company_logo logo_link',
  'image image_url icon gambar thumbnail picture photo_url',
);
const COVER = target(
  'cover_uri',
  'url',
  'cover cover_url cover_uri cover_image cover_path banner banner_url header_image sampul hero_image',
  'image image_url thumbnail thumbnail_url gambar poster picture foto',
);
const regions = target('region_id', 'code', REGION, REGION_MAYBE);
const INDUSTRY = target(
  'industry',
  'code',
  'industry industri sector sektor bidang_usaha line_of_business business_field kbli klu naic nace lapangan_usaha industry_sector business_sector business_line sic',
  'trade line_of_trade bidang branche category kategori business_type jenis_usaha field kategori_usaha',
);

/** The columns that an entity may fill, with the names that partners give them; `row_version` is never drafted. */
export const TARGETS: Readonly<Record<string, readonly Target[]>> = {
  companies: [
    target(
      'name',
      'text',
      NAME,
      '.*_as title label trade_name brand_name display_name nama_dagang nama_singkat short_name',
    ),
    regions,
    COUNTRY,
    target(
      'postal_code',
      'text',
      'postal_code postcode post_code zip zip_code kode_po kode_pos kodepo postal plz kd_po',
    ),
    ADDRESS,
    PHONE,
    EMAIL,
    target(
      'license_number',
      'text',
      'license_number licence_number nib siup business_license registration_number registration_no reg_no nomor_izin no_izin nomor_induk_berusaha company_registry license licence izin_usaha registry_number no_siup tdp',
      'izin permit registration permit_number company_number',
    ),
    INDUSTRY,
    target(
      'about',
      'text',
      'about about_us blurb remit profile profil description deskripsi tentang company_profile bio boilerplate profil_perusahaan',
      'summary overview keterangan uraian detail info introduction ringkasan note',
    ),
    target(
      'website',
      'url',
      'website web url site homepage home_page situs situs_web laman web_url website_url company_url www web_site',
      'link tautan',
    ),
    target('latitude', 'degrees', 'latitude lat lintang geo_lat garis_lintang'),
    target('longitude', 'degrees', 'longitude lng lon long bujur geo_lng geo_lon garis_bujur'),
    LOGO,
    target(
      'cover_uri',
      'url',
      'cover cover_url cover_uri cover_image cover_path banner banner_url header_image sampul hero_image',
    ),
  ],
  vacancies: [
    target(
      'title',
      'text',
      'title judul position posisi jabatan job_title headline nama_lowongan nama_jabatan position_name position_title post_title job_name nama_posisi judul_lowongan',
      'name nama nm role heading label subject pekerjaan job designation sebutan',
    ),
    target(
      'description',
      'text',
      'description deskripsi body job_description job_desc jobdesc uraian uraian_pekerjaan deskripsi_pekerjaan responsibility tuga dutie duty task body_html description_html post_content full_description',
      'content detail text html isi konten summary overview keterangan ringkasan note excerpt long_text',
    ),
    target(
      'quota',
      'number',
      'quota kuota opening headcount jumlah jumlah_posisi jml kebutuhan jumlah_kebutuhan jml_kebutuhan slot number_of_opening number_of_position no_of_recruitment num_opening vacancy_count jumlah_lowongan jml_lowongan formasi seat position_count jumlah_formasi daya_tampung num_position openings_count jumlah_dibutuhkan hiring_count head_count open_place open_position open_seat people_needed',
      'vacancy position needed capacity count total number amount_needed jumlah_orang lowongan',
    ),
    target(
      'qualification',
      'text',
      'demand wanted qualification kualifikasi requirement persyaratan syarat job_requirement kriteria qualification_html requirement_html syarat_html',
      'profile prerequisite candidate_profile expectation profil_dicari',
    ),
    target(
      'industry',
      'code',
      'industry industri sector sektor bidang_usaha kbli klu naic lapangan_usaha industry_sector business_sector',
      '',
    ),
    target(
      'job_type',
      'code',
      'job_type employment_type contract_type work_type jenis_pekerjaan jenis_kontrak tipe_pekerjaan tipe_kerja status_kerja contract_kind employment_kind jenis_kerja contract_form contract kontrak employment hubungan_kerja jenis_hubungan_kerja work_arrangement engagement employment_form ikatan_kerja',
      'type tipe jenis kind working_time schedule work_time full_time_or_part position_type workload regime',
    ),
    target(
      'job_function',
      'code',
      'job_function function fungsi job_category bidang_pekerjaan occupation occupation_group job_family fungsi_pekerjaan kategori_pekerjaan job_field profession profesi kbji isco functional_area golongan_jabatan',
      'category kategori department departemen discipline field bidang specialization spesialisasi area_of_work subject role_category',
    ),
    regions,
    COUNTRY,
    target(
      'gender',
      'code',
      'gender sex jenis_kelamin kelamin jk jekel gender_preference required_gender syarat_kelamin gender_requirement',
    ),
    target(
      'min_education',
      'code',
      'education_min education pendidikan min_education education_level pendidikan_min pendidikan_minimal degree minimum_education jenjang jenjang_pendidikan edu_level required_education strata tingkat_pendidikan education_min degree_level edu min_edu min_degree required_degree syarat_pendidikan school_level schooling',
      'level ijazah school grade',
    ),
    target(
      'min_salary_currency',
      'code',
      `${PAY}_(?:iso|iso3|cur|ccy|valuta|currency|currency_code) currency currency_code salary_currency mata_uang valuta pay_currency currency_iso salary_min_currency iso_currency ccy`,
    ),
    target(
      'min_salary_amount',
      'number',
      `${either(PAY, LOW)} salary_min min_salary salary_from gaji_min gaji_minimum gaji_minimal pay_from pay_min min_pay salary_low wage_min gaji_dari upah_min salary_lower gaji_terendah salary_start gaji_awal salary_min_amount lower_salary minimum_salary wage_from compensation_min remuneration_from range_gaji_min upah_dari upah_minimum gaji_bawah`,
      'salary gaji upah wage pay compensation remuneration salary_amount salary_text gaji_text salary_range',
    ),
    target('max_salary_currency', 'code', 'salary_max_currency'),
    target(
      'max_salary_amount',
      'number',
      `${either(PAY, HIGH)} salary_max max_salary salary_to gaji_max gaji_mak gaji_maksimum gaji_maksimal pay_to pay_max max_pay salary_high wage_max gaji_sampai upah_max upah_mak salary_upper gaji_tertinggi salary_end gaji_akhir salary_max_amount upper_salary maximum_salary wage_to compensation_max remuneration_to range_gaji_max upah_sampai upah_maksimum gaji_ata`,
    ),
    target(
      'marital',
      'code',
      'wed wedlock kawin nikah marital marital_status status_kawin status_perkawinan status_nikah marital_requirement syarat_nikah pernikahan',
    ),
    target(
      'min_age',
      'number',
      `${either('(?:age|usia|umur)', LOW)} min_age age_min usia_min umur_min age_from minimum_age usia_minimal umur_minimal usia_dari umur_dari usia_minimum lower_age`,
      'umur_awal',
    ),
    target(
      'max_age',
      'number',
      `${either('(?:age|usia|umur)', HIGH)} max_age age_max usia_max usia_mak umur_max umur_mak age_to maximum_age usia_maksimal umur_maksimal usia_sampai umur_sampai usia_maksimum upper_age age_limit bata_usia bata_umur`,
    ),
    target(
      'min_experience',
      'number',
      `(?:min_)?${YEARS}_(?:of_)?(?:exp\\w*|pengalaman|min|kerja) (?:exp\\w*|pengalaman)(?:_kerja)?_(?:min_)?${YEARS} experience min_experience year_experience experience_year pengalaman pengalaman_min pengalaman_kerja pengalaman_tahun exp_year tahun_pengalaman year_of_experience experience_min minimum_experience min_exp required_experience lama_pengalaman exp`,
      'experience_level',
    ),
    target(
      'disability_allowed',
      'flag',
      'disability difabel disabilita disability_allowed disability_friendly accept_disability terbuka_difabel ramah_difabel inclusive open_for_disability is_disability untuk_disabilita penyandang_disabilita disabled_welcome inklusif barrier_free accessible wheelchair ramah_disabilita',
    ),
    target(
      'confidential',
      'flag',
      'confidential is_confidential anonymous is_anonymous hide_company nama_disamarkan rahasia hide_employer company_hidden blind blind_ad secret_employer tanpa_nama',
    ),
    target(
      'skills',
      'list',
      'ability competence skill keahlian keterampilan kompetensi competency required_skill skill_required skill_list',
      'tag keyword',
    ),
    target(
      'client_url',
      'url',
      'url apply_url application_url job_url client_url external_url tautan_lamaran permalink apply_link source_url web_url link_lamaran public_url how_to_apply_url website',
      'link tautan slug_url external_link',
    ),
    target(
      'expire_at',
      'date',
      'expire_at expired_at expire_on expiry expiry_date expiration expiration_date expire expired closing_date closing close_date closed_on close_at close_on closing_at deadline application_deadline valid_until valid_through valid_to bata_lamaran bata_akhir tgl_tutup tanggal_tutup tanggal_berakhir tgl_berakhir berlaku_sampai end_date tgl_akhir tanggal_akhir last_date due_date date_end end_at date_close date_closed apply_before apply_by until tutup tutup_pada tanggal_penutupan ditutup_pada open_until date_deadline bata_waktu masa_berlaku tgl_bata closes expired_date last_day .*_deadline (?:closing|close|expiry|deadline|until|expire)_.* (?:open|valid|active|visible|listed|berlaku|aktif|tayang)_(?:until|to|till|through|sampai|hingga)',
      '.*_until .*_before berakhir end to finish_date active_until publish_end publish_until published_until unpublish_at date_to closed_at selesai akhir',
    ),
  ],
  institutions: [
    target(
      'name',
      'text',
      `${NAME} nama_lembaga institution_name provider_name nama_balai`,
      'title label display_name short_name',
    ),
    regions,
    COUNTRY,
    ADDRESS,
    PHONE,
    EMAIL,
    LOGO,
  ],
  trainings: [
    target(
      'title',
      'text',
      'title judul name nama nm course_name training_name nama_pelatihan nama_kela nama_program course_title fullname nama_kursu program_name judul_pelatihan',
      'label heading shortname short_name subject topic',
    ),
    target(
      'description',
      'text',
      'description deskripsi body uraian synopsi silabu syllabu course_description body_html description_html about summary',
      'content detail text html isi konten overview keterangan ringkasan abstract intro note objective tujuan',
    ),
    target(
      'address',
      'text',
      'address alamat venue venue_address location_address tempat_pelatihan alamat_pelatihan tempat street',
      'location lokasi place room ruang',
    ),
    regions,
    target(
      'media',
      'code',
      'media delivery_mode mode delivery modality metode metode_pelatihan learning_mode study_mode delivery_method attendance_mode format is_online online daring jenis_pelaksanaan pelaksanaan mode_of_delivery teaching_mode',
      'type method channel instruction_mode tipe',
    ),
    target(
      'difficulty_level',
      'code',
      'difficulty difficulty_level tingkat_kesulitan skill_level course_level tingkat',
      'level jenjang kualifikasi',
    ),
    target(
      'price',
      'number',
      'price harga fee biaya cost tuition tuition_fee course_fee biaya_pelatihan price_amount list_price tarif',
      'amount investasi',
    ),
    target(
      'certified',
      'flag',
      'certified bersertifikat certificate has_certificate is_certified sertifikat with_certificate certification sertifikasi give_certificate',
    ),
    target('bnsp_certified', 'flag', 'bnsp bnsp_certified sertifikat_bnsp sertifikasi_bnsp is_bnsp'),
    target(
      'quota',
      'number',
      'quota kuota capacity kapasita seat kursi slot max_participant peserta_max jumlah_peserta max_seat daya_tampung place places_count max_student seats_max participant_limit enrol_limit max_learner kuota_peserta maximum_participant',
      'jumlah limit size',
    ),
    target(
      'expired_date',
      'date',
      `${SIGN_UP}_(?:\\w+_)?${ENDS}(?:_\\w+)? ${ENDS}_(?:\\w+_)?${SIGN_UP} registration_end registration_deadline registration_close enrol_until enrolment_end enrolment_deadline enrollment_end enrollment_deadline tutup_daftar tutup_pendaftaran akhir_pendaftaran bata_daftar bata_pendaftaran tgl_tutup_daftar tgl_tutup tanggal_tutup tgl_akhir_daftar pendaftaran_selesai apply_before deadline application_deadline registration_until signup_until tgl_akhir_pendaftaran pendaftaran_sampai registration_ends_at booking_deadline enrol_by enrollment_close last_registration registration_to reg_end reg_close`,
      'closing_date closes_at close_date expire_at expiry_date expires_at valid_until tutup closes_on',
    ),
    target(
      'start_date',
      'date',
      'start_date start begin_date date_start mulai tgl_mulai tanggal_mulai starts_at start_at starts_on start_on first_day begin begins_at begins_on date_begin commence start_time begins starts tanggal_awal tgl_awal course_start pelaksanaan_mulai date_from',
      'from valid_from',
    ),
    target(
      'finish_date',
      'date',
      'finish_date end_date finish date_end selesai tgl_selesai tanggal_selesai ends_at end_at ends_on end_on last_day tanggal_akhir tgl_akhir end_time course_end completion_date pelaksanaan_selesai finishes_on finish_at finish_on date_to tanggal_berakhir',
      'end until to',
    ),
    COVER,
  ],
};
