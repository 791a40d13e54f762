import type { ReferenceValue } from '../../../entities/lookup.js';
import { UNKNOWN, type Guess } from './guess.js';

/** Cities whose name a regency has too: the name alone does not say which is meant. */
const BOTH = new Set(
  `bogor bandung bekasi tangerang cirebon sukabumi tasikmalaya semarang magelang pekalongan tegal malang madiun mojokerto
  pasuruan probolinggo kediri blitar serang solok bima kupang sorong jayapura gorontalo banjar`.split(/\s+/),
);

const ENGLISH: Readonly<Record<string, string>> = {
  'central jakarta': 'jakarta pusat',
  'west jakarta': 'jakarta barat',
  'south jakarta': 'jakarta selatan',
  'east jakarta': 'jakarta timur',
  'north jakarta': 'jakarta utara',
  'west bandung': 'bandung barat',
  tanjungpinang: 'tanjung pinang',
};

type Sort = 'city' | 'regency' | null;

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
  const wanted = parse(label ?? code);
  const named = cities.filter(({ name }) => parse(name).name === wanted.name);
  const exact = named.filter(({ name }) => wanted.sort !== null && parse(name).sort === wanted.sort);
  if (exact.length === 1) return { id: exact[0]?.id ?? '', note: '' };
  if (wanted.name === 'jakarta') return { id: '', note: 'ambiguous: Jakarta is five cities' };
  if (BOTH.has(wanted.name) && wanted.sort === null)
    return { id: '', note: `ambiguous: ${titled(wanted.name)} is a city (Kota) and a regency (Kabupaten)` };
  if (named.length === 1 && wanted.sort === null) return { id: named[0]?.id ?? '', note: '' };
  return UNKNOWN;
}

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

function titled(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
