import { escapeIdentifier } from 'pg';
import { visibleText } from '../../core/domain/text.js';
import { type CatalogColumn, type CatalogTable, columnOf, type ValueKind } from '../catalog/catalog.js';

/** Pieces of SQL that a draft is made of. */

/** A literal of SQL on one line, which means the same whatever `standard_conforming_strings` is. */
export function literal(text: string): string {
  const plain = text.replaceAll("'", "''");
  const escaped = visibleText(plain.replaceAll('\\', '\\\\')).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  return escaped === plain ? `'${plain}'` : `E'${escaped}'`;
}

/** Of a column that nothing fills. */
export const NULL_TEXT = 'cast(null as text)';

/** Whether a text begins with a host, and is no name of a file. */
export const HOST = `~* '^(?!.*[.](png|jpe?g|gif|svg|webp|bmp|ico|pdf)$)([a-z0-9-]+[.])+[a-z]{2,}([/:?#].*)?$'`;

/** Of a time without one, in what a draft offers; a person decides. */
export const OFFERED_ZONE = 'Asia/Jakarta';

/** What a day or time is compared with: one without zone with the present one of its own zone, whatever that of the session is. */
export function presentSql(kind: ValueKind): string {
  const local = `now() at time zone '${OFFERED_ZONE}'`;
  if (kind === 'date') return `cast(${local} as date)`;
  return kind === 'timestamp' ? local : 'now()';
}

/** The first of these texts that is not empty. */
export function firstFilled(texts: readonly string[]): string {
  const filled = texts.slice(0, -1).map((text) => `nullif(btrim(${text}), '')`);
  return `coalesce(${[...filled, ...texts.slice(-1)].join(', ')})`;
}

/** Words that cannot be an alias as they are. */
const RESERVED = new Set(
  `all analyse analyze and any array as asc asymmetric authorization between binary both case cast check collate column
  concurrently constraint create cross current_date current_role current_time current_timestamp current_user default
  deferrable desc distinct do else end except false fetch for foreign freeze from full grant group having ilike in initially
  inner intersect into is isnull join lateral leading left like limit localtime localtimestamp natural not notnull null
  offset on only or order outer overlaps placing primary references returning right select session_user similar some
  symmetric table tablesample then to trailing true union unique user using variadic verbose when where window with`.split(
    /\s+/,
  ),
);

/** An alias made of a name, that no other has. */
export function freeAlias(name: string, taken: ReadonlySet<string>): string {
  const plain = name.replace(/[^a-z0-9_]/g, '').replace(/^\d+/, '') || 'x';
  const base = RESERVED.has(plain) ? `${plain}_` : plain;
  let alias = base;
  for (let number = 2; taken.has(alias); number += 1) alias = `${base}${number}`;
  return alias;
}

/** Stands for the alias in the SQL of what is part of a column; no name in Postgres can contain it. */
export const ALIAS = '\u0000';

/** SQL of a column under an alias: `v.title`, or of a part of it, `(v.title ->> 'id_ID')`. */
export function columnSql(alias: string, { sqlName }: Pick<CatalogColumn, 'sqlName'>): string {
  return sqlName.includes(ALIAS) ? sqlName.replaceAll(ALIAS, alias) : `${alias}.${sqlName}`;
}

/** SQL of a column under an alias. */
export function qualified(table: CatalogTable, alias: string, column: string): string {
  return columnSql(alias, { sqlName: sqlOf(table, column) });
}

/** How SQL has to write a column. */
export function sqlOf(table: CatalogTable, column: string): string {
  return columnOf(table, column)?.sqlName ?? escapeIdentifier(column);
}
