import { createHash } from 'node:crypto';
import { Socket } from 'node:net';
import { createDashboard } from '../../src/dashboard/create-dashboard.js';
import { createAreaWatch } from '../../src/features/notices/area-watch.js';
import { SyncError } from '../../src/core/domain/errors.js';
import { startPostgres } from '../../src/features/demo/postgres/start-postgres.js';
import { withClient } from '../../src/features/demo/sample/seed-sample.js';
import { entity as entityNamed } from '../../src/core/entities/index.js';
import { type AppContext, createState } from '../../src/features/create-state.js';
import { migrate } from '../../src/core/ledger/database/migrate.js';
import { createStateDatabase } from '../../src/core/ledger/database/state-database.js';

/**
 * What a page of the dashboard costs with a large ledger: `npx tsx bench/parts/dashboard.ts [vacancies]` (default
 * 1,000,000, of 20,000 companies). Each page is asked for four times: of a dashboard that has nothing
 * remembered, then warm, of which the middle time counts.
 */
const count = Number(process.argv[2] ?? 1_000_000);
const COMPANIES = 20_000;

/** What the vacancies are. */
const MIXES: Readonly<Record<string, string>> = {
  'all in step': `acknowledged_hash = desired_hash, acknowledged_at = now(), refused_hash = null, invalid_reason = null`,
  'all pending': `acknowledged_hash = null, acknowledged_at = null, refused_hash = null, invalid_reason = null`,
  'all rejected': `acknowledged_hash = null, acknowledged_at = null, refused_hash = desired_hash, invalid_reason = null, last_error = 'title: "' || key || '" is taken. The given data was invalid.'`,
  'all invalid': `acknowledged_hash = null, acknowledged_at = null, refused_hash = null, invalid_reason = '[{"field": "title", "code": "required", "message": "is missing"}]'`,
};

const postgres = await startPostgres({ env: process.env });
const connection = createStateDatabase({ url: postgres.superUrl, poolMax: 2, schema: 'placement_sync' });
const state = createState(connection);

try {
  await migrate(connection);
  await withClient(postgres.superUrl, async (client) => {
    await client.query(
      `insert into placement_sync.sync_state
         (entity, key, platform_id, parent_platform_id, reference, desired_hash, desired_payload, desired_at)
       select 'companies', 'c' || id, md5('c' || id)::uuid, null, id::text, 'h', jsonb_build_object('name', repeat(md5(id::text), 4)), now()
       from generate_series(1, ${COMPANIES}) id
       union all
       select 'vacancies', 'v' || id, md5('v' || id)::uuid, md5('c' || 1 + id % ${COMPANIES})::uuid, null, 'h',
         jsonb_build_object('title', repeat(md5(id::text), 8)), now()
       from generate_series(1, ${count}) id`,
    );
    await client.query(
      `update placement_sync.sync_state set acknowledged_hash = desired_hash, acknowledged_at = now() where entity = 'companies'`,
    );
    // Ninety days with a run a minute; one in a thousand failed.
    await client.query(
      `insert into placement_sync.sync_run (run_id, trigger, holder, started_at, finished_at, outcome, exit_code, counters)
       select gen_random_uuid(), 'cron', 'benchmark', t, t, case when n % 1000 = 0 then 'failed' else 'complete' end, 0,
         jsonb_build_object('companies', report, 'vacancies', report, 'institutions', report, 'trainings', report)
       from generate_series(1, 129600) n, lateral (select now() - n * interval '1 minute' as t) at_,
         lateral (select '{"read": 1000000, "unchanged": 1000000, "new": 0, "changed": 0, "vanished": 0, "invalid": 0, "sent": 0,
           "accepted": 0, "rejected": 0, "deferred": 0, "waiting": 0, "pending": 0, "held": false, "error": null}'::jsonb as report) reports`,
    );
    await client.query(
      `insert into placement_sync.job_application (layout, request_id, request_timestamp, body, delivery_hash)
       select 'unrecognised', 'r', now(), repeat('x', 500), n::text from generate_series(1, 200000) n`,
    );
    await client.query('vacuum analyze placement_sync.sync_run, placement_sync.job_application');
    await timed('runs', '/runs');
    await timed('runs, one by one', '/runs?quiet=show');
    await timed('runs, a rare outcome', '/runs?outcome=failed');
    await timed('runs, an outcome without runs', '/runs?outcome=held');
    const [middle] = (
      await client.query<{ id: string }>(
        'select run_id as id from placement_sync.sync_run order by started_at offset 60000 limit 1',
      )
    ).rows;
    await timed('runs, in the middle', `/runs?before=${middle?.id ?? ''}`);
    await timed('inbox', '/inbox');
    await timed('inbox, in the middle', '/inbox?before=100000');
    for (const [mix, assignments] of Object.entries(MIXES)) {
      await client.query(`update placement_sync.sync_state set ${assignments} where entity = 'vacancies'`);
      await client.query('vacuum analyze placement_sync.sync_state');
      console.log(`\n${count} vacancies, ${mix}`);
      const status = { 'all in step': 'synced', 'all pending': 'pending', 'all rejected': 'rejected' }[mix];
      const list = `/records?entity=vacancies&status=${status ?? 'invalid'}`;
      await timed('overview', '/');
      await timed('list, first page', list);
      await timed('list, in the middle', `${list}&after=v${Math.floor(count / 2)}`);
      await timed('list, last page', `${list}&after=v99999`);
      await timed('list of all', '/records?entity=vacancies');
      await timed('list of all, last key first', '/records?entity=vacancies&order=key-last');
      await timed('list by last attempt', `${list}&order=newest`);
      await timed('list, search for a title', `${list}&find=${createHash('md5').update('1').digest('hex')}`);
      await timed('list, search for what is not there', `${list}&find=nothing-has-this`);
      await timed('list of a status without records', '/records?entity=vacancies&status=deferred');
      await timed('search', `/record?entity=vacancies&key=v${count}`);
      await timed('search for what is not there', '/record?entity=vacancies&key=none');
    }
  });
} finally {
  await connection.close();
  await postgres.stop();
}

async function timed(what: string, path: string): Promise<void> {
  const dashboard = freshDashboard();
  const took: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    const began = performance.now();
    const reply = await dashboard.request(
      `http://localhost${path}`,
      { headers: { host: 'localhost' } },
      { incoming: { socket: new Socket() } },
    );
    await reply.text();
    took.push(performance.now() - began);
    if (reply.status >= 500) throw new Error(`${path}: ${reply.status}`);
  }
  const [cold = 0, ...warm] = took;
  const [, middle = 0] = warm.toSorted((one, other) => one - other);
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
  console.log(`${what.padEnd(34)} ${seconds(cold)} at first, ${seconds(middle)} warm`);
}

function freshDashboard() {
  const area = {
    baseUrl: 'https://platform.example',
    clientId: 'one',
    ratePerSecond: null,
    concurrency: 4,
    timeoutMs: 1_000,
  };
  const clock = { now: () => Date.now(), monotonic: () => performance.now() };
  const context = {
    state,
    source: {
      read: () => Promise.reject(new SyncError('source-unavailable', 'no source', { scope: 'run' })),
      close: () => Promise.resolve(),
    },
    entities: ['companies', 'vacancies'].map((name) => ({
      ...entityNamed(name as 'companies' | 'vacancies'),
      query: { entity: name, sql: 'select 1', file: `${name}.sql`, columns: [] },
      mapContext: { lookups: {}, plainText: [], required: null },
      closedStatus: 'closed',
      onVanished: 'report',
    })),
    settings: { areas: { jobs: area }, platform: { timeZone: 'Asia/Jakarta' }, guards: {} },
    clock,
    emit: () => undefined,
    holder: 'benchmark',
  } as unknown as AppContext;
  return createDashboard({
    host: '127.0.0.1',
    token: null,
    context,
    stateUntil: () => state,
    canLook: () => false,
    look: () => Promise.resolve('nothing'),
    watch: createAreaWatch(clock),
    version: '0',
    runbookUrl: 'https://docs.example/runbook',
    staleAfterMs: 3_600_000,
    receivesWebhooks: false,
  });
}
