import type { CatalogColumn } from '../catalog/catalog.js';
import { wordsOf } from './words.js';

const INTERNAL =
  /(^|_)(note|memo|remark|comment|internal|intern|catatan|komentar|annotation|private|secret)(_|$)/;
const BILLED = /(^|_)(rate|bill|billing|billed|billable|fee|charge|charged|invoice|markup|margin|tarif)(_|$)/;
const PAID = /(^|_)(salary|gaji|wage|upah|pay|paid|remuneration|compensation)(_|$)/;
/** Words of places; the name of what is offered needs a word of counting beside it. */
const PLACES =
  /(^|_)(quota|kuota|opening|headcount|head_count|kebutuhan|dibutuhkan|needed|slot|formasi|seat|kursi|place|capacity|kapasita|daya_tampung|participant|peserta|student|learner|enrol_limit|hiring_count|recruitment)(_|$)/;
const OFFERED = '(?:vacancy|position|lowongan|posisi|orang)';
const COUNTED_OFFERS = new RegExp(
  `^(?:vacancy|lowongan)$|(?:jumlah|jml|total|num|number_of|no_of|open|max|kuota)_${OFFERED}|${OFFERED}_(?:count|total|qty|quantity|available|needed)`,
);
/** The end of a name of what is numbered, not counted, and of what is called. */
const NUMBERED =
  /(^|_)(phone|tel|telp|telepon|telephone|hp|wa|whatsapp|fax|mobile|contact|kontak)(_|$)|_(no|number|nomor|nomer|id|code|kode)$/;
/** Texts that everybody reads. */
const PUBLIC_TEXTS = new Set(['about', 'description', 'qualification', 'address']);

/**
 * What to ask before a column may fill a column of the contract: texts that may be meant for colleagues, numbers
 * whose name has no word of places, and amounts that may be what a client pays. Null: nothing.
 */
export function questionBefore(target: string, { name }: Pick<CatalogColumn, 'name'>): string | null {
  const words = wordsOf(name).join('_');
  if (PUBLIC_TEXTS.has(target) && INTERNAL.test(words))
    return `${name} may be meant for colleagues; is it public? Only then it is ${target}`;
  if (target === 'quota' && (NUMBERED.test(words) || !(PLACES.test(words) || COUNTED_OFFERS.test(words))))
    return `${name} may be a number of something else; is it the number of places? Only then it is quota`;
  if (!target.endsWith('_salary_amount') || !BILLED.test(words)) return null;
  // A pay rate is paid; a fee for the pay is not.
  if (PAID.test(words) && !BILLED.test(words.replace(/(^|_)rate(?=_|$)/g, ''))) return null;
  return `${name} may be what a client is billed; is it paid to the one who is hired? Only then it is ${target}`;
}
