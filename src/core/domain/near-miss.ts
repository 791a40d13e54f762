/**
 * Keys and codes that are equal but for something that nobody sees, or that another program changed. What differs is named,
 * because "not found" sends a person to look for what stands there already.
 */

/** Signs without width: marks of order, zero-width spaces, soft hyphens, control characters that are no blanks. */
const UNSEEN = /[\p{Cf}\0-\x08\x0E-\x1F\x7F-\x9F\u034F\u115F\u1160\u3164\uFE00-\uFE0F]/gu;

/** What may differ, and how it is taken away; in this order. `unseen`: a person cannot see it. */
const FORMS: readonly {
  readonly name: string;
  readonly unseen?: true;
  readonly fold: (text: string) => string;
}[] = [
  { name: 'invisible characters, such as U+200B', unseen: true, fold: (text) => text.replace(UNSEEN, '') },
  { name: 'blanks', unseen: true, fold: (text) => text.trim().replace(/\s+/g, ' ') },
  { name: 'the Unicode form of a letter (NFC, NFD)', unseen: true, fold: (text) => text.normalize('NFKC') },
  { name: 'upper and lower case', fold: (text) => text.toUpperCase().toLowerCase() },
  { name: 'a quote mark', fold: (text) => text.replace(/^['’`"]+|['’`"]+$/g, '') },
  { name: 'an exponent', fold: withoutExponent },
  { name: 'a fraction of zeros', fold: (text) => text.replace(/^(\d+)[.,]0+$/, '$1') },
  { name: 'leading zeros', fold: (text) => text.replace(/^0+(?=\d+$)/, '') },
];

/** `3.17E+03` is 3170. */
function withoutExponent(text: string): string {
  const value = /^\d+(?:[.,]\d+)?e\+?\d{1,2}$/i.test(text) ? Number(text.replace(',', '.')) : NaN;
  return Number.isSafeInteger(value) ? String(value) : text;
}

/** Longest text that is folded; no key and no code is longer. */
const LONGEST = 500;

/** The form that two texts share when they differ in no more than one can overlook. */
export function foldForm(text: string): string {
  return text.length > LONGEST ? text : folded(text);
}

function folded(text: string, without?: string): string {
  return FORMS.reduce((form, { name, fold }) => (name === without ? form : fold(form)), text);
}

/** What two texts of one form differ by, as the end of a sentence. `unseen`: a person cannot see that they differ. */
export function differenceOf(a: string, b: string): { readonly text: string; readonly unseen: boolean } {
  const needed = FORMS.filter(({ name }) => folded(a, name) !== folded(b, name));
  const names = needed.length === 0 ? ['its form'] : needed.map(({ name }) => name);
  return { text: names.join(' and '), unseen: needed.every(({ unseen }) => unseen === true) };
}
