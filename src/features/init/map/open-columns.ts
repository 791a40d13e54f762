import { PAY } from '../drafting/drafting.js';
import { type CatalogColumn, type CatalogTable, foreignColumns } from '../../catalog/catalog.js';
import type { ReadOnly } from '../../catalog/with-read-only.js';
import { type Counts, countOf, countSample } from '../look/count-sample.js';
import { ALIAS, firstFilled, literal } from '../sql-text.js';
import { isStateSql, WORK_MODE } from '../states.js';
import { isPersonalColumn, isReadable, mayHoldPeople, plainName } from '../words.js';

/**
 * A table with its columns as their values are: flags, times since 1970, words of states; then JSON: texts by
 * language become one text, and the fields of an object columns of their own. Counts and names of keys only; no value
 * leaves the database.
 */
export async function openColumns(read: ReadOnly, table: CatalogTable): Promise<CatalogTable> {
  const measured = await openValues(read, table);
  return unfoldJson(measured, await lookAtJson(read, measured));
}

async function openValues(read: ReadOnly, table: CatalogTable): Promise<CatalogTable> {
  const keys = new Set([...(table.primaryKey ?? []), ...foreignColumns(table)]);
  const looked = table.columns.filter(
    (column) =>
      isReadable(column) &&
      (column.kind === 'text' ? !mayHoldPeople(column) : NUMBERS.has(column.kind) && !keys.has(column.name)),
  );
  const counted = looked.map(({ sqlName, kind }) => ({
    sql: kind === 'text' ? `left(cast(t.${sqlName} as text), 40)` : `t.${sqlName}`,
    counts: kind === 'text' ? textCounts : numberCounts,
  }));
  const facts = await countSample(read, `from ${table.sqlName} t`, counted);
  const columns = table.columns.map((column) => {
    const counts = facts?.[looked.indexOf(column)];
    return counts === undefined ? column : openedBy(column, counts);
  });
  return { ...table, columns };
}

const NUMBERS: ReadonlySet<string> = new Set(['integer', 'number']);

function textCounts(value: string) {
  return {
    filled: `count(${value})`,
    different: `count(distinct ${value})`,
    states: countOf(isStateSql(value)),
    modes: countOf(`${value} ~* ${literal(WORK_MODE.source)}`),
  };
}

function numberCounts(value: string) {
  const between = (zeros: string) => `${value} = 0 or ${value} between ${FIRST}${zeros} and ${LAST}${zeros}`;
  return {
    filled: `count(${value})`,
    flag: countOf(`${value} in (0, 1)`),
    second: countOf(between('')),
    milli: countOf(between('000')),
  };
}

function openedBy(column: CatalogColumn, counts: Counts): CatalogColumn {
  const { filled = 0, different = 0, states = 0, modes = 0, flag } = counts;
  if (column.kind === 'text') {
    const isFew = different >= 2 && different <= MOST_STATES;
    return { ...column, states: isFew && 2 * states >= filled, modes: 2 * modes > filled };
  }
  const unit = Object.keys(UNITS).find((each) => counts[each] === filled) as keyof typeof UNITS | undefined;
  if (filled > 0 && unit !== undefined && flag !== filled && isCalledTime(column.name))
    return asTime(column, unit);
  return { ...column, flag: filled > 0 && flag === filled };
}

const MOST_STATES = 12;

/** From 1990 to 2100, in seconds since 1970. */
const FIRST = 631_152_000;
const LAST = 4_102_444_800;
const UNITS = { second: '', milli: ' / 1000.0' } as const;

function isCalledTime(name: string): boolean {
  const words = plainName(name);
  return TIME.test(words) && !MONEY.test(words);
}

const TIME =
  /date|time|stamp|start|begin|end(s|ed)?$|until|till|expir|clos|creat|modif|updat|publish|deadline|due|open|valid|(_|^)(at|on|from|to|by)$|tgl|tanggal|waktu|jam|mulai|selesai|tutup|buka|akhir|bata|sampai|terbit|tayang/;

const MONEY = new RegExp(`(^|_)(${PAY}|price|harga|fee|biaya|cost|tuition|amount|range|nominal|tarif)(_|$)`);

function asTime(column: CatalogColumn, unit: keyof typeof UNITS): CatalogColumn {
  return {
    ...column,
    kind: 'timestamptz',
    type: 'timestamp with time zone',
    sqlName: `to_timestamp(nullif(${ALIAS}.${column.sqlName}, 0)${UNITS[unit]})`,
    made: `a number of ${unit === 'milli' ? 'milli' : ''}seconds since 1970 by its values; the draft makes a time of it, and none of 0`,
  };
}

/** Keys of the objects in the JSON columns of a table, with the types of their values; no value. */
async function lookAtJson(read: ReadOnly, table: CatalogTable): Promise<ReadonlyMap<string, JsonKeys>> {
  const found = new Map<string, JsonKeys>();
  for (const column of table.columns) {
    const { name, sqlName, kind, type } = column;
    if (kind !== 'json' || !isReadable(column) || !/^jsonb?$/.test(type)) continue;
    const answer = await read.attempt<KeyRow>(
      `with s as materialized (select ${sqlName}::jsonb as value from ${table.sqlName} where ${sqlName} is not null limit ${JSON_SAMPLE}),
         k as (select k.key, s.value -> k.key as value from s, lateral jsonb_object_keys(${objectSql('s.value')}) k(key)),
         f as (select k.key, case jsonb_typeof(k.value) when 'array' then k.value -> 0 else k.value end as value from k)
       select null as parent, key, mode() within group (order by jsonb_typeof(value)) as type, count(*) as count from k group by key
       union all
       select f.key as parent, n.key, mode() within group (order by jsonb_typeof(f.value -> n.key)) as type, count(*) as count
       from f, lateral jsonb_object_keys(${objectSql('f.value')}) n(key) group by f.key, n.key
       order by count desc, parent, key limit 80`,
    );
    if ('rows' in answer)
      found.set(
        name,
        answer.rows.map(({ parent, key, type: of, count }): JsonKey => ({
          path: parent === null ? [key] : [parent, key],
          type: of,
          count: Number(count),
        })),
      );
  }
  return found;
}

function objectSql(value: string): string {
  return `case when jsonb_typeof(${value}) = 'object' then ${value} end`;
}

const JSON_SAMPLE = 2_000;

interface KeyRow {
  parent: string | null;
  key: string;
  type: string;
  count: string;
}

/** A key of the objects in a JSON column, or of the objects in these; of a list of objects, of the first. */
export interface JsonKey {
  readonly path: readonly [string] | readonly [string, string];
  /** As `jsonb_typeof` says of most values: `string`, `number`, `boolean`, `array`, `object`, `null`. */
  readonly type: string;
  /** Rows that have it. */
  readonly count: number;
}

/** The most frequent first. */
type JsonKeys = readonly JsonKey[];

/**
 * The table with its JSON columns opened: texts by language become one text, Indonesian first; the fields of an object
 * become columns of their own (`salary` with `min` is `salary_min`), also one level below.
 */
export function unfoldJson(table: CatalogTable, keysOf: ReadonlyMap<string, JsonKeys>): CatalogTable {
  const columns = table.columns.flatMap((column): CatalogColumn[] => {
    const keys = keysOf.get(column.name) ?? [];
    const top = keys.filter(({ path }) => path.length === 1);
    if (column.kind !== 'json' || top.length === 0 || top.length > MOST) return [column];
    const own = `${ALIAS}.${column.sqlName}`;
    if (isByLanguage(top)) return [textOf(column, column.name, inLanguages(own, top))];
    return top.flatMap((key) => opened(column, own, key, keys));
  });
  return { ...table, columns };
}

/** Keys of an object that may be columns; a document of hundreds of keys is none. */
const MOST = 30;

function isByLanguage(keys: JsonKeys): boolean {
  return keys.every(
    ({ path, type }) => LANGUAGE.test(path.at(-1) ?? '') && type !== 'object' && type !== 'array',
  );
}

const LANGUAGE =
  /^(id|en|ms|jv|su|zh|ja|ko|de|fr|es|it|pt|nl|ar|ru|hi|th|vi|tl|pl|tr|sv|da|fi|nb|cs|el|he|hu|ro|uk|in)([_-][A-Za-z]{2,4})?$/;

/** @param object SQL of the object */
function inLanguages(object: string, keys: JsonKeys): string {
  const own = (key: string) => (/^(id|in)\b|^id_/i.test(key) ? 0 : /^en/i.test(key) ? 1 : 2);
  const named = keys.map(({ path, count }) => ({ key: path.at(-1) ?? '', count }));
  const sorted = named.sort((a, b) => own(a.key) - own(b.key) || b.count - a.count);
  const texts = sorted.map(({ key }) => `${object} ->> ${literal(key)}`);
  return texts.length === 1 ? `(${texts.join('')})` : firstFilled(texts);
}

function opened(
  column: CatalogColumn,
  own: string,
  { path: [key], type }: JsonKey,
  keys: JsonKeys,
): CatalogColumn[] {
  if (isPersonalColumn(key)) return [];
  const name = `${column.name}_${key}`;
  const below = keys.filter(({ path }) => path.length === 2 && path[0] === key);
  const inner = `${own} -> ${literal(key)}${type === 'array' ? ' -> 0' : ''}`;
  if (below.length > 0) {
    if (isByLanguage(below)) return [textOf(column, name, inLanguages(inner, below))];
    return below.flatMap(({ path }): CatalogColumn[] => {
      const last = path.at(-1) ?? '';
      const made = type === 'array' ? { made: 'it is a list; this takes the first' } : {};
      if (isPersonalColumn(last)) return [];
      return [{ ...textOf(column, `${name}_${last}`, `(${inner} ->> ${literal(last)})`), ...made }];
    });
  }
  if (type === 'array')
    return [{ ...textOf(column, name, `(${own} -> ${literal(key)})`), kind: 'json', type: column.type }];
  return [textOf(column, name, `(${own} ->> ${literal(key)})`)];
}

function textOf(column: CatalogColumn, name: string, sqlName: string): CatalogColumn {
  return {
    ...column,
    name,
    sqlName,
    type: 'text',
    kind: 'text',
    nullable: true,
    enumLabels: null,
    checkValues: null,
    distinct: null,
  };
}
