import { randomUUID } from 'node:crypto';
import { entity as entityNamed } from '../../src/core/entities/index.js';
import { startPostgres } from '../../src/features/demo/postgres/start-postgres.js';
import { withClient } from '../../src/features/demo/sample/seed-sample.js';
import type { DeliveryPosition } from '../../src/features/report/deliveries.js';
import { createState } from '../../src/features/create-state.js';
import { migrate } from '../../src/core/ledger/database/migrate.js';
import { createStateDatabase } from '../../src/core/ledger/database/state-database.js';
import { requestOf } from '../../src/core/push/request.js';
import type { Claim, Outcome } from '../../src/core/ledger/queue/types.js';

/**
 * What the journal costs: `npx tsx bench/parts/journal.ts [records]` (default 20,000). Groups of 100 outcomes are written
 * in turn with and without their rows of the journal, so that both meet the same machine. Then the size of a row, and
 * reports, by day and by record, and pruning of a million rows.
 */
const records = Number(process.argv[2] ?? 20_000);
const GROUP = 100;
const ROWS = 1_000_000;

const postgres = await startPostgres({ env: process.env });
const connection = createStateDatabase({ url: postgres.superUrl, poolMax: 2, schema: 'placement_sync' });
const state = createState(connection);
const vacancies = { ...entityNamed('vacancies'), closedStatus: 'closed' };

try {
  await migrate(connection);
  await withClient(postgres.superUrl, async (client) => {
    await client.query(
      `insert into placement_sync.sync_state (entity, key, platform_id, parent_platform_id, reference, desired_hash, desired_payload, desired_at)
       select 'companies', 'c1', md5('c1')::uuid, null, 'r', 'h', '{"name": "One"}', now()
       union all
       select 'vacancies', 'v' || id, md5('v' || id)::uuid, md5('c1')::uuid, null, 'v1:' || md5(id::text) || md5(id::text),
         jsonb_build_object('title', repeat(md5(id::text), 8)), now() from generate_series(1, ${records}) id`,
    );
    const acquired = await state.leases.acquire('push', 'benchmark', 3_600_000);
    if ('heldBy' in acquired) throw new Error('the lease is held');
    const { fence } = acquired.lease;
    const took: Record<'with' | 'without', number[]> = { with: [], without: [] };
    for (let group = 0; group * GROUP < records; group += 1) {
      const kind = group % 2 === 0 ? 'with' : 'without';
      const claims = await state.queue.claim({
        fence,
        entity: 'vacancies',
        position: null,
        limit: GROUP,
        deletions: true,
        since: '2000-01-01T00:00:00Z',
      });
      const outcomes = claims.map((claim) => accepted(claim, kind === 'with'));
      const began = performance.now();
      await state.queue.record({
        fence,
        outcomes,
        tallies: [],
        timeoutMs: () => 30_000,
        runId: randomUUID(),
      });
      took[kind].push((performance.now() - began) / GROUP);
    }
    for (const kind of ['without', 'with'] as const) {
      const sorted = took[kind].toSorted((a, b) => a - b);
      const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(3);
      console.log(
        `per outcome ${kind.padEnd(7)} journal: ${at(0.5)} ms in the middle, ${at(0.95)} ms of 95 %`,
      );
    }

    await client.query('truncate placement_sync.delivery');
    await client.query(
      `insert into placement_sync.delivery (entity, key, platform_id, parent_platform_id, kind, operation, request_id,
         payload_hash, run_id, claimed_at, answered_at, status_code, outcome)
       select 'vacancies', 'v' || n % 300000, md5('v' || n % 300000)::uuid, md5('c' || n / 20 % 3000)::uuid, 'update', 'putVacancy',
         gen_random_uuid(), 'v1:' || md5(n::text) || md5(n::text), md5((n / 10000)::text)::uuid, at, at, 200, 'accepted'
       from (select n, now() - (${ROWS} - n / 100 * 100) * interval '34.56 seconds' as at from generate_series(1, ${ROWS}) n) r`,
    );
    await client.query('vacuum analyze placement_sync.delivery');
    const { rows } = await client.query<{ row: string; record: string; key: string }>(
      `select pg_table_size(c)/${ROWS} as row, pg_relation_size('placement_sync.delivery_record')/${ROWS} as record,
         pg_relation_size('placement_sync.delivery_pkey')/${ROWS} as key from (select 'placement_sync.delivery'::regclass as c) t`,
    );
    console.log(
      `bytes per row: ${rows[0]?.row} in the table, ${rows[0]?.key} and ${rows[0]?.record} in its indexes`,
    );
    const day = (ms: number) => new Date(Date.now() - ms).toISOString().slice(0, 10);
    const days = { timeZone: 'Asia/Jakarta', entities: ['vacancies'], to: day(0) };
    for (const back of [30, 400]) {
      const from = day(back * 86_400_000);
      await timed(`report of ${back} days`, () => state.deliveries.report({ ...days, from }, 2_000));
    }
    for (const back of [30, 400])
      await timed(`report of ${back} days by record`, async () => {
        const of = { ...days, from: day(back * 86_400_000) };
        let after: DeliveryPosition | null = null;
        do ({ next: after } = await state.deliveries.records(of, { companies: null, after, limit: 2_000 }));
        while (after !== null);
      });
    await timed('timeline of a record', () =>
      state.deliveries.timeline('vacancies', '0190a000-0000-7000-8000-000000000001', 1_000),
    );
    await timed('pruning a day of 400', () => state.deliveries.prune(399 * 86_400_000));
    await timed('pruning what is left of it', () => state.deliveries.prune(399 * 86_400_000));
    await timed('pruning half of it', () => state.deliveries.prune(200 * 86_400_000));
  });
} finally {
  await connection.close();
  await postgres.stop();
}

function accepted(claim: Claim, journal: boolean): Outcome {
  const { entity, key, requestId, hash, payload, parentPlatformId } = claim;
  return {
    ...{ entity, key, requestId, hash, payload, parentPlatformId },
    kind: 'accepted',
    reference: `r-${key}`,
    remoteId: `i-${key}`,
    details: null,
    statusCode: 200,
    ...(journal ? { sent: requestOf(vacancies, claim).sent } : {}),
  };
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  await work();
  console.log(`${what.padEnd(28)} ${((performance.now() - began) / 1000).toFixed(3)} s`);
}
