import { checkValues } from './check-values.js';
import type { CheckConstraint, ForeignKey, Index } from './constraints.js';
import type { ReadOnly } from './with-read-only.js';

export interface Constraints {
  readonly foreignKeys: readonly ForeignKey[];
  readonly checks: readonly (CheckConstraint & { readonly table: number })[];
  readonly indexes: readonly (Index & { readonly table: number; readonly primary: boolean })[];
  /** Allowed values by the domain of a column: table, column, values. */
  readonly domainValues: readonly {
    readonly table: number;
    readonly column: string;
    readonly values: readonly string[];
  }[];
}

const NAMES = (table: string, numbers: string) =>
  `array(select cast(a.attname as text) from unnest(${numbers}) with ordinality k (number, place)
     left join pg_attribute a on a.attrelid = ${table} and a.attnum = k.number and k.number > 0 order by k.place)`;

/** Keys, indexes and rules of these tables. */
export async function readConstraints({ run }: ReadOnly, tables: readonly number[]): Promise<Constraints> {
  const foreignKeys = await run<{
    name: string;
    from: string;
    columns: string[];
    to: string;
    to_columns: string[];
  }>(
    `select cast(c.conname as text) as name, cast(c.conrelid as text) as from, ${NAMES('c.conrelid', 'c.conkey')} as columns,
       cast(c.confrelid as text) as to, ${NAMES('c.confrelid', 'c.confkey')} as to_columns
     from pg_constraint c where c.contype = 'f' and c.conrelid = any (cast($1 as oid[]))
       and c.confrelid = any (cast($1 as oid[]))
     order by c.conrelid, c.conname`,
    [tables],
  );
  const checks = await run<{ name: string; table: string; columns: string[]; definition: string }>(
    `select cast(c.conname as text) as name, cast(c.conrelid as text) as table,
       ${NAMES('c.conrelid', 'c.conkey')} as columns, pg_get_constraintdef(c.oid) as definition
     from pg_constraint c where c.contype = 'c' and c.conrelid = any (cast($1 as oid[]))
     order by c.conrelid, c.conname`,
    [tables],
  );
  const domains = await run<{ table: string; column: string; definition: string }>(
    `select cast(a.attrelid as text) as table, cast(a.attname as text) as column,
       pg_get_constraintdef(c.oid) as definition
     from pg_attribute a join pg_constraint c on c.contypid = a.atttypid and c.contype = 'c'
     where a.attrelid = any (cast($1 as oid[])) and a.attnum > 0 and not a.attisdropped
     order by a.attrelid, a.attnum, c.conname`,
    [tables],
  );
  const indexes = await run<{
    name: string;
    table: string;
    columns: (string | null)[];
    unique: boolean;
    primary: boolean;
    partial: boolean;
  }>(
    `select cast(r.relname as text) as name, cast(i.indrelid as text) as table,
       (${NAMES('i.indrelid', 'cast(i.indkey as int2[])')})[1:i.indnkeyatts] as columns,
       i.indisunique as unique, i.indisprimary as primary, i.indpred is not null as partial
     from pg_index i join pg_class r on r.oid = i.indexrelid
     where i.indrelid = any (cast($1 as oid[])) and i.indisvalid
     order by i.indrelid, i.indisprimary desc, r.relname`,
    [tables],
  );
  return {
    foreignKeys: foreignKeys.map(({ name, from, columns, to, to_columns }) => ({
      name,
      from: Number(from),
      columns,
      to: Number(to),
      toColumns: to_columns,
    })),
    checks: checks.map(({ table, name, columns, definition }) => ({
      table: Number(table),
      name,
      columns,
      definition,
      values: columns.length === 1 ? checkValues(definition) : null,
    })),
    domainValues: domains.flatMap(({ table, column, definition }) => {
      const values = checkValues(definition);
      return values === null ? [] : [{ table: Number(table), column, values }];
    }),
    indexes: indexes.map(({ table, ...index }) => ({ ...index, table: Number(table) })),
  };
}
