import { PLACES, UNMAPPED_FUNCTION, UNMAPPED_INDUSTRY, UNMAPPED_PLACE } from './data.js';
import {
  address,
  createRandom,
  makeCompanies,
  type Random,
  type SampleCompany,
  telephone,
} from './make-companies.js';
import { makeVacancy, type SampleVacancy } from './make-vacancies.js';
import {
  type CompanyRow,
  type InstitutionRow,
  moment,
  type TrainingRow,
  type VacancyRow,
} from './sample-rows.js';

/** A record that is wrong on purpose, by its key in the queries. */
export interface BrokenRecord {
  readonly entity: 'companies' | 'vacancies' | 'institutions' | 'trainings';
  readonly key: string;
  /** `invalid`: not sent · `warning`: sent · `waiting`: its company is not sent, so it waits. */
  readonly expect: 'invalid' | 'warning' | 'waiting';
  readonly column: string;
  readonly reason: string;
}

export interface Sample {
  readonly companies: readonly SampleCompany[];
  readonly vacancies: readonly SampleVacancy[];
  readonly institutions: readonly InstitutionRow[];
  readonly trainings: readonly TrainingRow[];
  readonly broken: readonly BrokenRecord[];
}

/** Rows that the example queries return. The tables hold more: drafts, closed, expired, deleted. */
export const SAMPLE_COUNTS = { companies: 200, vacancies: 1500, institutions: 60, trainings: 90 } as const;

const HIDDEN = { companies: 4, drafts: 40, closed: 30, expired: 20, deleted: 10, institutions: 4 } as const;
const FIRST_VACANCY = 10_001;
/** Vacancies of damaged companies and of a deleted one: the platform never gets their company. */
const WAITING = { ofDamaged: 3, ofDeleted: 2 } as const;

/**
 * Makes all records of the sample: the same for the same seed and day (`YYYY-MM-DD`). Companies come first, then their
 * vacancies, institutions and their trainings, all valid. The last of each are broken on purpose, one by one
 * (`…_DAMAGES`), and named, so that a test and the demo know what the sync must say.
 */
export function makeSample(seed: number, today: string): Sample {
  const random = createRandom(seed);
  const made = makeCompanies(random, SAMPLE_COUNTS.companies + HIDDEN.companies, today);
  const [shown, deleted] = [made.slice(0, SAMPLE_COUNTS.companies), made.slice(SAMPLE_COUNTS.companies)];
  for (const company of deleted) company.row.dihapus_pada = moment(today, -20);
  const good = shown.slice(0, -COMPANY_DAMAGES.length);
  const damaged = shown.slice(-COMPANY_DAMAGES.length);
  const vacancies = makeVacancies(random, today, good, damaged, deleted);
  const institutions = makeInstitutions(random, SAMPLE_COUNTS.institutions + HIDDEN.institutions, today);
  for (const row of institutions.slice(SAMPLE_COUNTS.institutions)) row.aktif = false;
  const taught = institutions.slice(0, SAMPLE_COUNTS.institutions - INSTITUTION_DAMAGES.length);
  const trainings = makeTrainings(random, SAMPLE_COUNTS.trainings, taught, today);
  return {
    companies: made,
    vacancies: vacancies.all,
    institutions,
    trainings,
    broken: [
      ...applyDamages(
        'companies',
        COMPANY_DAMAGES,
        damaged.map(({ row }) => row),
        (row) => row.id,
      ),
      ...applyDamages('vacancies', VACANCY_DAMAGES, vacancies.toDamage, (row) => String(row.id)),
      ...vacancies.waiting,
      ...applyDamages(
        'institutions',
        INSTITUTION_DAMAGES,
        institutions.slice(0, SAMPLE_COUNTS.institutions).slice(-INSTITUTION_DAMAGES.length),
        (row) => row.kode,
      ),
      ...applyDamages('trainings', TRAINING_DAMAGES, trainings.slice(-TRAINING_DAMAGES.length), (row) =>
        String(row.nomor),
      ),
    ],
  };
}

interface MadeVacancies {
  readonly all: SampleVacancy[];
  readonly toDamage: VacancyRow[];
  readonly waiting: BrokenRecord[];
}

function makeVacancies(
  random: Random,
  today: string,
  good: readonly SampleCompany[],
  damaged: readonly SampleCompany[],
  deleted: readonly SampleCompany[],
): MadeVacancies {
  const all: SampleVacancy[] = [];
  const add = (company: SampleCompany, change: Partial<VacancyRow> = {}): VacancyRow => {
    const vacancy = makeVacancy(random, FIRST_VACANCY + all.length, company, today);
    Object.assign(vacancy.row, change);
    all.push(vacancy);
    return vacancy.row;
  };
  const addMany = (count: number, change: Partial<VacancyRow>) => {
    for (let index = 0; index < count; index += 1) add(random.pick(good), change);
  };
  const special = VACANCY_DAMAGES.length + WAITING.ofDamaged + WAITING.ofDeleted;
  addMany(SAMPLE_COUNTS.vacancies - special, {});
  addMany(HIDDEN.drafts, { status: 'DRAF' });
  addMany(HIDDEN.closed, { status: 'DITUTUP' });
  addMany(HIDDEN.expired, { batas_lamaran: moment(today, -3, '23:59:59') });
  addMany(HIDDEN.deleted, { dihapus_pada: moment(today, -1) });
  const toDamage = VACANCY_DAMAGES.map(() => add(random.pick(good)));
  const wait = (company: SampleCompany, reason: string): BrokenRecord => {
    const key = String(add(company).id);
    return { entity: 'vacancies', key, expect: 'waiting', column: 'company_key', reason };
  };
  const waiting = [
    ...damaged.slice(0, WAITING.ofDamaged).map((company) => wait(company, 'its company is invalid')),
    ...deleted.slice(0, WAITING.ofDeleted).map((company) => wait(company, 'its company was deleted')),
  ];
  return { all, toDamage, waiting };
}

function applyDamages<Row extends object>(
  entity: BrokenRecord['entity'],
  damages: readonly Damage<Row>[],
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): BrokenRecord[] {
  return damages.flatMap(({ change, expect, column, reason }, index) => {
    const row = rows[index];
    if (!row) return [];
    Object.assign(row, change);
    return [{ entity, key: keyOf(row), expect, column, reason }];
  });
}

/** A change that breaks a good record, and the result that the sync must give. */
interface Damage<Row> {
  readonly change: Partial<Row>;
  /** `invalid`: not sent · `warning`: sent, but worth a look. */
  readonly expect: 'invalid' | 'warning';
  /** The contract's column that shows the problem. */
  readonly column: string;
  readonly reason: string;
}

const damage = <Row>(
  change: Partial<Row>,
  expect: Damage<Row>['expect'],
  column: string,
  reason: string,
): Damage<Row> => ({ change, expect, column, reason });

/** Each is applied to one company of its own. */
const COMPANY_DAMAGES: readonly Damage<CompanyRow>[] = [
  damage({ nama_badan: null }, 'invalid', 'name', 'it has no name'),
  damage({ situs_web: 'instagram: @tokokami' }, 'invalid', 'website', 'its website is not a URL'),
  damage({ lintang: -617.5, bujur: 106.8 }, 'invalid', 'latitude', 'its latitude lacks the decimal point'),
  damage(
    { bidang_kode: UNMAPPED_INDUSTRY.code },
    'invalid',
    'industry',
    `its line of business ${UNMAPPED_INDUSTRY.code} is in no lookup`,
  ),
  damage(
    { bidang_kode: UNMAPPED_INDUSTRY.code },
    'invalid',
    'industry',
    `its line of business ${UNMAPPED_INDUSTRY.code} is in no lookup`,
  ),
  damage(
    { kota_kode: UNMAPPED_PLACE.code },
    'invalid',
    'region_id',
    `its city ${String(UNMAPPED_PLACE.code)} is in no lookup`,
  ),
];

/** Each is applied to one published vacancy of its own, of a company with nothing wrong. */
const VACANCY_DAMAGES: readonly Damage<VacancyRow>[] = [
  damage({ judul: null }, 'invalid', 'title', 'it has no title'),
  damage({ jumlah_posisi: 'banyak' }, 'invalid', 'quota', 'its number of positions is the word “many”'),
  damage(
    { jumlah_posisi: '2.5' },
    'warning',
    'quota',
    'its number of positions is a fraction, which is rounded',
  ),
  damage(
    { fungsi_kode: UNMAPPED_FUNCTION.code },
    'invalid',
    'job_function',
    `its function ${UNMAPPED_FUNCTION.code} is in no lookup`,
  ),
  damage(
    { kota_kode: UNMAPPED_PLACE.code },
    'invalid',
    'region_id',
    `its city ${String(UNMAPPED_PLACE.code)} is in no lookup`,
  ),
  damage({ tautan_lamaran: 'kirim lamaran lewat surel' }, 'invalid', 'client_url', 'its link is a sentence'),
];

/** Each is applied to one institution of its own. */
const INSTITUTION_DAMAGES: readonly Damage<InstitutionRow>[] = [
  damage({ nama: '   ' }, 'invalid', 'name', 'its name is blank'),
  damage(
    { kota_kode: UNMAPPED_PLACE.code },
    'invalid',
    'region_id',
    `its city ${String(UNMAPPED_PLACE.code)} is in no lookup`,
  ),
];

/** Each is applied to one class of its own. */
const TRAINING_DAMAGES: readonly Damage<TrainingRow>[] = [
  damage({ kursi: 'sekitar 20' }, 'invalid', 'quota', 'its number of places is text'),
  damage({ tingkat: 'X' }, 'invalid', 'difficulty_level', 'its level X is in no lookup'),
];

const SUBJECTS =
  'Barista, Menjahit Busana, Las Listrik, Servis Sepeda Motor, Tata Boga, Instalasi Listrik, Desain Grafis, Administrasi Perkantoran, Operator Forklift, Tata Rias, Pemrograman Web, Bahasa Jepang'.split(
    ', ',
  );
const LEVELS = ['D', 'D', 'D', 'L', 'M'] as const;
const FEES = [0, 150_000, 250_000, 500_000, 1_250_000] as const;

/** Numbers of classes begin here, so that they look different from other numbers. */
const FIRST_CLASS = 501;

/**
 * Makes `count` classes of these institutions, one in twelve without an institution; all are valid.
 */
function makeTrainings(
  random: Random,
  count: number,
  institutions: readonly InstitutionRow[],
  today: string,
): TrainingRow[] {
  return Array.from({ length: count }, (_, index) => {
    const institution = random.pick(institutions);
    const start = random.integer(20, 90);
    const online = random.chance(0.3);
    const subject = random.pick(SUBJECTS);
    return {
      nomor: FIRST_CLASS + index,
      lembaga_kode: index % 12 === 0 ? null : institution.kode,
      nama: `Pelatihan ${subject}`,
      uraian_html: `<p>Pelatihan <b>${subject}</b> untuk pencari kerja &amp; pekerja.</p>`,
      daring: online,
      kota_kode: online ? null : institution.kota_kode,
      tempat: online ? null : institution.jalan,
      tingkat: random.pick(LEVELS),
      biaya: random.pick(FEES),
      kursi: String(random.integer(8, 40)),
      bersertifikat: random.chance(0.8),
      sertifikat_bnsp: random.chance(0.3),
      tutup_daftar: moment(today, start - 7, '23:59:59').slice(0, 10),
      mulai: moment(today, start).slice(0, 10),
      selesai: moment(today, start + random.integer(2, 30)).slice(0, 10),
      gambar: random.chance(0.5) ? `kelas/${FIRST_CLASS + index}.jpg` : null,
    };
  });
}

const KINDS = ['LPK', 'LPK', 'LKP', 'BLK Komunitas', 'Balai Latihan'] as const;
const NAMES =
  'Bina Karya, Tunas Terampil, Cahaya Ilmu, Maju Bersama, Sinar Harapan, Insan Kreatif, Graha Komputer, Bahari, Nusantara Jaya, Wira Usaha, Busana Indah, Otomotif Muda'.split(
    ', ',
  );

/**
 * Makes `count` training institutions with codes `LPK-0001`, `LPK-0002`, …, all valid.
 */
function makeInstitutions(random: Random, count: number, today: string): InstitutionRow[] {
  return Array.from({ length: count }, (_, index) => {
    const place = random.pick(PLACES);
    const code = institutionCode(index + 1);
    return {
      kode: code,
      nama: `${random.pick(KINDS)} ${random.pick(NAMES)} ${place.name.replace('Kota ', '').replace('Kab. ', '')}`,
      kota_kode: place.code,
      jalan: address(random),
      telepon: random.chance(0.85) ? telephone(random, place) : null,
      surel: random.chance(0.7) ? `${code.toLowerCase()}@pelatihan.example.co.id` : null,
      logo: random.chance(0.4) ? `lembaga/${code.toLowerCase()}.png` : null,
      aktif: true,
      diubah_pada: moment(today, -random.integer(1, 400), '10:20:00'),
    };
  });
}

/** `LPK-0007`: two characters shorter than its column, which pads it. */
function institutionCode(number: number): string {
  return `LPK-${String(number).padStart(4, '0')}`;
}
