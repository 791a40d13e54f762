import type pg from 'pg';
import type { RunStatement } from './transaction.js';

/** A column that the query returns, and how its value is read. */
export interface QueryColumn {
  readonly name: string;
  /**
   * `json`: arrays and JSON; `typed`: keeps its JSON type; `padded-array`: an array of char(n);
   * `local-timestamp`: a timestamp without time zone; `instant`: one with; `text`: everything else.
   */
  readonly kind: 'json' | 'typed' | 'padded-array' | 'local-timestamp' | 'instant' | 'text';
  /** Whether Postgres can send it in binary form, which makes a row's md5 three times cheaper. */
  readonly binary: boolean;
}

const JSON_OIDS = new Set([114, 3802]);
const TIMESTAMP_OID = 1114;
const INSTANT_OID = 1184;
const PADDED_ARRAY_OID = 1014;

/**
 * The columns of a wrapped query from its description. Postgres describes a domain as its base type.
 *
 * @param typed names of the columns whose numbers and booleans keep their type
 */
export async function readColumns(
  run: RunStatement,
  fields: readonly Pick<pg.FieldDef, 'name' | 'dataTypeID'>[],
  typed: readonly string[] = [],
): Promise<readonly QueryColumn[]> {
  const rows = await run<{ oid: string; category: string; binary: boolean }>(
    `select cast(t.oid as pg_catalog.text) as oid, cast(t.typcategory as pg_catalog.text) as category,
       t.typsend OPERATOR(pg_catalog.<>) 0 and coalesce(e.typsend OPERATOR(pg_catalog.<>) 0, true) as binary
     from pg_catalog.pg_type t left join pg_catalog.pg_type e on e.oid OPERATOR(pg_catalog.=) t.typelem
     where t.oid OPERATOR(pg_catalog.=) any (cast($1 as pg_catalog.oid[]))`,
    [[...new Set(fields.map(({ dataTypeID }) => dataTypeID))]],
  );
  const types = new Map(rows.map((row) => [Number(row.oid), row]));
  return fields.map(({ name, dataTypeID }) => {
    const type = types.get(dataTypeID);
    const kindOf = (): QueryColumn['kind'] => {
      if (dataTypeID === PADDED_ARRAY_OID) return 'padded-array';
      const json = type?.category === 'A' || JSON_OIDS.has(dataTypeID);
      if (typed.includes(name) && (json || ['N', 'B'].includes(type?.category ?? ''))) return 'typed';
      if (json) return 'json';
      if (dataTypeID === TIMESTAMP_OID) return 'local-timestamp';
      return dataTypeID === INSTANT_OID ? 'instant' : 'text';
    };
    return { name, kind: kindOf(), binary: type?.binary ?? false };
  });
}
