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
