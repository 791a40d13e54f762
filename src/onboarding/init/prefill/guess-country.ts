import { foldName } from './fold-name.js';
import { guessByName } from './guess-by-name.js';
import type { Guess } from './guess.js';

const HOME = 'ID';
/** Usual names that the standard's are not. */
const SHORT: Readonly<Record<string, string>> = {
  hongkong: 'HK',
  macau: 'MO',
  macao: 'MO',
  usa: 'US',
  amerikaserikat: 'US',
  uk: 'GB',
  uae: 'AE',
  ksa: 'SA',
  korea: 'KR',
};

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** Names of countries in English and Indonesian, with their two letters. Made at the first use. */
let codes: ReadonlyMap<string, string> | undefined;

/** The two letters of a country by its name, or by its code where it has none. The home country is left out: its code is null at the platform. */
export function guessCountry(code: string, label: string | null): Guess {
  codes ??= allCodes();
  const known = codes;
  const found = guessByName(code, label, (spelling) => {
    const letters = known.get(foldName(spelling));
    return letters === undefined ? [] : [letters];
  });
  return found.id === HOME ? { id: '-', note: 'the home country is sent without a code' } : found;
}

function allCodes(): ReadonlyMap<string, string> {
  const names = ['en', 'id'].map(
    (language) => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }),
  );
  const all = new Map<string, string>(Object.entries(SHORT));
  for (const code of LETTERS.flatMap((first) => LETTERS.map((second) => first + second))) {
    const called = names.flatMap((each) => each.of(code) ?? []);
    if (called.length === 0) continue;
    for (const name of [code, ...called]) if (!all.has(foldName(name))) all.set(foldName(name), code);
  }
  return all;
}
