import type { CatalogColumn, CatalogTable } from '../catalog/catalog.js';
import { isRole } from './is-role.js';
import { findStem, stems, wordsOf } from './words.js';

/** Tables with one of these words are about people, wherever it stands. */
const OF_PEOPLE =
  stems(`applicant, application, apply, applied, pelamar, lamaran, candidate, kandidat, seeker, jobseeker,
  pencaker, pencari kerja, pencari, peserta, participant, student, siswa, mahasiswa, learner, trainee, attendee, resume, cv, curriculum vitae,
  enrolment, enrollment, pendaftaran, pendaftar, registrant, alumni, password, credential, auth, oauth, login, otp,
  submission, interview, wawancara, talent, hire, referral, penanggung jawab, penanggungjawab`);

/** Tables that end or begin with one of these. */
const HEADS =
  stems(`user, users, pengguna, akun, person, people, orang, anggota, employee, karyawan, pegawai, staff,
  staf, instructor, instruktur, teacher, guru, pengajar, trainer, mentor, recruiter, admin, administrator, user session, token, contact person, profile user,
  member, manager, supervisor, coordinator, koordinator, volunteer, relawan, visitor, subscriber, customer, pelanggan, biodata, identity, worker, pekerja`);

/** What company and vacancy tables may be called although a word of people stands in it. */
const NOT_PEOPLE = stems('employer, job posting, lowongan, perusahaan, company, vacancy');

/** Whether a table is about people. None of its columns is ever read. */
export function isPeopleTable(name: string): boolean {
  const words = wordsOf(name);
  if (findStem(words, OF_PEOPLE) >= 0 || /^(django_)?session$/.test(words.join('_'))) return true;
  if (isOfPeople(words.at(-1))) return true;
  return isOfPeople(words[0]) && findStem(words, NOT_PEOPLE) < 0;
}

function isOfPeople(word = ''): boolean {
  return findStem([word], HEADS) === 0 || (isRole(word) && !BROKERS.has(word));
}

/** People or firms: a table of firms says more of them than a name. */
const BROKERS = new Set(['agent', 'agen', 'consultant', 'konsultan', 'operator']);
const OF_A_FIRM = stems('website, licence, license, lisensi, siup, nib, akta, legal, industry, industri');

/** A table with one of these columns is about people, unless it is called like a company: an ERP has both in one. */
const OF_A_PERSON = stems(
  'birth, born, birthday, birthdate, lahir, dob, passport, paspor, ktp, nik, ssn, password, id card, religion, agama, nisn, gender of person',
);
const PARTNERS = stems(
  'partner, company, employer, organisation, organization, perusahaan, mitra, party, business',
);

/** Whether a table is about people by its name or by its columns. */
export function isAboutPeople({ name, columns }: Pick<CatalogTable, 'name' | 'columns'>): boolean {
  if (isPeopleTable(name)) return true;
  if (BROKERS.has(wordsOf(name).at(-1) ?? ''))
    return !columns.some((column) => findStem(wordsOf(column.name), OF_A_FIRM) >= 0);
  if (findStem(wordsOf(name), PARTNERS) >= 0 || findStem(wordsOf(name), NOT_PEOPLE) >= 0) return false;
  return columns.some((column) => findStem(wordsOf(column.name), OF_A_PERSON) >= 0);
}

const PERSONAL =
  stems(`phone, telephone, telepon, telpon, telp, tlp, tel, hp, handphone, ponsel, mobile, gsm, whatsapp, wa, fax, faks, faksimile,
  email, e mail, mail, mailbox, mailboxes, surel, password, passwd, pwd, kata sandi, secret, token, salt, otp, pin, apikey, birth, born, birthday, lahir, dob, bod, pob, nik,
  ktp, ssn, nisn, nip, passport, paspor, npwp, firstname, lastname, surname, fullname, middlename, nickname, nama lengkap, first name,
  last name, full name, maiden name, given name, family name, contact, contact name, contact person, narahubung, kontak, pic, owner, pemilik, recruiter, user, username,
  login, author, creator, iban, rekening, bank, religion, agama, ethnicity, suku, foto, photo, avatar, signature,
  tanda tangan, ip, ipaddr, session, applicant, pelamar, candidate, kandidat, ibu, ayah, mother, father, spouse, disease,
  penyakit, health, blood, golongan darah, director, direktur, pimpinan, hrd name, ceo, approver, verifier, validator, reviewer, editor, moderator, activation code, confirmation code, verification code, reset code, access code, salutation, age of, umur pelamar`);

/** What a list of things does not have. */
const REACHED = stems(
  'phone, telephone, telepon, telpon, telp, hp, handphone, ponsel, mobile, whatsapp, wa, email, e mail, surel, first name, last name, given name, family name, surname',
);

/** Whether the names in a table may be those of people, so that none of them is read. */
export function mayNamePeople(table: Pick<CatalogTable, 'name' | 'columns'>): boolean {
  return (
    isAboutPeople(table) ||
    isPersonalColumn(table.name) ||
    table.columns.some(({ name }) => findStem(wordsOf(name), REACHED) >= 0)
  );
}

/** Whether nothing of a table is read: it is about people, or lists them, and no entity is likely to be in it. */
export function isListOfPeople(table: Pick<CatalogTable, 'name' | 'columns'>, isLikely: boolean): boolean {
  return isAboutPeople(table) || isPersonalColumn(table.name) || (!isLikely && mayNamePeople(table));
}

/** Who did something: a link, of which we need nothing, or a name. */
const ACTORS =
  /^((created|updated|deleted|modified|approved|verified|confirmed|moderated|posted|published|edited|reviewed|closed|archived|inserted|changed|dibuat|diubah|disetujui|diverifikasi|dikonfirmasi)_(by|oleh|name|nama|person)|publisher_(name|nama|person))/;

/** Whether a column holds what belongs to a person. Its values are never read; a draft may name it. */
export function isPersonalColumn(name: string): boolean {
  const words = wordsOf(name);
  return findStem(words, PERSONAL) >= 0 || ACTORS.test(words.join('_')) || isRole(name);
}

/** Texts that name something or somebody: `approved_name`, `nama_publikasi`, `confirmed_person`. */
const NAMES = /^nama_|(name|nama|person)$/;

/** Whether the values of a column may be people's, or their names. A flag has no such values, so none of them is read. */
export function mayHoldPeople({ name, kind }: Pick<CatalogColumn, 'name' | 'kind'>): boolean {
  return isPersonalColumn(name) || (kind === 'text' && NAMES.test(wordsOf(name).join('_')));
}
