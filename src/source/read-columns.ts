import type pg from 'pg';

/** A column that the query returns, and how its value is asked for. */
export interface QueryColumn {
  readonly name: string;
  /** `json`: arrays and JSON; `local-timestamp`: a timestamp without time zone; `text`: everything else. */
  readonly kind: 'json' | 'local-timestamp' | 'text';
  /** Whether Postgres can send it in binary form, which makes a row's md5 three times cheaper. */
  readonly binary: boolean;
}

/** OIDs of json, jsonb and timestamp. */
const JSON_OIDS = new Set([114, 3802]);
const TIMESTAMP_OID = 1114;

/** The columns of `from` (a wrapped query), without reading a row. Domains count as what they are made of. */
export async function readColumns(client: pg.ClientBase, from: string): Promise<readonly QueryColumn[]> {
  const { fields } = await client.query({ text: `select * from ${from} limit 0`, rowMode: 'array' });
  const oids = [...new Set(fields.map(({ dataTypeID }) => dataTypeID))];
  const { rows } = await client.query<{ oid: number; base: number; is_array: boolean; binary: boolean }>(
    `with recursive base as (
       select oid as oid, oid as base from pg_type where oid = any($1::oid[])
       union all
       select b.oid, t.typbasetype from base b join pg_type t on t.oid = b.base where t.typtype = 'd'
     )
     select b.oid::int8::int as oid, b.base::int8::int as base, t.typcategory = 'A' as is_array,
       t.typsend <> 0 and coalesce(e.typsend <> 0, true) as binary
     from base b join pg_type t on t.oid = b.base left join pg_type e on e.oid = t.typelem where t.typtype <> 'd'`,
    [oids],
  );
  const types = new Map(rows.map((row) => [row.oid, row]));
  return fields.map(({ name, dataTypeID }) => {
    const type = types.get(dataTypeID);
    const binary = type?.binary ?? false;
    if (type?.is_array || JSON_OIDS.has(type?.base ?? dataTypeID)) return { name, kind: 'json', binary };
    return { name, kind: type?.base === TIMESTAMP_OID ? 'local-timestamp' : 'text', binary };
  });
}
