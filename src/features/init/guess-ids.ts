import type { ReferenceValue } from '../../core/entities/lookup.js';

/**
 * The platform's id of a partner's code, guessed by its name: values of the interface (`guessWord`), cities,
 * countries, currencies. What could mean two things stays empty with a note: a wrong id is worse than none.
 */

/** The platform's values, by column of the contract. */
export type References = ReadonlyMap<string, readonly ReferenceValue[]>;

/** The id of a code, or why there is none. Ambiguous: several ids fit, and a person has to choose. */
export interface Guess {
  /** Empty: undecided. `-`: known, and left out. */
  readonly id: string;
  readonly note: string;
}

export const UNKNOWN: Guess = { id: '', note: '' };

/**
 * The id that the name of a code means; a code without a name speaks for itself. An abbreviation means little (`PT` is
 * part time here and permanent there), so a name that is not understood leaves the id empty. A name in several languages
 * (`Full time / Penuh waktu`) has to mean the same in all of them.
 */
function guessByName(
  code: string,
  label: string | null,
  idsOf: (spelling: string) => string | readonly string[],
): Guess {
  const [id, ...others] = new Set((label === null ? [code] : label.split(' / ')).flatMap(idsOf));
  if (id === undefined) return UNKNOWN;
  return others.length === 0
    ? { id, note: '' }
    : { id: '', note: 'ambiguous: its names mean different values' };
}

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

/**
 * Finds the platform's id of a city by its name. The starter file has the codes of the Ministry of Home Affairs; the
 * statistics office gives some of the same numbers to other cities, so a code alone says nothing.
 */
export function guessCity(code: string, label: string | null, cities: readonly ReferenceValue[]): Guess {
  const digits = code.replace(/[. ]/g, '').replace(/^(\d{4})0{3,6}$/, '$1');
  const byCode = label === null ? cities.find((city) => city.code === digits) : undefined;
  if (byCode)
    return {
      id: '',
      note: `ambiguous: ${byCode.name} in the list of the Ministry of Home Affairs; which code list is yours? That of the statistics office differs`,
    };
  // Of "City, Province" or "City, Country" what stands before the comma.
  const wanted = parse((label ?? code).split(',')[0] ?? '');
  const named = cities.filter(({ name }) => parse(name).name === wanted.name);
  const exact = named.filter(({ name }) => wanted.sort !== null && parse(name).sort === wanted.sort);
  if (exact.length === 1) return { id: exact[0]?.id ?? '', note: '' };
  if (wanted.name === 'jakarta') return { id: '', note: 'ambiguous: Jakarta is five cities' };
  if (BOTH.has(wanted.name) && wanted.sort === null)
    return { id: '', note: `ambiguous: ${titled(wanted.name)} is a city (Kota) and a regency (Kabupaten)` };
  if (named.length === 1 && wanted.sort === null) return { id: named[0]?.id ?? '', note: '' };
  return UNKNOWN;
}

/** Cities whose name a regency has too: the name alone does not say which is meant. */
const BOTH = new Set(
  `bogor bandung bekasi tangerang cirebon sukabumi tasikmalaya semarang magelang pekalongan tegal malang madiun mojokerto
  pasuruan probolinggo kediri blitar serang solok bima kupang sorong jayapura gorontalo banjar`.split(/\s+/),
);

type Sort = 'city' | 'regency' | null;

/** `KOTA ADM. JAKARTA PUSAT` is the city `jakarta pusat`. */
function parse(text: string): { readonly name: string; readonly sort: Sort } {
  const plain = text
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim();
  const regency = /(^| )(kab|kabupaten|regency)( |$)/.test(plain);
  const city = /(^| )(kota|city|kodya|kotamadya)( |$)/.test(plain);
  const name = plain
    .replace(
      /(^| )(kabupaten|kab|regency|kota administrasi|kota adm|kotamadya|kodya|kota|city|adm|administrasi|of)(?= |$)/g,
      ' ',
    )
    .replace(/\b(dki|daerah khusus ibukota)\b/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
  return { name: ENGLISH[name] ?? name, sort: regency ? 'regency' : city ? 'city' : null };
}

const ENGLISH: Readonly<Record<string, string>> = {
  'central jakarta': 'jakarta pusat',
  'west jakarta': 'jakarta barat',
  'south jakarta': 'jakarta selatan',
  'east jakarta': 'jakarta timur',
  'north jakarta': 'jakarta utara',
  'west bandung': 'bandung barat',
  tanjungpinang: 'tanjung pinang',
};

function titled(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Whether a list of names is one of cities: a fifth of them, and at least two, are known. */
export function areCities(names: readonly string[], references: readonly ReferenceValue[]): boolean {
  const known = names.filter((name) => isCity(name, null, references)).length;
  return known >= 2 && known >= names.length / 5;
}

/** Whether a code, or its name, is that of a city: by its form, or by a list, also where it may be one of two. */
export function isCity(code: string, label: string | null, cities: readonly ReferenceValue[]): boolean {
  const name = (label ?? code).split(',')[0] ?? '';
  const { id, note } = guessCity(code, label, cities);
  return CALLED_CITY.test(name) || KNOWN.has(parse(name).name) || id !== '' || note !== '';
}

const CALLED_CITY = /^(kota|kab(upaten)?)[. ]+[a-z' -]{3,}$/i;

/** Cities that lists of cities have; enough to know one by. */
const KNOWN = new Set(
  `jakarta surabaya medan makassar semarang palembang depok batam pekanbaru padang denpasar samarinda banjarmasin balikpapan
  pontianak jambi yogyakarta manado mataram ambon kupang palu kendari bengkulu surakarta solo sleman bantul gresik sidoarjo karawang
  purwakarta cilegon garut sumedang jember banyuwangi kudus klaten cilacap banyumas bogor bandung bekasi tangerang cirebon
  sukabumi tasikmalaya magelang pekalongan tegal malang madiun kediri blitar serang jayapura gorontalo indramayu subang cianjur
  singapore tokyo osaka seoul taipei kaohsiung dubai riyadh johor penang`.split(/\s+/),
);

/** The two letters of a country by its name, or by its code where it has none. The home country is left out: its code is null at the platform. */
export function guessCountry(code: string, label: string | null): Guess {
  const found = guessInWords('region', code, label);
  return found.id === HOME ? { id: '-', note: 'the home country is sent without a code' } : found;
}

const HOME = 'ID';

/** The three letters of a currency by its name, or by its code where it has none. */
export function guessCurrency(code: string, label: string | null): Guess {
  return guessInWords('currency', code, label);
}

function guessInWords(type: keyof typeof SHORT, code: string, label: string | null): Guess {
  const known = codesByName[type] ?? codesOf(type);
  codesByName[type] = known;
  return guessByName(code, label, (spelling) => known.get(foldName(spelling)) ?? []);
}

/** Names in English and Indonesian with their codes. Made at the first use. */
const codesByName: Partial<Record<keyof typeof SHORT, ReadonlyMap<string, string>>> = {};

function codesOf(type: keyof typeof SHORT): ReadonlyMap<string, string> {
  const languages = ['en', 'id'].map(
    (language) => new Intl.DisplayNames(language, { type, fallback: 'none' }),
  );
  const all = new Map<string, string>(Object.entries(SHORT[type]));
  const codes =
    type === 'currency'
      ? Intl.supportedValuesOf('currency')
      : LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  for (const code of codes) {
    const called = languages.flatMap((each) => each.of(code) ?? []);
    if (called.length === 0) continue;
    for (const name of [code, ...called]) if (!all.has(foldName(name))) all.set(foldName(name), code);
  }
  return all;
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** Usual names that the standard's are not. */
const SHORT = {
  region: {
    hongkong: 'HK',
    macau: 'MO',
    macao: 'MO',
    usa: 'US',
    amerikaserikat: 'US',
    uk: 'GB',
    uae: 'AE',
    ksa: 'SA',
    korea: 'KR',
  },
  currency: { rupiah: 'IDR', ringgit: 'MYR', yen: 'JPY' },
} as const;

/** Nothing but the letters: `Côte d’Ivoire` is `cotedivoire`. */
function foldName(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]+/g, '');
}
