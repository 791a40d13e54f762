import type { ReferenceValue } from '../../../entities/lookup.js';

/** Cities of Indonesia and of its neighbours that lists of cities have; enough to know one by. */
const KNOWN = new Set(
  `jakarta surabaya medan makassar semarang palembang depok batam pekanbaru padang denpasar samarinda banjarmasin balikpapan
  pontianak jambi yogyakarta manado mataram ambon kupang palu kendari bengkulu surakarta solo sleman bantul gresik sidoarjo karawang
  purwakarta cilegon garut sumedang jember banyuwangi kudus klaten cilacap banyumas bogor bandung bekasi tangerang cirebon
  sukabumi tasikmalaya magelang pekalongan tegal malang madiun kediri blitar serang jayapura gorontalo indramayu subang cianjur singapore
  tokyo osaka seoul taipei kaohsiung dubai riyadh johor penang`.split(/\s+/),
);

/** Whether a list of names is one of cities: a fifth of them, and at least two, are known. */
export function areCities(names: readonly string[], references: readonly ReferenceValue[]): boolean {
  const cities = new Set([...KNOWN, ...references.map(({ name }) => plain(name))]);
  const known = names.filter((name) => cities.has(plain(name))).length;
  return known >= 2 && known >= names.length / 5;
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .replace(/\b(kota|kab|kabupaten|adm|administrasi|city|regency|of)\b/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
}
