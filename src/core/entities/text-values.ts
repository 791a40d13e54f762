import { decimal, fault, plain, type Reading } from './values.js';

/** The rule for texts that are sent as they are: what is doubtful about them, and which are numbers that lost digits. */

/** As Postgres prints real, double precision and numbers of JSON. */
const WITH_EXPONENT = /^-?\d+(?:\.\d+e[+-]?|e[+-])\d{1,3}$/;
/** As spreadsheets show a long number: most of its digits are gone. */
const SHORTENED = /^-?\d+(?:[.,]\d+)?E\+\d{1,3}$/;

/** What people write where they know nothing. */
export const UNKNOWN =
  /^(?:[-–—_.?]+|n\/?a|nil|null|none|nan|undefined|unknown|tba|tbd|kosong|(?:tidak|belum) (?:ada|diketahui))$/i;

const INVISIBLE = /^[\s\p{Cf}\u034F\u115F\u1160\u3164]*$/u;
/** Without tab, line feed and carriage return. */
const CONTROL = /[\0-\x08\v\f\x0E-\x1F\x7F-\x9F]/;
const EMAIL = /^[^\s@<>()[\],;:"]+@[^\s@<>()[\],;:"]+\.[^\s@<>()[\],;:".]+$/;

/** What is probably wrong with a text, which is sent as it is: by its column, the first that fits. */
const TEXT_DOUBTS: readonly {
  readonly column?: string;
  readonly fits: (text: string) => boolean;
  readonly message: string;
  readonly hint: string;
}[] = [
  {
    fits: (text) => INVISIBLE.test(text),
    message: 'has only invisible characters',
    hint: 'Return null for it from the query.',
  },
  {
    fits: (text) => UNKNOWN.test(text.trim()),
    message: 'has a word that stands for “unknown”, which people see as it is',
    hint: "Return null for it, for instance nullif(trim(column), '-').",
  },
  {
    fits: (text) => CONTROL.test(text),
    message: 'has control characters',
    hint: String.raw`Cut them out in the query: regexp_replace(column, '[\x01-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]', '', 'g').`,
  },
  {
    column: 'email',
    fits: (text) => !EMAIL.test(text.trim()),
    message: 'is not an e-mail address',
    hint: 'Return one address alone, or null: a platform may refuse the whole record for it.',
  },
  {
    column: 'phone',
    fits: (text) => (text.match(/\d/g)?.length ?? 0) < 5,
    message: 'is not a telephone number',
    hint: 'Return null for it from the query.',
  },
  {
    // A text of several lines often ends with one more.
    fits: (text) => text !== text.trim() && !text.trim().includes('\n'),
    message: 'begins or ends with blanks',
    hint: String.raw`Cut them in the query: btrim(column, E' \t\r\n\u00A0').`,
  },
];

function sentAsItIs(text: string, column: string): Reading<string> {
  const found = TEXT_DOUBTS.find((each) => (each.column ?? column) === column && each.fits(text));
  if (found === undefined) return { value: text };
  return { value: text, warning: { code: 'doubtful', message: found.message, hint: found.hint } };
}

/**
 * Text as it is, with a doubt about one that hardly anybody means. Only a number with an exponent, which a telephone number
 * or a licence cannot be, is written out: it comes from a floating point column.
 */
export function anyText(text: string, column: string): Reading<string> {
  // A number is shorter.
  if (text.length > 40) return sentAsItIs(text, column);
  if (SHORTENED.test(text)) {
    const hint =
      "Correct it at its source, where the column has to be text; or return null for it: case when column !~ 'E[+]' then column end.";
    return fault('format', 'is a number that a spreadsheet shortened, so its digits are lost', hint);
  }
  const number = WITH_EXPONENT.test(text) ? decimal(text, true) : null;
  if (number === null) return sentAsItIs(text, column);
  const message = 'comes from a floating point number, and is sent with all digits that are left of it';
  const hint = 'Such a column keeps 6 digits (real) or 15 (double precision). Store it as text or numeric.';
  return { value: plain(number), warning: { code: 'doubtful', message, hint } };
}
