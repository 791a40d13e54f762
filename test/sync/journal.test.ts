import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createWorld } from './world.js';

interface Row extends Record<string, unknown> {
  readonly key: string;
  readonly run_id: string | null;
  readonly request_id: string;
  readonly outcome: string;
  readonly status_code: number | null;
}

const JOURNAL = 'select * from placement_sync.delivery order by answered_at, key';

test('a run writes its requests under its id, and the journal has just those that the platform got', async () => {
  const world = await createWorld();
  await world.sql(`insert into company (id, name) values ('c1', 'One'), ('c2', 'Two')`);
  const { runId } = await world.run();
  const rows = await world.sql<Row>(JOURNAL);
  expect(rows.map(({ key, run_id }) => [key, run_id])).toEqual([
    ['c1', runId],
    ['c2', runId],
  ]);
  const asked = world.sandbox.requests().map(({ requestId }) => requestId);
  expect(rows.map(({ request_id }) => request_id).toSorted()).toEqual(asked.toSorted());
});

test('refused credentials are noted as a request that says nothing about the record, what never left is not', async () => {
  const world = await createWorld();
  await world.sql(`insert into company (id, name) select 'c' || n, 'Company' from generate_series(1, 30) n`);
  world.intercept = () => ({ status: 401, body: { message: 'no' } });
  await world.run();
  const rows = await world.sql<Row>(JOURNAL);
  expect(rows).toHaveLength(world.sandbox.requests().length);
  expect(new Set(rows.map(({ outcome, status_code }) => `${outcome} ${status_code}`))).toEqual(
    new Set(['handed-back 401']),
  );
});

test('the worker’s requests have no run, belong to the page of its last run, and old ones are deleted', async () => {
  const world = await createWorld();
  await world.sql(`insert into company (id, name) values ('c1', 'One')`);
  await world.sql(
    `insert into placement_sync.delivery (entity, key, platform_id, kind, operation, request_id, claimed_at, answered_at, outcome)
     select 'companies', 'old', gen_random_uuid(), 'new', 'putCompany', gen_random_uuid(), at, at, 'accepted'
     from (select now() - interval '25 hours' as at) past`,
  );
  const worker = world.work();
  const until = Date.now() + 30_000;
  let rows: Row[] = [];
  // The first sweep prunes at its end, while the push sends.
  while ((rows.length !== 1 || rows[0]?.key !== 'c1') && Date.now() < until) {
    await wait(50);
    rows = await world.sql<Row>(JOURNAL);
  }
  await worker.stop();
  rows = await world.sql<Row>(JOURNAL);
  expect(rows.map(({ key, run_id, outcome }) => ({ key, run_id, outcome }))).toEqual([
    { key: 'c1', run_id: null, outcome: 'accepted' },
  ]);
  const last = await world.state.runs.last();
  const page = await world.state.deliveries.ofRun(last?.runId ?? '', {
    after: null,
    limit: 10,
    outcome: null,
  });
  expect(page.deliveries.map(({ key }) => key)).toEqual(['c1']);
});
