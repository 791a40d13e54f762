import { PAY, type TargetKind } from '../drafting/drafting.js';
import type { CatalogColumn, CatalogTable, ValueKind } from '../../catalog/catalog.js';
import type { Draftable, NamedTarget } from '../draftables.js';
import { ALIAS } from '../sql-text.js';
import { WORK_MODE } from '../states.js';
import { findStem, plainName, singular, wordsOf } from '../words.js';

/**
 * Which column of a table may fill which column of the contract. Each pair gets a score: what the column is called
 * (`namesOf`) against the patterns of the target, weakened by its type, and by where the table it names points. The
 * best pair wins, each column and each target is taken once; both ends of a range have to belong together. Names
 * that may mean something private are never taken unasked (`questionBefore`).
 */

/**
 * Which columns of a table may fill which columns of an entity, each of both at most once: the best pairs first.
 *
 * @param meanings further names by column: the table that it names
 */
export function columnMatches(
  known: Known,
  table: Matched,
  meanings: ReadonlyMap<string, readonly string[]> = new Map(),
): readonly ColumnMatch[] {
  // What has to be asked about takes its column with it: it fills nothing else unasked.
  return best(candidates(known, table, meanings)).filter(
    ({ target, column }) => questionBefore(target, column) === null,
  );
}

/** What of an entity its columns are known by. */
export type Known = Pick<Draftable, 'targets' | 'sure' | 'prefixes' | 'parentWords' | 'fromParent'>;

type Matched = Pick<CatalogTable, 'name' | 'columns' | 'primaryKey'>;

/** A column that may fill a column of the contract. */
export interface ColumnMatch {
  readonly target: string;
  readonly kind: TargetKind;
  readonly column: CatalogColumn;
  /** 1 to 10. */
  readonly score: number;
}

/** The same for columns that are only taken when a person says so, and what to ask. */
export function unaskedMatches(
  known: Known,
  table: Matched,
): readonly (ColumnMatch & { readonly question: string })[] {
  return best(candidates(known, table, new Map())).flatMap((match) => {
    const question = questionBefore(match.target, match.column);
    return question === null ? [] : [{ ...match, question }];
  });
}

/** All pairs, the best first. */
export function candidates(
  known: Known,
  table: Matched,
  meanings: ReadonlyMap<string, readonly string[]>,
): readonly ColumnMatch[] {
  const own = ownWords(known, table.name);
  const pairs = table.columns.flatMap((column, place) =>
    known.targets.flatMap((target) => {
      const score = scoreOf(target, column, namesOf(column, own), meanings.get(column.name) ?? []);
      const worth = table.primaryKey?.join() === column.name ? score / 2 : score;
      return worth > 2 && !isOfParent(known, column, target) && !isKeyOnly(column, table, target)
        ? [{ target: target.name, kind: target.kind, column, score: worth, place }]
        : [];
    }),
  );
  // Of two columns for the same, the one that is filled wins.
  const worth = ({ score, column }: (typeof pairs)[number]) => score * (1 - 0.7 * (column.nullShare ?? 0));
  pairs.sort((a, b) => worth(b) - worth(a) || a.place - b.place);
  return pairs.map(({ place: _, ...pair }) => pair);
}

function best(pairs: readonly ColumnMatch[]): readonly ColumnMatch[] {
  const chosen: ColumnMatch[] = [];
  for (const pair of pairs)
    if (!chosen.some(({ target, column }) => target === pair.target || column.name === pair.column.name))
      chosen.push(pair);
  return chosen;
}

/** What a record says about its parent is the parent's, but for what it takes from it, and what it keeps back. */
function isOfParent({ parentWords, fromParent }: Known, column: CatalogColumn, target: NamedTarget): boolean {
  if (target.kind === 'flag' || fromParent.includes(target.name)) return false;
  return findStem(wordsOf(column.name), parentWords) >= 0;
}

/** The primary key is no name or title, unless it is text. */
function isKeyOnly(
  column: CatalogColumn,
  { primaryKey }: Pick<CatalogTable, 'primaryKey'>,
  target: NamedTarget,
): boolean {
  return primaryKey?.join() === column.name && (target.kind !== 'text' || column.kind !== 'text');
}

function scoreOf(
  target: NamedTarget,
  column: CatalogColumn,
  names: readonly Named[],
  meanings: readonly string[],
): number {
  const type = TYPES[target.kind][column.kind] ?? 0;
  if (type === 0 || isInternal(column) || isElse(target, column, meanings.length > 0)) return 0;
  const highest = Math.max(
    0,
    ...names.map(({ name, worth }) =>
      target.kind === 'degrees' && column.kind === 'text' && worth < WHOLE
        ? 0
        : target.sure.test(name)
          ? SURE * worth
          : target.maybe.test(name)
            ? MAYBE * worth
            : 0,
    ),
    // The table that it names says the same a little less surely.
    ...(target.kind === 'code'
      ? meanings.map((name) =>
          target.sure.test(name) ? SURE * 0.9 : target.maybe.test(name) ? MAYBE * 0.9 : 0,
        )
      : []),
  );
  if (isFlagOnly(target, column, highest)) return 0;
  return highest * type * (column.generated ? 0.9 : 1);
}

const SURE = 10;
const MAYBE = 6;
/** Of a name that is more than its last word: a text called `lat_long` has both. */
const WHOLE = 0.9;

/** Types that a target takes, with what remains of the score; a missing one is not taken. */
const TYPES: Readonly<Record<TargetKind, Partial<Record<ValueKind, number>>>> = {
  text: { text: 1, json: 0.5, array: 0.8, other: 0.4, enum: 0.3 },
  code: { text: 1, enum: 1, integer: 1, uuid: 1, number: 0.6, json: 0.5, boolean: 0.6, array: 0.5 },
  number: { integer: 1, number: 1, text: 0.7, range: 0.9, enum: 0.3, json: 0.3 },
  date: { date: 1, timestamp: 1, timestamptz: 1, text: 0.6, range: 0.8 },
  flag: { boolean: 1, integer: 0.6, text: 0.5, enum: 0.5 },
  url: { text: 1 },
  degrees: { number: 1, text: 0.8, integer: 0.3 },
  list: { array: 1, json: 1, text: 0.9 },
  person: { text: 1, integer: 0.4, number: 0.4, array: 0.5 },
};

/** A leading underscore is what a framework keeps for itself; keys of attributes may begin with one, too. */
function isInternal({ name, sqlName }: CatalogColumn): boolean {
  return name.startsWith('_') && !sqlName.includes(ALIAS);
}

/** A code is no number of something, and a number of something is no code; an integer is a city only by a list. */
function isElse({ name, kind }: NamedTarget, column: CatalogColumn, linked: boolean): boolean {
  const words = wordsOf(column.name);
  if (HUNDREDTHS.test(words.join('_'))) return true;
  if (name === 'quota' && NUMBERED.test(words.join('_'))) return true;
  if (kind === 'number') return linked || words.some((word) => CODES.has(word));
  if (name === 'region_id' && (column.modes ?? column.enumLabels?.some((word) => WORK_MODE.test(word))))
    return true;
  if (kind !== 'code' || linked) return false;
  if (!name.endsWith('_currency') && OF_PAY.test(words.join('_'))) return true;
  if (words.some((word) => AMOUNTS.has(word))) return true;
  return (
    name === 'region_id' &&
    ['integer', 'number'].includes(column.kind) &&
    !words.some((word) => CODES.has(word)) &&
    !REGION_SURE.test(words.join('_'))
  );
}

const OF_PAY = new RegExp(`(^|_)${PAY}(_|$)`);
const CODES = new Set('id code kode kd ref fk uuid key'.split(' '));

const AMOUNTS = new Set(
  'month bulan day hari amount jumlah count total number size minute hour jam score skor rank weight duration durasi'.split(
    ' ',
  ),
);

const REGION_SURE = /^(city|kota|kabupaten|regency|kab|kabkota)/;

/** Nought and one are no amount, and no number unless its name leaves no doubt. */
function isFlagOnly({ name, kind }: NamedTarget, column: CatalogColumn, score: number): boolean {
  if (kind !== 'number') return false;
  if (FLAG_WORDS.test(plainName(column.name))) return true;
  return column.flag === true && (/(^|_)(amount|price)$/.test(name) || score < SURE * 0.9);
}

/** Words of a flag about something: whether the pay is shown is no pay. */
const FLAG_WORDS =
  /(^|_)(is|has|publish|published|show|shown|hide|hidden|visible|display|disclose|negotiable|secret|confidential|tampil|tampilkan|rahasia)(_|$)/;

/** A column's name as it stands, without affixes, and without the words of its table. */
function namesOf({ name }: CatalogColumn, own: ReadonlySet<string>): readonly Named[] {
  const words = wordsOf(name);
  const bare = words.filter((word) => !own.has(word));
  const both = bare.filter((word) => !AFFIXES.has(word));
  const plain = words.filter((word) => !AFFIXES.has(word));
  const join = (list: readonly string[], worth: number): Named => ({ name: list.join('_'), worth });
  // The last word of a name says what it is in English, the first in Indonesian.
  return [
    ...[join(words, 1), join(bare, 0.97), join(plain, 0.95), join(both, WHOLE)],
    ...[join(words.slice(-2), 0.7), join(words.slice(-1), 0.65)],
    ...(words.length > 1 ? [join(words.slice(0, 1), 0.45)] : []),
  ];
}

interface Named {
  readonly name: string;
  readonly worth: number;
}

/** Words around a name that do not change what it is. */
const AFFIXES = new Set(
  'id code kode kd uuid fk ref key no is has ha x c f fld col the a val value txt text html name nama slug in'.split(
    ' ',
  ),
);

/** Words that a table may repeat in its columns' names: `company_name`, `judul_lowongan`. */
function ownWords({ sure, prefixes }: Known, tableName: string): ReadonlySet<string> {
  const single = [...sure, ...prefixes].filter((stem) => stem.length === 1).map(([word = '']) => word);
  const own = wordsOf(tableName).filter((word) => findStem([word], sure) >= 0);
  return new Set([...own, ...single].map(singular));
}

/**
 * What to ask before a column may fill a column of the contract: texts that may be meant for colleagues, numbers
 * whose name has no word of places, and amounts that may be what a client pays. Null: nothing.
 */
function questionBefore(target: string, { name, kind }: Pick<CatalogColumn, 'name' | 'kind'>): string | null {
  const words = plainName(name);
  if (target === 'email' && kind === 'array') return `${name} is a list; is the first the right one for all`;
  if (PUBLIC_TEXTS.has(target) && INTERNAL.test(words))
    return `${name} may be meant for colleagues; is it public? Only then it is ${target}`;
  if (target === 'quota' && !PLACES.test(words))
    return `${name} may be a number of something else; is it the number of places? Only then it is quota`;
  if (!target.endsWith('_salary_amount')) return null;
  if (!OF_PAY.test(words)) return `is ${name} the pay? Its name does not say so; only then it is ${target}`;
  // A pay rate is paid; a fee for the pay is not.
  return BILLED.test(words) || (/(^|_)rate(_|$)/.test(words) && !PAID.test(words))
    ? `${name} may be what a client is billed; is it paid to the one who is hired? Only then it is ${target}`
    : null;
}

/** Parts of a whole, as applications store money without fractions. */
export const HUNDREDTHS = /(^|_)(cent|sen|minor|subunit)$/;

const INTERNAL =
  /(^|_)(note|memo|remark|comment|internal|intern|catatan|komentar|annotation|private|secret)(_|$)/;

const BILLED = /(^|_)(bill|billing|billed|billable|fee|charge|charged|invoice|markup|margin|tarif)(_|$)/;
const PAID = /(^|_)(salary|gaji|wage|upah|pay|paid|remuneration|compensation)(_|$)/;

/** Words of places; the name of what is offered needs a word of counting beside it. */
const OFFERED = '(vacancy|position|lowongan|posisi|orang)';
const PLACES = new RegExp(
  `(^|_)(quota|kuota|opening|headcount|head_count|kebutuhan|butuh|dibutuhkan|needed|slot|formasi|seat|kursi|place|capacity|kapasita|daya_tampung|participant|peserta|student|learner|enrol_limit|hiring_count|recruitment)(_|$)|^(vacancy|lowongan)$|(jumlah|jml|total|num|number_of|no_of|open|max|kuota)_${OFFERED}|${OFFERED}_(count|total|qty|quantity|available|needed)`,
);

/** The end of a name of what is numbered, not counted, and of what is called. */
const NUMBERED =
  /(^|_)(phone|tel|telp|telepon|telephone|hp|wa|whatsapp|fax|mobile|contact|kontak)(_|$)|_(no|number|nomor|nomer|id|code|kode)$/;

/** Texts that everybody reads. */
const PUBLIC_TEXTS = new Set(['about', 'description', 'qualification', 'address']);
