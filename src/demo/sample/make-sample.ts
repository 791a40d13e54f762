import {
  COMPANY_DAMAGES,
  INSTITUTION_DAMAGES,
  TRAINING_DAMAGES,
  VACANCY_DAMAGES,
  type Damage,
} from './break-records.js';
import { makeCompanies, type SampleCompany } from './make-companies.js';
import { makeInstitutions } from './make-institutions.js';
import { makeTrainings } from './make-trainings.js';
import { makeVacancy, type SampleVacancy } from './make-vacancies.js';
import { createRandom, type Random } from './random.js';
import { moment } from './sample-dates.js';
import type { InstitutionRow, TrainingRow, VacancyRow } from './sample-rows.js';

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

/** Makes all records of the sample: the same for the same seed and day (`YYYY-MM-DD`). Pure. */
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
