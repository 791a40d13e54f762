import type { CatalogColumn, CatalogTable } from '../catalog/catalog.js';

/**
 * Names of tables and columns as words, in English and Indonesian, and what these say. Above all whether they are
 * about people: such tables are left out and such columns are never read, so in doubt a name is one of people.
 */

/** `jobPosting`, `JOB_POSTINGS` and `job-posting` are `job`, `posting`: lower case, in the singular, without digits. */
export function wordsOf(name: string): readonly string[] {
  const known = split.get(name);
  if (known) return known;
  const words = splitName(name);
  if (split.size >= MOST_KEPT) split.clear();
  if (name.length <= LONGEST_KEPT) split.set(name, words);
  return words;
}

/** The same names are asked for many times: each column for each column of each entity. */
const split = new Map<string, readonly string[]>();
const MOST_KEPT = 50_000;
const LONGEST_KEPT = 64;

/** `jobPosting` is `job_posting`: the words of a name, to be compared with a pattern. */
export function plainName(name: string): string {
  return wordsOf(name).join('_');
}

function splitName(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+|(?<=[a-z]{3})(?=\d)/)
    .filter((word) => word !== '' && !/^\d+$/.test(word))
    .map(singular);
}

/** `companies` is `company`. Indonesian words that end in s lose it too, in names and in our lists alike. */
export function singular(word: string): string {
  if (word.length < 4 || /(ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') ? word.slice(0, -1) : word;
}

/** From this length on a stem is also found inside of a word: `namaperusahaan`. */
const LONG = 6;

/** A set of stems, each one word or several (`job posting`). */
export type Stems = readonly (readonly string[])[];

/** They stand parted by commas or lines. */
export function stems(text: string): Stems {
  return text
    .trim()
    .split(/\s*[,\n]\s*/)
    .map((stem) => stem.split(' ').map(singular));
}

/** Where the first of these stems stands among the words: index of its last word; -1: nowhere. */
export function findStem(words: readonly string[], list: Stems): number {
  let found = -1;
  for (const stem of list) {
    for (let at = 0; at + stem.length <= words.length; at += 1)
      if (stem.every((part, place) => isStem(words[at + place] ?? '', part)))
        found = Math.max(found, at + stem.length - 1);
  }
  return found;
}

function isStem(word: string, stem: string): boolean {
  return word === stem || (stem.length >= LONG && word.includes(stem));
}

/** Tables with one of these words are about people, wherever it stands. */
const OF_PEOPLE =
  stems(`applicant, application, apply, applied, pelamar, lamaran, candidate, kandidat, seeker, jobseeker,
  pencaker, pencari kerja, pencari, peserta, participant, student, siswa, mahasiswa, learner, trainee, attendee, resume, cv, curriculum vitae,
  enrolment, enrollment, pendaftaran, pendaftar, registrant, alumni, password, credential, auth, oauth, login, otp,
  submission, interview, wawancara, talent, hire, referral, penanggung jawab, penanggungjawab`);

/** Tables that end or begin with one of these. */
const HEADS =
  stems(`user, users, pengguna, akun, person, people, orang, anggota, employee, karyawan, pegawai, staff,
  staf, instructor, instruktur, teacher, guru, pengajar, trainer, mentor, admin, administrator, user session, token, contact person, profile user,
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
const BROKERS = new Set(['agent', 'agen', 'consultant', 'konsultan', 'operator', 'recruiter']);
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

/** Whether the role may read a column, and nothing in it belongs to a person. */
export function isReadable({ name, selectable }: Pick<CatalogColumn, 'name' | 'selectable'>): boolean {
  return selectable && !isPersonalColumn(name);
}

/** Texts that name something or somebody: `approved_name`, `nama_publikasi`, `confirmed_person`. */
const NAMES = /^nama_|(name|nama|person)$/;

/** Whether the values of a column may be people's, or their names. A flag has no such values, so none of them is read. */
export function mayHoldPeople({ name, kind }: Pick<CatalogColumn, 'name' | 'kind'>): boolean {
  return isPersonalColumn(name) || (kind === 'text' && NAMES.test(plainName(name)));
}

/** What people are called who look after records, or teach: also inside of a longer word. */
const ROLES =
  stems(`verifikator, verificator, pemverifikasi, approver, penyetuju, petugas, penanggung jawab, penanggungjawab,
  narasumber, officer, assessor, asesor, moderator, lecturer, assignee, signatory, pejabat, widyaiswara, fasilitator,
  facilitator, inspektur, inspector, evaluator, surveyor, interviewer, pewawancara`);

/** Short ones, and those with which other words begin: `tutorial`, `auditorium`, `pengawasan`, `consultancy`, `agenda`. */
const WHOLE = new Set(
  stems(
    'dosen, agent, agen, consultant, konsultan, tutor, coach, speaker, pemateri, auditor, pemeriksa, penilai, pengawas, penguji, pendamping, pembimbing, penandatangan, operator, pj',
  ).map(([word]) => word),
);

const COUNTED = /(^|_)(count|number|total|jumlah|num|qty|quantity|no_of|max|min|limit|kuota|quota)(_|$)/;

/** Whether a name is about somebody by what they do: `nama_verifikator`, not `officer_count`. */
function isRole(name: string): boolean {
  const words = wordsOf(name);
  if (COUNTED.test(words.join('_'))) return false;
  return findStem(words, ROLES) >= 0 || words.some((word) => WHOLE.has(word));
}

/** Tables that a record names to say where it is. */
export const PLACES =
  stems(`location, lokasi, address, alamat, branch, cabang, venue, office, kantor, site, district, kecamatan, village,
  kelurahan, desa, wilayah, region, area, place, zone, campus, tempat`);

/** What skills are called. */
export const SKILL_WORDS = stems(
  'skill, keahlian, keterampilan, kompetensi, competency, competence, ability',
);
