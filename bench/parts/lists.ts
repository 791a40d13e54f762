import { startPostgres } from '../../src/features/demo/postgres/start-postgres.js';
import { withClient } from '../../src/features/demo/sample/seed-sample.js';
import { migrate } from '../../src/core/ledger/database/migrate.js';
import { createStateDatabase } from '../../src/core/ledger/database/state-database.js';

/**
 * What the indexes for lists of records cost: `npx tsx bench/parts/lists.ts [records]` (default 100,000). Bytes a record of
 * each index when it is new, and after every record was sent once more.
 */
const records = Number(process.argv[2] ?? 100_000);

const postgres = await startPostgres({ env: process.env });
const connection = createStateDatabase({ url: postgres.superUrl, poolMax: 2, schema: 'placement_sync' });

/** Kinds of keys: SQL with the number `n`. */
const KEYS = { 'short keys (v000123)': `'v' || lpad(n::text, 6, '0')`, UUIDs: 'md5(n::text)::uuid::text' };

try {
  await migrate(connection);
  await withClient(postgres.superUrl, async (client) => {
    const sizes = async (when: string) => {
      await client.query('vacuum analyze placement_sync.sync_state');
      const { rows } = await client.query<{ name: string; bytes: number }>(
        `select relname as name, pg_relation_size(oid)::float8 / ${records} as bytes from pg_class
         where relname in ('sync_state_natural', 'sync_state_natural_rest', 'sync_state_attempted') order by relname`,
      );
      const all = rows.reduce((sum, { bytes }) => sum + bytes, 0);
      const each = rows.map(({ name, bytes }) => `${name} ${bytes.toFixed(0)}`).join(', ');
      console.log(`${when}: ${all.toFixed(0)} bytes a record (${each})`);
    };
    for (const [kind, key] of Object.entries(KEYS)) {
      await client.query('truncate placement_sync.sync_state');
      await client.query(
        `insert into placement_sync.sync_state (entity, key, platform_id, desired_hash, desired_payload, desired_at,
           acknowledged_hash, acknowledged_at, attempted_at)
         select 'vacancies', ${key}, md5('v' || n)::uuid, 'h', '{"title": "One"}', now(), 'h', now(),
           now() - (n / 100) * interval '2 seconds' from generate_series(1, ${records}) n`,
      );
      await sizes(`${kind}, new`);
      // As pushes do it: a claim and an outcome for each record, a group at a time.
      for (let first = 0; first < records; first += 10_000) {
        await client.query(
          `update placement_sync.sync_state set attempted_at = clock_timestamp(), claim_token = 1 where key in (
             select ${key} from generate_series(${first + 1}, ${first + 10_000}) n)`,
        );
        await client.query(
          `update placement_sync.sync_state set acknowledged_at = clock_timestamp(), claim_token = null where key in (
             select ${key} from generate_series(${first + 1}, ${first + 10_000}) n)`,
        );
        await client.query('vacuum placement_sync.sync_state');
      }
      await sizes(`${kind}, each sent once more`);
    }
  });
} finally {
  await connection.close();
  await postgres.stop();
}
