import type { ReferenceValue } from '../../../entities/lookup.js';
import { guessByName } from './guess-by-name.js';
import type { Guess } from './guess.js';

/** Other names of the platform's values, folded: what hardly means anything else. */
const NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  job_type: {
    full_time: 'fulltime full_time_job penuh_waktu purna_waktu waktu_penuh kerja_penuh_waktu ft full',
    part_time: 'parttime part_time_job paruh_waktu pt part',
    contract: 'kontrak contractor fixed_term fixed_term_contract pkwt karyawan_kontrak pegawai_kontrak',
    internship: 'intern magang internship_program praktik_kerja kerja_magang pemagangan trainee',
  },
  min_education: {
    smp_atau_sederajat: 'smp sltp mts junior_high_school smp_sederajat sltp_sederajat smp_mts junior_high',
    sma_atau_sederajat:
      'sma slta ma senior_high_school high_school sma_sederajat slta_sederajat sma_ma sma_smk_sederajat senior_high secondary',
    smk: 'smk_sederajat vocational_high_school sekolah_menengah_kejuruan vocational_school',
    diploma: 'd3 d_3 diii d_iii diploma_3 diploma_iii ahli_madya associate associate_degree',
    sarjana:
      's1 s_1 strata_1 strata_satu sarjana_s1 bachelor bachelor_degree bachelors undergraduate bachelor_s_degree s1_sarjana sarjana_strata_1',
  },
};

/** No minimum. */
const NONE =
  'any all semua none semua_jenjang semua_pendidikan tidak_ada no_minimum no_requirement any_level';

/** The interface's own words, with what partners write. `-`: no restriction. */
const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  gender: {
    male: 'male m l pria laki laki_laki lk man men lelaki cowok',
    female: 'female f perempuan wanita pr women woman',
    '-': 'mf fm m_f f_m mw any all both semua bebas l_p lp p_l pria_wanita laki_laki_perempuan no_preference tidak_ada none x campuran either mixed unisex no_restriction pria_dan_wanita',
  },
  marital: {
    single: 'single belum_menikah belum_kawin lajang unmarried tidak_kawin',
    married: 'married menikah kawin sudah_menikah sudah_kawin',
    '-': 'any all both semua bebas no_preference tidak_ada none no_restriction',
  },
  media: {
    online: 'online daring virtual remote e_learning elearning distance jarak_jauh webinar',
    offline: 'offline luring tatap_muka onsite on_site classroom in_person face_to_face klasikal',
  },
  difficulty_level: {
    beginner: 'beginner pemula dasar basic introductory elementary',
    intermediate: 'intermediate menengah lanjutan_menengah',
    advanced: 'advanced mahir lanjut lanjutan expert',
  },
};

/** Finds the platform's value of a code by its name, or by the code where it has none. */
export function guessWord(
  target: string,
  code: string,
  label: string | null,
  values: readonly ReferenceValue[],
): Guess {
  return guessByName(code, label, (spelling) => idsOf(target, fold(spelling), values));
}

function idsOf(target: string, spelling: string, values: readonly ReferenceValue[]): readonly string[] {
  if (spelling === '') return [];
  const own = values
    .filter(({ code, name }) => fold(code) === spelling || fold(name) === spelling)
    .map(({ id }) => id);
  if (own.length > 0) return own;
  const named = Object.entries(NAMES[target] ?? {}).find(([, names]) =>
    names.split(' ').includes(spelling),
  )?.[0];
  const value = values.find(({ code }) => code === named);
  if (value) return [value.id];
  if (target === 'min_education' && NONE.split(' ').includes(spelling)) return ['-'];
  const word = Object.entries(WORDS[target] ?? {}).find(([, names]) =>
    names.split(' ').includes(spelling),
  )?.[0];
  return word === undefined ? [] : [word];
}

/** `Full-time` is `full_time`, `Laki-Laki` is `laki_laki`. */
function fold(text: string): string {
  return text
    .toLowerCase()
    .replace(/&/g, ' ')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}
