import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { addCompanies, addVacancies, createWorld, type World } from '../world.js';

describe('resync', () => {
  test('resync sends everything again under the same links, after reading it in full', async () => {
    const world = await createWorld();
    await addCompanies(world, 3);
    await addVacancies(world, 2);
    await world.run();
    const references = world.sandbox.records('jobs', 'companies').map(({ reference }) => reference);
    world.requests();

    const report = await world.resync();
    expect(report).toMatchObject({
      exitCode: 0,
      outcome: 'complete',
      entities: {
        companies: { unchanged: 3, sent: 3, accepted: 3 },
        vacancies: { unchanged: 2, sent: 2, accepted: 2 },
      },
    });
    expect(world.events).toContainEqual(
      expect.objectContaining({ type: 'sweep-started', full: true, why: 'asked for' }),
    );
    expect(world.requests()).toHaveLength(5);
    expect(
      world.sandbox.records('jobs', 'companies').map(({ reference, puts }) => ({ reference, puts })),
    ).toEqual(references.map((reference) => ({ reference, puts: 2 })));
    await world.run();
    expect(world.events).toContainEqual(expect.objectContaining({ type: 'sweep-started', full: false }));
    expect(world.requests()).toEqual([]);
  });

  test('resync of some keys sends only those, and reports keys that are not records', async () => {
    const world = await createWorld();
    await addCompanies(world, 5);
    await world.run();
    world.requests();
    const report = await world.resync(['c02', 'c04', 'nobody'], ['companies']);
    expect(report).toMatchObject({ exitCode: 0, entities: { companies: { sent: 2, accepted: 2 } } });
    expect(world.sentIds().sort()).toEqual(
      [await world.idOf('companies', 'c02'), await world.idOf('companies', 'c04')].sort(),
    );
    expect(world.events).toContainEqual(
      expect.objectContaining({ type: 'warning', message: expect.stringMatching(/2 of 3 keys/) as string }),
    );
  });

  test('while another process holds the leases, resync only requests the resend and leaves the work to it', async () => {
    const world = await createWorld();
    await addCompanies(world, 3);
    await world.run();
    world.requests();
    const acquired = await world.state.leases.acquire('push', 'the worker', 60_000);
    expect(await world.resync()).toMatchObject({ exitCode: 0, outcome: 'busy' });
    expect(world.events).toContainEqual(
      expect.objectContaining({
        type: 'warning',
        message: expect.stringMatching(/^Resend requested/) as string,
      }),
    );
    expect(world.requests()).toEqual([]);
    expect((await world.status()).entities.companies).toMatchObject({ pending: 3 });

    if ('lease' in acquired) await world.state.leases.release(acquired.lease);
    expect(await world.run()).toMatchObject({
      exitCode: 0,
      entities: { companies: { unchanged: 3, sent: 3, accepted: 3 } },
    });
    expect(world.events).toContainEqual(
      expect.objectContaining({ type: 'sweep-started', entity: 'companies', why: 'asked for' }),
    );
    // A worker does not wait for its schedule.
    expect(await world.state.schedules.read('sync')).toMatchObject({ overdue: true });
  });

  test('a record that vanished is not sent by resync', async () => {
    const world = await createWorld();
    await addCompanies(world, 2);
    await world.run();
    await world.sql(`delete from company where id = 'c01'`);
    world.requests();
    expect(await world.resync()).toMatchObject({
      exitCode: 0,
      entities: { companies: { vanished: 1, sent: 1 } },
    });
    expect(await world.resync()).toMatchObject({
      exitCode: 0,
      entities: { companies: { vanished: 0, sent: 1 } },
    });
  });

  test('a record that vanished and returns unchanged after a resync is sent, because the platform may have lost it', async () => {
    const world = await createWorld();
    await addCompanies(world, 2);
    await world.run();
    await world.sql(`create table away as select * from company where id = 'c01'`);
    await world.sql(`delete from company where id = 'c01'`);
    await world.run();
    await world.resync();
    await world.sql('insert into company select * from away');
    world.requests();
    expect(await world.run()).toMatchObject({
      exitCode: 0,
      entities: { companies: { changed: 1, sent: 1, accepted: 1 } },
    });
    await world.run();
    expect(world.requests()).toHaveLength(1);
  });
});

describe('prune', () => {
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
    expect(
      await world.state.recordViews.find('companies', 'c01'),
      'what is in the source stays',
    ).not.toBeNull();
  });
});
