import * as draft from './drafting.js';

const TARGETS = draft.targets({
  title: draft.text(
    'title judul display_name name nama nm course_name training_name nama_pelatihan nama_kela nama_program course_title fullname nama_kursu program_name judul_pelatihan',
    'label heading shortname short_name subject topic',
  ),
  description: draft.text(
    'description deskripsi body uraian synopsi silabu syllabu course_description body_html description_html about summary',
    'desc content detail text html isi konten overview keterangan ringkasan abstract intro note objective tujuan memo remark comment catatan',
  ),
  address: draft.text(
    'address alamat venue venue_address location_address tempat_pelatihan alamat_pelatihan tempat street',
    'location lokasi place room ruang',
  ),
  region_id: draft.CITY,
  media: draft.code(
    'media delivery_mode mode delivery modality metode metode_pelatihan learning_mode delivery_method attendance_mode format is_online online daring jenis_pelaksanaan pelaksanaan mode_of_delivery teaching_mode',
    'type method channel instruction_mode tipe',
  ),
  difficulty_level: draft.code(
    'difficulty difficulty_level tingkat_kesulitan skill_level course_level tingkat',
    'level jenjang kualifikasi',
  ),
  price: draft.number(
    'price harga fee biaya cost tuition tuition_fee course_fee biaya_pelatihan price_amount list_price tarif',
    'amount investasi',
  ),
  certified: draft.flag(
    'certified bersertifikat certificate has_certificate is_certified sertifikat with_certificate certification sertifikasi give_certificate',
  ),
  bnsp_certified: draft.flag('bnsp bnsp_certified sertifikat_bnsp sertifikasi_bnsp is_bnsp'),
  quota: draft.number(
    'quota kuota capacity kapasita seat kursi slot max_participant peserta_max jumlah_peserta max_seat daya_tampung place places_count max_student seats_max participant_limit enrol_limit max_learner kuota_peserta maximum_participant',
    'jumlah limit size',
  ),
  expired_date: draft.date(
    `${draft.SIGN_UP}_(?:\\w+_)?${draft.ENDS}(?:_\\w+)? ${draft.ENDS}_(?:\\w+_)?${draft.SIGN_UP} registration_end registration_deadline registration_close enrol_until enrolment_end enrolment_deadline enrollment_end enrollment_deadline tutup_daftar tutup_pendaftaran akhir_pendaftaran bata_daftar bata_pendaftaran tgl_tutup_daftar tgl_tutup tanggal_tutup tgl_akhir_daftar pendaftaran_selesai apply_before deadline application_deadline registration_until signup_until tgl_akhir_pendaftaran pendaftaran_sampai registration_ends_at booking_deadline enrol_by enrollment_close last_registration registration_to reg_end reg_close (?:reg|register|enrol|enroll|registration|apply)(?:close|closed|end)(?:date|time)?`,
    'closing_date closes_at close_date expire_at expiry_date expires_at valid_until tutup closes_on',
  ),
  start_date: draft.date(
    'start_date (?:course|class|event)?(?:start|begin)date time(?:start|begin) start begin_date date_start mulai tgl_mulai tanggal_mulai starts_at start_at starts_on start_on first_day begin begins_at begins_on date_begin commence start_time begins starts tanggal_awal tgl_awal course_start pelaksanaan_mulai date_from',
    'from valid_from',
  ),
  finish_date: draft.date(
    'finish_date (?:course|class|event)?(?:end|finish)date time(?:end|finish) conclude conclude_at end_date finish date_end selesai tgl_selesai tanggal_selesai ends_at end_at ends_on end_on last_day tanggal_akhir tgl_akhir end_time course_end completion_date pelaksanaan_selesai finishes_on finish_at finish_on date_to tanggal_berakhir',
    'end until to',
  ),
  cover_uri: draft.COVER,
});

/** Trainings in the databases of partners. */
export const TRAINING_DRAFTING: draft.Drafting = {
  alias: 't',
  tables: {
    sure: `training, pelatihan, course, kursus, diklat, bimtek, workshop, bootcamp, course run, training class,
      kelas, class, training program, programme, course offering, course instance`,
    maybe: `program, batch, angkatan, module, modul, offering, edition, event, lesson, session, curriculum,
      kurikulum, learning, sertifikasi, seminar, channel, package, dataset, product, jadwal, kejuruan, unit`,
  },
  targets: TARGETS,
  telling: { title: 3, description: 1, start_date: 2, quota: 1, price: 1, finish_date: 1, media: 0.5 },
  wanted: ['institution_key', 'title', 'region_id', 'start_date', 'expired_date'],
  fromParent: ['region_id', 'address'],
};
