import { startPostgres } from '../../src/features/demo/postgres/start-postgres.js';
import { withClient } from '../../src/features/demo/sample/seed-sample.js';
import { createPostgresSource } from '../../src/core/source/postgres-source.js';

/**
 * What reading costs, on a table of rows of 1 KB: `npx tsx bench/parts/source.ts [rows]` (default 300,000). Compares
 * md5 of a row's text and of its binary form in one run, then times the passes of a sweep.
 */
const count = Number(process.argv[2] ?? 300_000);
const postgres = await startPostgres({ env: process.env });

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  await work();
  console.log(`${what.padEnd(28)} ${((performance.now() - began) / 1000).toFixed(2)} s`);
}

try {
  await withClient(postgres.superUrl, async (client) => {
    await client.query(
      `create table company as select id, md5(id::text) as name, repeat(md5(id::text), 28) as about
       from generate_series(1, ${count}) id`,
    );
    await client.query('vacuum analyze company');
    for (const [what, row] of [
      ['md5 of the row as text', 'cast(q as text)'],
      ['md5 of the row as binary', 'record_send(q)'],
    ] as const) {
      await client.query(`select count(md5(${row})) from company q`);
      await timed(what, () => client.query(`select count(md5(${row})) from company q`));
    }
  });

  const source = createPostgresSource({
    url: postgres.superUrl,
    poolMax: 1,
    statementTimeoutMs: 600_000,
    timeZone: null,
    sessionTimeZone: null,
    platformTimeZone: 'Asia/Jakarta',
    rowSecurity: 'refuse',
  });
  const columns = ['key', 'name', 'about'].map((name) => ({ name }));
  const query = {
    entity: 'companies' as const,
    sql: 'select id as key, name, about from company',
    file: 'benchmark',
    columns,
  };
  await source.read(query, async (reader) => {
    await timed('digest', () => reader.digest());
    await timed('4,096 bucket digests', () => reader.bucketDigests(4_096));
    const drain = async (pages: AsyncIterable<readonly unknown[]>) => {
      for await (const _page of pages);
    };
    await timed('all versions, in order', () => drain(reader.versions(null)));
    await timed('all rows, in order', () => drain(reader.allRows()));
  });
  await source.close();
} finally {
  await postgres.stop();
}
