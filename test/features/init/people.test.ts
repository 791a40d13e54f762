import { expect, it } from 'vitest';
import {
  isAboutPeople,
  isPeopleTable,
  isPersonalColumn,
  mayHoldPeople,
  mayNamePeople,
} from '../../../src/features/init/words.js';
import { catalogOf } from './catalog-of.js';
import { words } from '../../words.js';

it.each(
  words(`
  users auth_user applicants job_application JobApplication pelamar tbl_lamaran pencari_kerja
  candidate_steps peserta_pelatihan students course_participant employees pegawai user_profile company_users
  resumes cv_file job_seeker_profiles instructors sessions django_session oauth_tokens contact_person
  trainees petugas dosen tbl_asesor narasumber officers penanggung_jawab penanggung_jawab_perusahaan
  verifikator_wilayah tutors pendamping`),
)('the table %s is about people', (name) => {
  expect(isPeopleTable(name)).toBe(true);
});

it.each(
  words(`
  companies employers perusahaan lowongan job_posting course training_provider company_contact user_company
  course_session organizations positions kelas_pelatihan mitra_usaha agencies agenda pendampingan_usaha
  auditorium pengawasan petugas_lowongan tour_operator`),
)('the table %s is not', (name) => {
  expect(isPeopleTable(name)).toBe(false);
});

it.each(
  words(`
  phone phone_number no_hp noTelp contactEmail email surel password_hash birth_date dateOfBirth tgl_lahir
  nik passport_no full_name nama_lengkap contact_person created_by updatedBy user_id username npwp pic
  verifikator nama_verifikator pemverifikasi petugas_verifikasi approver moderator disetujui_oleh
  penanggung_jawab penanggungJawab nama_pj agent consultant_name asesor dosen pengawas approved_name
  publisher_name confirmed_person diverifikasi_oleh`),
)('the column %s belongs to a person', (name) => {
  expect(isPersonalColumn(name)).toBe(true);
});

it.each(
  words(`
  name title address company_id description gender min_age status closing_date published_at position
  employer_id city_id logo legal_name headline topic shipping_mode description_html agency agenda approved
  approved_at verified status_verifikasi moderation_status officer_count jumlah_dosen auditorium tutorial
  pendampingan hasil_pengawasan konsultansi consultancy designer`),
)('the column %s does not', (name) => {
  expect(isPersonalColumn(name)).toBe(false);
});

it('agents are people, unless their table says more of a firm than its name', () => {
  const { tables } = catalogOf(`
    agents 9: id int, name text
    consultants 9: id int, name text, level text
    agen 9: id int, nama text, siup text`);
  expect(tables.map((table) => isAboutPeople(table))).toEqual([true, true, false]);
  expect(tables.map((table) => mayNamePeople(table))).toEqual([true, true, true]);
});

it.each([
  ['status_name', true],
  ['active_person', true],
  ['namaPublikasi', true],
  ['state', false],
  ['approved', false],
])('of the texts of %s, some may be names: %s', (name, expected) => {
  expect(mayHoldPeople({ name, kind: 'text' })).toBe(expected);
  expect(mayHoldPeople({ name, kind: 'boolean' })).toBe(false);
});

it('a table with birth dates is about people, unless it is one of partners that has both', () => {
  const { tables } = catalogOf(`
    submission_x 1: id int, name text
    register 1: id int, label text, born_on date
    partner 1: id int, label text, born_on date`);
  expect(tables.map((table) => isAboutPeople(table))).toEqual([true, true, false]);
});
