import { type Language, LANGUAGES } from '../../core/domain/names.js';
import { ENGLISH, type Texts } from './english.js';
import { INDONESIAN } from './indonesian.js';

export const TEXTS: Readonly<Record<Language, Texts>> = { en: ENGLISH, id: INDONESIAN };

/** The language of that name; null: there is none. */
export function asLanguage(name: string | undefined): Language | null {
  return LANGUAGES.find((language) => language === name) ?? null;
}

/**
 * The language of the query, else the one the browser kept, else the one it prefers, else English.
 * `accepted`: the header Accept-Language.
 */
export function chooseLanguage(
  asked: string | undefined,
  kept: string | undefined,
  accepted: string | undefined,
): Language {
  return asLanguage(asked) ?? asLanguage(kept) ?? preferred(accepted ?? '') ?? 'en';
}

function preferred(accepted: string): Language | null {
  const weighed = accepted.split(',').map((part) => {
    const [tag = '', ...parameters] = part.trim().split(';');
    const quality = parameters.map((one) => /^\s*q=([\d.]+)\s*$/.exec(one)?.[1]).find(Boolean);
    return { language: asLanguage(tag.split('-', 1)[0]?.toLowerCase()), quality: Number(quality ?? 1) };
  });
  const known = weighed.filter(({ language, quality }) => language !== null && quality > 0);
  return known.toSorted((one, other) => other.quality - one.quality)[0]?.language ?? null;
}
