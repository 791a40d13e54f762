import type { CatalogColumn } from '../catalog/catalog.js';
import { wordsOf } from './words.js';

const INTERNAL =
  /(^|_)(note|memo|remark|comment|internal|intern|catatan|komentar|annotation|private|secret)(_|$)/;
const BILLED = /(^|_)(rate|bill|billing|billed|billable|fee|charge|charged|invoice|markup|margin|tarif)(_|$)/;
const PAID = /(^|_)(salary|gaji|wage|upah|pay|paid|remuneration|compensation)(_|$)/;
/** Texts that everybody reads. */
const PUBLIC_TEXTS = new Set(['about', 'description', 'qualification', 'address']);

/**
 * What to ask before a column may fill a column of the contract: texts that may be meant for colleagues, and amounts that
 * may be what a client pays. Null: nothing.
 */
export function questionBefore(target: string, { name }: Pick<CatalogColumn, 'name'>): string | null {
  const words = wordsOf(name).join('_');
  if (PUBLIC_TEXTS.has(target) && INTERNAL.test(words))
    return `${name} may be meant for colleagues; is it public? Only then it is ${target}`;
  if (!target.endsWith('_salary_amount') || !BILLED.test(words)) return null;
  // A pay rate is paid; a fee for the pay is not.
  if (PAID.test(words) && !BILLED.test(words.replace(/(^|_)rate(?=_|$)/g, ''))) return null;
  return `${name} may be what a client is billed; is it paid to the one who is hired? Only then it is ${target}`;
}
