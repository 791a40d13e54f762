import { grouped } from '../../../core/domain/text.js';
import type { ReadOnly } from '../../catalog/with-read-only.js';
import type { CatalogColumn, CatalogTable } from '../../catalog/catalog.js';
import { literal } from '../sql-text.js';
import { countSample, SAMPLE } from './count-sample.js';
import { isPersonalColumn, mayHoldPeople, plainName } from '../words.js';

/**
 * What the values of a table show of it without showing a record: how far columns are filled, words that many rows share,
 * keys of JSON. Columns that may be about people are not read.
 */

/** Words and names that are shown, and the longest of them. */
const LIMITS = { words: 12, names: 40, length: 40 } as const;

/**
 * By column: how far it is filled, and its words or keys where it has few.
 *
 * @param isList the table has codes and their names: names are shown too
 */
export async function factsOf(
  read: ReadOnly,
  table: CatalogTable,
  isList: boolean,
): Promise<ReadonlyMap<string, string>> {
  const columns = table.columns.filter(
    (column) => isOpen(column, isList) && column.kind !== 'bytes' && column.kind !== 'other',
  );
  const counted = columns.map(({ sqlName }) => ({
    sql: `nullif(btrim(left(cast(${sqlName} as text), 100)), '')`,
    counts: (value: string) => ({ filled: `count(${value})`, different: `count(distinct ${value})` }),
  }));
  const counts = await countSample(read, `from ${table.sqlName}`, counted);
  const facts = new Map<string, string>();
  for (const [at, column] of columns.entries()) {
    const { rows = 0, filled = 0, different = 0 } = counts?.[at] ?? {};
    const share = rows === 0 ? 'no rows' : `filled ${String(Math.floor((100 * filled) / rows))} %`;
    const words = filled === 0 ? null : await wordsText(read, table, column, { different, filled, isList });
    facts.set(
      column.name,
      counts === null ? 'could not be counted' : words === null ? share : `${share}: ${words}`,
    );
  }
  return facts;
}

/** Null: there is nothing that may be shown. */
async function wordsText(
  read: ReadOnly,
  table: CatalogTable,
  column: CatalogColumn,
  {
    different,
    filled,
    isList,
  }: { readonly different: number; readonly filled: number; readonly isList: boolean },
): Promise<string | null> {
  const from = `from (select ${column.sqlName} as v from ${table.sqlName} limit ${SAMPLE}) s`;
  if (column.kind === 'json') {
    const object = `case when jsonb_typeof(cast(s.v as jsonb)) = 'object' then cast(s.v as jsonb) else '{}' end`;
    const keys = await counted(
      read,
      `select k as word, count(*) as n ${from}, lateral jsonb_object_keys(${object}) k`,
      LIMITS.names,
    );
    return keys.length === 0 ? null : `keys ${keys.join(' · ')}`;
  }
  if (isValueOfPair(table, column)) return 'values by attribute: not shown';
  const isName = isNameOfPair(table, column) || (isList && LABEL.test(plainName(column.name)));
  const most = isName ? LIMITS.names : LIMITS.words;
  if (!WORD_KINDS.has(column.kind) || different > most) return null;
  // A text that hardly two rows share is what somebody wrote, and no word.
  if (!isName && column.kind === 'text' && different * 2 > filled) return null;
  const words = await counted(
    read,
    `select cast(s.v as text) as word, count(*) as n ${from} where s.v is not null`,
    most,
  );
  return words.length === 0 ? null : words.join(' · ');
}

async function counted(read: ReadOnly, select: string, most: number): Promise<readonly string[]> {
  const answer = await read.attempt<{ word: string; n: string }>(
    `${select} group by 1 order by 2 desc, 1 limit ${most}`,
  );
  if ('refused' in answer) return [];
  return answer.rows
    .filter(({ word }) => !isOfSomebody(word))
    .map(({ word, n }) => `${literal(word)} ${grouped(Number(n))}`);
}

const WORD_KINDS = new Set(['text', 'enum', 'boolean', 'integer', 'number', 'date']);

/** Whether the values of a column may be shown. `isList`: of a table of codes and their names, such as states. */
export function isOpen(column: CatalogColumn, isList: boolean): boolean {
  return column.selectable && !(isList ? isPersonalColumn(column.name) : mayHoldPeople(column));
}

/** An address, a telephone number or an identity card, whatever the column is called. */
function isOfSomebody(word: string): boolean {
  return word.length > LIMITS.length || word.includes('@') || (word.match(/\d/g)?.length ?? 0) >= 9;
}

/** What a code is called. */
const LABEL = /(^|_)(name|nama|nm|label|title|judul|code|kode|keterangan|deskripsi|description)(_|$)/;
const PAIR_NAME = /(^|_)(key|attribute|attr|property|field|atribut|kunci)(_name|_code)?$/;
const PAIR_VALUE = /(^|_)(value|val|nilai|isi)$/;

/** The name in a table of names and values, one row for each: there the words stand in place of columns. */
function isNameOfPair(table: CatalogTable, { name }: CatalogColumn): boolean {
  return (
    PAIR_NAME.test(plainName(name)) && table.columns.some((each) => PAIR_VALUE.test(plainName(each.name)))
  );
}

function isValueOfPair(table: CatalogTable, { name }: CatalogColumn): boolean {
  return PAIR_VALUE.test(plainName(name)) && table.columns.some((each) => isNameOfPair(table, each));
}
