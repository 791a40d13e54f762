import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { addCompanies, createWorld, type World } from '../world.js';

/** A vanished record, an application, a run and an hour of pushes, all from before the retention of one day. */
async function withOldRows(): Promise<World> {
  const world = await createWorld();
  await addCompanies(world, 2);
  await world.run();
  await world.sql(`delete from company where id = 'c02'`);
  await world.run();
  await world.sql(`
    update placement_sync.sync_state set vanished_at = now() - interval '2 days' where key = 'c02';
    update placement_sync.sync_run set started_at = now() - interval '2 days', finished_at = now() - interval '2 days';
    update placement_sync.push_hour set hour = hour - interval '2 days';
    insert into placement_sync.job_application
      (received_at, layout, request_id, request_timestamp, body, delivery_hash)
    values (now() - interval '2 days', 'unrecognised', '${randomUUID()}', now(), '{}', 'hash')`);
  return world;
}

/** How many rows from before yesterday each table still has. */
async function oldRows(world: World): Promise<Record<string, number>> {
  const [row] = await world.sql<Record<string, number>>(`
    select (select count(*) from placement_sync.sync_state where vanished_at < now() - interval '1 day')::int as records,
      (select count(*) from placement_sync.job_application where received_at < now() - interval '1 day')::int as applications,
      (select count(*) from placement_sync.sync_run where finished_at < now() - interval '1 day')::int as runs,
      (select count(*) from placement_sync.push_hour where hour < now() - interval '1 day')::int as hours`);
  return row ?? {};
}

const NOTHING = { records: 0, applications: 0, runs: 0, hours: 0 };

test('a run deletes what is past its retention, in every table', async () => {
  const world = await withOldRows();
  expect(await oldRows(world)).toMatchObject({ records: 1, applications: 1, runs: 2 });
  await world.run();
  expect(await oldRows(world)).toEqual(NOTHING);
  expect(await world.state.records.find('companies', 'c01'), 'what is in the source stays').not.toBeNull();
});

test('a worker does the same after each of its sweeps', async () => {
  const world = await withOldRows();
  const worker = world.work();
  await expect.poll(() => oldRows(world), { timeout: 60_000 }).toEqual(NOTHING);
  await worker.stop();
});
