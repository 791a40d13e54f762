import { beforeAll, expect, it } from 'vitest';
import type { EntityQuery, SourceReader } from '../../../src/core/ports/source.js';
import { plantTraps, sprungTraps } from '../../postgres/plant-traps.js';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { collect, openTestSource, queryOf } from './source-fixture.js';

let database: TestDatabase;
let strictUrl: string;

/** A column of each kind that is asked for in a way of its own. */
const KINDS = `1 as id, 'k' as key, 'a@b.id' as email, 1.5 as number, 'x'::char(4) as padded, array['x']::char(4)[] as list,
  '{"a":1}'::jsonb as document, timestamp '2026-03-01 10:00' as local, timestamptz '2026-03-01 10:00+00' as moment`;

beforeAll(async () => {
  database = await createTestDatabase();
  // What a partner's query calls in the way that suits the partner stands in a view: it is resolved by now.
  await database.query(`create table kinds as select ${KINDS}`);
  await database.query(
    `create view sent_as_text as select *, 'postgres=r/postgres'::aclitem as right from kinds`,
  );
  ({ strictUrl } = await plantTraps(database));
});

const NAMES = ['id', 'email', 'number', 'padded', 'list', 'document', 'local', 'moment', 'right'];

/** Every statement that a reader has. */
async function readAll(reader: SourceReader): Promise<void> {
  await reader.digest();
  await reader.bucketDigests(4);
  await collect(reader.versions(null));
  const found = await collect(reader.versions({ count: 4, numbers: [0, 1, 2, 3] }));
  expect(found).toHaveLength(1);
  expect(await collect(reader.rows([found[0]?.key ?? '']))).toEqual(await collect(reader.allRows()));
}

const typed = (query: EntityQuery): EntityQuery => ({
  ...query,
  columns: query.columns.map((column) => (column.name === 'number' ? { ...column, typed: true } : column)),
});

it.each([
  ['with a key', typed(queryOf('select * from kinds', NAMES))],
  ['with a column that has no binary form', queryOf('select * from sent_as_text', NAMES)],
  ['with a row_version', queryOf('select key, email as row_version from kinds')],
])('a read of a query %s calls nothing that stands in the schema public', async (_what, query) => {
  const source = openTestSource(strictUrl, { timeZone: 'Asia/Jakarta' });
  try {
    await source.read(query, readAll);
    expect(await sprungTraps(database)).toEqual([]);
  } finally {
    await source.close();
  }
});

it('a namesake whose types fit better is not called where pg_catalog is first, as it is by default', async () => {
  await database.query(`create function public.hashtextextended(text, integer) returns bigint language plpgsql as
    $$ begin perform trap.spring('fitting'); return 0; end $$`);
  await database.query(`select public.hashtextextended('k', 0)`);
  expect(await sprungTraps(database)).toEqual(['fitting']);
  const source = openTestSource(database.url);
  try {
    const query = queryOf('select * from kinds', NAMES);
    expect((await source.read(query, (reader) => reader.digest())).sum0).not.toBe('0');
  } finally {
    await source.close();
  }
});
