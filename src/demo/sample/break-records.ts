import { UNMAPPED_INDUSTRY } from './data/industries.js';
import { UNMAPPED_PLACE } from './data/places.js';
import { UNMAPPED_FUNCTION } from './data/work.js';
import type { CompanyRow, InstitutionRow, TrainingRow, VacancyRow } from './sample-rows.js';

/** A change that breaks a good record, and the result that the sync must give. */
export interface Damage<Row> {
  readonly change: Partial<Row>;
  /** `invalid`: not sent · `warning`: sent, but worth a look. */
  readonly expect: 'invalid' | 'warning';
  /** The contract's column that shows the problem. */
  readonly column: string;
  readonly reason: string;
}

/** Each is applied to one company of its own. */
export const COMPANY_DAMAGES: readonly Damage<CompanyRow>[] = [
  { change: { nama_badan: null }, expect: 'invalid', column: 'name', reason: 'it has no name' },
  {
    change: { situs_web: 'instagram: @tokokami' },
    expect: 'invalid',
    column: 'website',
    reason: 'its website is not a URL',
  },
  {
    change: { lintang: -617.5, bujur: 106.8 },
    expect: 'invalid',
    column: 'latitude',
    reason: 'its latitude lacks the decimal point',
  },
  {
    change: { bidang_kode: UNMAPPED_INDUSTRY.code },
    expect: 'invalid',
    column: 'industry',
    reason: `its line of business ${UNMAPPED_INDUSTRY.code} is in no lookup`,
  },
  {
    change: { bidang_kode: UNMAPPED_INDUSTRY.code },
    expect: 'invalid',
    column: 'industry',
    reason: `its line of business ${UNMAPPED_INDUSTRY.code} is in no lookup`,
  },
  {
    change: { kota_kode: UNMAPPED_PLACE.code },
    expect: 'invalid',
    column: 'region_id',
    reason: `its city ${String(UNMAPPED_PLACE.code)} is in no lookup`,
  },
];

/** Each is applied to one published vacancy of its own, of a company with nothing wrong. */
export const VACANCY_DAMAGES: readonly Damage<VacancyRow>[] = [
  { change: { judul: null }, expect: 'invalid', column: 'title', reason: 'it has no title' },
  {
    change: { jumlah_posisi: 'banyak' },
    expect: 'invalid',
    column: 'quota',
    reason: 'its number of positions is the word “many”',
  },
  {
    change: { jumlah_posisi: '2.5' },
    expect: 'warning',
    column: 'quota',
    reason: 'its number of positions is a fraction, which is rounded',
  },
  {
    change: { fungsi_kode: UNMAPPED_FUNCTION.code },
    expect: 'invalid',
    column: 'job_function',
    reason: `its function ${UNMAPPED_FUNCTION.code} is in no lookup`,
  },
  {
    change: { kota_kode: UNMAPPED_PLACE.code },
    expect: 'invalid',
    column: 'region_id',
    reason: `its city ${String(UNMAPPED_PLACE.code)} is in no lookup`,
  },
  {
    change: { tautan_lamaran: 'kirim lamaran lewat surel' },
    expect: 'invalid',
    column: 'client_url',
    reason: 'its link is a sentence',
  },
];

/** Each is applied to one institution of its own. */
export const INSTITUTION_DAMAGES: readonly Damage<InstitutionRow>[] = [
  { change: { nama: '   ' }, expect: 'invalid', column: 'name', reason: 'its name is blank' },
  {
    change: { kota_kode: UNMAPPED_PLACE.code },
    expect: 'invalid',
    column: 'region_id',
    reason: `its city ${String(UNMAPPED_PLACE.code)} is in no lookup`,
  },
];

/** Each is applied to one class of its own. */
export const TRAINING_DAMAGES: readonly Damage<TrainingRow>[] = [
  {
    change: { kursi: 'sekitar 20' },
    expect: 'invalid',
    column: 'quota',
    reason: 'its number of places is text',
  },
  {
    change: { tingkat: 'X' },
    expect: 'invalid',
    column: 'difficulty_level',
    reason: 'its level X is in no lookup',
  },
];
