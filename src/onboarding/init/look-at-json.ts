import type { CatalogTable } from '../catalog/catalog.js';
import type { ReadOnly } from '../catalog/with-read-only.js';
import { isPersonalColumn } from './people.js';
import type { JsonKey, JsonKeys } from './unfold-json.js';

const SAMPLE = 2_000;

interface KeyRow {
  parent: string | null;
  key: string;
  type: string;
  count: string;
}

/** Keys of the objects in the JSON columns of a table, with the types of their values; no value. */
export async function lookAtJson(
  read: ReadOnly,
  table: CatalogTable,
): Promise<ReadonlyMap<string, JsonKeys>> {
  const found = new Map<string, JsonKeys>();
  for (const { name, sqlName, kind, type, selectable } of table.columns) {
    if (kind !== 'json' || !selectable || isPersonalColumn(name) || !/^jsonb?$/.test(type)) continue;
    const answer = await read.attempt<KeyRow>(
      `with s as materialized (select ${sqlName}::jsonb as value from ${table.sqlName} where ${sqlName} is not null limit ${String(SAMPLE)}),
         k as (select s.value, k.key, jsonb_typeof(s.value -> k.key) as type
           from s, lateral jsonb_object_keys(case when jsonb_typeof(s.value) = 'object' then s.value end) k(key))
       select null as parent, key, mode() within group (order by type) as type, count(*) as count from k group by key
       union all
       select k.key as parent, n.key, mode() within group (order by jsonb_typeof(k.value -> k.key -> n.key)) as type, count(*) as count
       from k, lateral jsonb_object_keys(case when k.type = 'object' then k.value -> k.key end) n(key) group by k.key, n.key
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
