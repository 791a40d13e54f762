import { counted, grouped } from '../../../core/domain/text.js';
import type { CatalogTable } from '../../catalog/catalog.js';
import { draftable, isDrafted } from '../../init/draftables.js';
import { hasVocabulary, subjectsOf } from '../../init/map/agreement.js';
import { isPeopleTable, isPersonalColumn, mayHoldPeople, plainName } from '../../init/words.js';
import { isMade } from './chance.js';
import { rowsCheck } from '../check.js';
import type { DoctorFacts, EntityFacts, ReadColumn, SourceColumns, UnusedColumn } from '../facts.js';
import { judged, undone, type Verdict, warn } from '../finding.js';
import type { RowFacts } from '../rows/row-tally.js';
import { PUBLIC_TEXTS } from '../rows/tallies.js';
import { isAnswered } from '../sql/conditions.js';
import { placeOf } from '../sql/sources.js';

/** Checks of what each column of the result is made of, beside what the same tables have. */

export const unused = rowsCheck({
  id: 'unused',
  levels: ['warn'],
  looksAt:
    'columns of the query’s tables that fit a column of the contract better, by name and values, than what the query takes for it: another city, day or number, one value in all rows, nothing at all',
  applies: ({ name }) => isDrafted(name),
  passes: 'no unused column fits better',
  judge: (seen, facts, { settings: { references } }) =>
    judged(facts.sources, (known) => {
      const draft = draftable(facts.entity.name);
      const look = { known, seen, references, facts };
      return [
        ...draft.targets.flatMap(({ name }) => unusedVerdict(name, look) ?? []),
        ...known.refused.map(undone),
      ];
    }),
});

interface Look {
  readonly known: SourceColumns;
  readonly seen: RowFacts;
  readonly references: DoctorFacts['settings']['references'];
  readonly facts: EntityFacts;
}

function unusedVerdict(target: string, look: Look): Verdict | null {
  const { known, seen, facts } = look;
  if (known.columns.length === 0 || (isMade(known) && ['name', 'title'].includes(target))) return null;
  const column = known.columns.find(({ name }) => name === target);
  const own = column?.sources.filter(({ joins }) => !joins).map(({ table }) => table) ?? [];
  const records = recordTables(known);
  const isSame = isConstant(column, target, seen);
  const worth = (table: CatalogTable, name: string) =>
    known.scores.find((each) => each.target === target && each.table === table && each.column.name === name)
      ?.score ?? 0;
  const used = Math.max(0, ...(column?.sources ?? []).map((each) => worth(each.table, each.column.name)));
  const allowed = column === undefined || isSame ? records : [...records, ...own];
  const isNull = isSame && /\bnull\b/i.test(column?.sql ?? '');
  const isOther = column?.sources.some((each) => OTHER.test(plainName(each.column.name))) === true;
  const above = parentTables(known, facts, records);
  const isOfParent =
    OF_RECORD.has(target) && column?.sources.some(({ table }) => above.includes(table)) === true;
  // A record's own column that is not called like a place, where another one is.
  const isNoPlace = target === 'region_id' && used === 0 && own.every((table) => records.includes(table));
  const isKnownWord = hasVocabulary(target) && isKnown(target, valuesOf(target, seen), look);
  const isBetter = ({ table, filled, words, score }: UnusedColumn & { readonly score: number }): boolean => {
    if (column === undefined)
      return (
        EXPECTED.has(target) &&
        score >= SURE &&
        filled >= MOSTLY &&
        (!hasVocabulary(target) || words.length > 0)
      );
    if (isSame) return score >= (used > 0 || isNull ? Math.max(SURE, used + 1) : LIKELY);
    if (isKnownWord) return false;
    return (
      (score >= SURE && used <= (target === 'title' ? LABEL : DOUBTFUL)) ||
      (isOfParent && records.includes(table) && score >= Math.max(used, LIKELY)) ||
      (isOther && score >= 0.9 * used) ||
      (isNoPlace && score >= MAYBE) ||
      (hasVocabulary(target) && used < LIKELY && words.length > 0 && score >= LIKELY)
    );
  };
  const best = known.unused
    .filter((each) => allowed.includes(each.table) && each.filled >= FILLED && each.distinct > 1)
    .map((each) => ({ ...each, score: worth(each.table, each.column.name) }))
    .filter(
      (each) => each.score > 0 && !OTHER.test(plainName(each.column.name)) && agrees(target, each, look),
    )
    .filter(({ column: { name } }) => !isAnswered(facts.entity.query.sql, name))
    .sort((a, b) => b.score - a.score)
    .find(isBetter);
  if (!best) return madeVerdict(target, column, look);
  const name = `${best.alias}.${best.column.sqlName}`;
  const filled = `${best.table.title}.${best.column.name} (${grouped(best.distinct)} values, filled in ${Math.round(100 * best.filled)} % of the rows) is unused`;
  const taken =
    column === undefined
      ? `the query has no ${target}`
      : `${target} is ${madeOf(column)}${isSame ? ' in all rows' : ''}`;
  return warn(
    `${taken}, and ${filled}${placeOf(facts.entity.query, target)}`,
    `If it is the ${target}, write: ${name} as ${target}. If it is something else, name it in a comment of the query, and doctor is silent: -- ${best.column.name}: …`,
    aboutRows(target, seen),
  );
}

/** The time at which a row was written is no last day. */
function madeVerdict(target: string, column: ReadColumn | undefined, { seen, facts }: Look): Verdict | null {
  if (!LAST_DAYS.has(target) || column === undefined || /[+]|interval/i.test(column.sql)) return null;
  const [source, other] = column.sources.filter(({ joins }) => !joins);
  if (!source || other || !WRITTEN.test(plainName(source.column.name))) return null;
  return warn(
    `${target} is ${madeOf(column)}, the time at which the row was written${placeOf(facts.entity.query, target)}`,
    `Return the last day as ${target}, or leave the column out.`,
    aboutRows(target, seen),
  );
}

const LAST_DAYS = new Set(['expire_at', 'expired_date', 'finish_date']);
const WRITTEN = /(^|_)(created?|updated?|modified|inserted|creation|write|dibuat|diubah|diperbarui)(_|$)/;

/** What a query hardly leaves out where the database has it. */
const EXPECTED = new Set(
  'region_id description expire_at expired_date start_date finish_date quota job_type min_education min_experience certified'.split(
    ' ',
  ),
);

const SURE = 9;
const DOUBTFUL = 5;
/** A name or a label where a title is. */
const LABEL = 6.1;
/** What a record has itself, whatever its parent has. */
const OF_RECORD = new Set(['region_id', 'title', 'description', 'job_type']);
const MAYBE = 5.5;
const LIKELY = 4.4;
const FILLED = 0.5;
const MOSTLY = 0.8;
/** Fewer rows may well share a value. */
const FEW_ROWS = 10;
/** Of another time, or for somebody else than the reader. */
const OTHER =
  /(^|_)(billing|bill|invoice|penagihan|tagihan|faktur|tax|pajak|internal|intern|private|old|lama|previou|sebelumnya|legacy|draft|draf|birth|lahir|mailing|surat|return|shipping)(_|$)/;

/** Tables whose rows are the records: of the key, and of the title or name. */
export function recordTables({ columns }: SourceColumns): readonly CatalogTable[] {
  return columns
    .filter(({ name }) => ['key', 'title', 'name'].includes(name))
    .flatMap(({ sources }) => sources.filter(({ joins }) => !joins).map(({ table }) => table));
}

/** The tables of the parent: what the column that names it names, or comes from. */
function parentTables(
  { columns, tables }: SourceColumns,
  { entity }: EntityFacts,
  records: readonly CatalogTable[],
): readonly CatalogTable[] {
  const link = columns.find(({ name }) => name === entity.parent?.column);
  const oids = (link?.sources ?? []).flatMap(({ table, column }) => [
    table.oid,
    ...table.foreignKeys.filter((key) => key.columns.join() === column.name).map(({ to }) => to),
  ]);
  return tables.filter((table) => oids.includes(table.oid) && !records.includes(table));
}

function valuesOf(target: string, { values }: RowFacts): readonly string[] {
  return (values.get(target)?.values ?? []).map(({ value }) => value);
}

function isConstant(column: ReadColumn | undefined, target: string, { values, read }: RowFacts): boolean {
  if (column === undefined) return false;
  return column.sources.length === 0 || (read >= FEW_ROWS && values.get(target)?.values.length === 1);
}

function agrees(target: string, { words }: UnusedColumn, look: Look): boolean {
  return !hasVocabulary(target) || words.every((word) => SILENT.test(word)) || isKnown(target, words, look);
}

/** Codes that say nothing by themselves. */
const SILENT = /^(\d+|.{1,3})$/;

function isKnown(target: string, words: readonly string[], { references }: Look): boolean {
  const known = words.filter((word) => subjectsOf(word, references).includes(target));
  return known.length > 0 && 3 * known.length >= words.length;
}

/** The columns or the expression that a column of the result is made of. */
function madeOf({ sql, sources }: ReadColumn): string {
  const names = [
    ...new Set(
      sources.filter(({ joins }) => !joins).map(({ table, column }) => `${table.title}.${column.name}`),
    ),
  ];
  if (names.length > 0) return names.slice(0, 3).join(', ');
  return sql.length > LONGEST ? `${sql.slice(0, LONGEST)}…` : sql;
}

const LONGEST = 40;

function aboutRows(
  target: string,
  { values, read }: RowFacts,
): { readonly count: number; readonly sample: readonly string[] } {
  const known = values.get(target) ?? values.get('key');
  const sample = (known?.values ?? []).flatMap((each) => each.sample).slice(0, 3);
  return { count: read - (values.get(target)?.absent ?? 0), sample };
}

export const people = rowsCheck({
  id: 'people',
  levels: ['warn'],
  looksAt:
    'what belongs to a person and goes out to the public: a telephone number, an address or a name of a person in titles and texts, numbers of identity cards, contacts that come from a table of users or employees',
  passes: 'nothing of a person was found in public columns',
  judge: (seen, facts) =>
    judged(facts.sources, (known) => [...personalSources(facts, known, seen), ...personalTexts(facts, seen)]),
});

function personalSources(facts: EntityFacts, known: SourceColumns, seen: RowFacts): readonly Verdict[] {
  const fits = (target: string, name: string) =>
    known.scores.some((each) => each.target === target && each.column.name === name && each.score > LIKELY);
  return known.columns.flatMap((column) => {
    const { name, sources } = column;
    const isContact = name === 'email' || name === 'phone';
    if (!isContact && name !== 'address' && !PUBLIC_TEXTS.includes(name)) return [];
    const of = sources.find(({ table, column: source, joins }) => {
      if (joins) return false;
      if (isContact) return isPeopleTable(table.name);
      if (mayHoldPeople(source) && isPeopleTable(source.name)) return true;
      return (
        (isPersonalColumn(source.name) || (isPeopleTable(table.name) && source.kind === 'text')) &&
        !fits(name, source.name)
      );
    });
    if (!of || isAnswered(facts.entity.query.sql, of.column.name)) return [];
    const rows = counted(aboutRows(name, seen).count, 'row');
    return warn(
      `${name} shows ${of.table.title}.${of.column.name}, which belongs to a person, in ${rows}${placeOf(facts.entity.query, name)}`,
      isContact
        ? `Write the ${name} of the ${facts.entity.noun.one} itself, or leave it out.`
        : `Leave ${of.column.name} out of ${name}: everybody reads it.`,
      aboutRows(name, seen),
    );
  });
}

function personalTexts(facts: EntityFacts, seen: RowFacts): readonly Verdict[] {
  return seen.traits.flatMap(({ trait, column, count, sample }) => {
    const isMany = trait === 'nik' || (trait === 'contact' && column !== 'about' && 5 * count >= seen.read);
    if (!isMany) return [];
    const what =
      trait === 'nik'
        ? 'a number of 16 digits like that of an identity card'
        : 'a telephone number or an e-mail address';
    return warn(
      `${column} has ${what} in ${counted(count, 'row')}${placeOf(facts.entity.query, column)}`,
      `Take another column, or cut it out: regexp_replace(${column}, …).`,
      { count, sample: sample.slice(0, 3) },
    );
  });
}
