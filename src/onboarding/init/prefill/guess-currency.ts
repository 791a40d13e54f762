import { foldName } from './fold-name.js';
import { guessByName } from './guess-by-name.js';
import type { Guess } from './guess.js';

/** Usual names that the standard's are not. */
const SHORT: Readonly<Record<string, string>> = { rupiah: 'IDR', ringgit: 'MYR', yen: 'JPY' };

/** Names of currencies in English and Indonesian, with their three letters. Made at the first use. */
let codes: ReadonlyMap<string, string> | undefined;

/** The three letters of a currency by its name, or by its code where it has none. */
export function guessCurrency(code: string, label: string | null): Guess {
  codes ??= allCodes();
  const known = codes;
  return guessByName(code, label, (spelling) => {
    const found = known.get(foldName(spelling));
    return found === undefined ? [] : [found];
  });
}

function allCodes(): ReadonlyMap<string, string> {
  const names = ['en', 'id'].map((language) => new Intl.DisplayNames(language, { type: 'currency' }));
  const all = new Map<string, string>(Object.entries(SHORT));
  for (const code of Intl.supportedValuesOf('currency'))
    for (const name of [code, ...names.flatMap((each) => each.of(code) ?? [])])
      if (!all.has(foldName(name))) all.set(foldName(name), code);
  return all;
}
