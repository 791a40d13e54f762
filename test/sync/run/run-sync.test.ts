import { expect, test } from 'vitest';
import { whenWritten } from '../../postgres/when-written.js';
import { addCompanies, addVacancies, createWorld } from '../world.js';

test('a ledger that is given to another platform between the first look and the leases is not used', async () => {
  const world = await createWorld();
  await addCompanies(world, 1);
  await world.run();
  await world.sql(`update company set about = 'edited'`);
  world.requests();
  await whenWritten(
    world.sql,
    'placement_sync.lease',
    `update placement_sync.environment set base_url = 'https://elsewhere.example';`,
  );
  await expect(world.run()).rejects.toMatchObject({ code: 'environment-changed', scope: 'usage' });
  expect(world.requests()).toEqual([]);
});

test('a run whose lease is lost while nothing is under way has failed, however little was left to do', async () => {
  const world = await createWorld();
  world.settings.leaseTtlMs = 2_000;
  world.settings.retry.maxPauseMs = 60_000;
  await addCompanies(world, 1);
  world.intercept = () => ({ status: 429, headers: { 'retry-after': '30' } });
  const report = await world.run({
    // The push statements count on another lease, so none of them finds this one lost.
    onEvent: ({ type }) =>
      type === 'area-paused' &&
      world.sql(`update placement_sync.lease set token = token + 1, holder = 'thief',
        expires_at = now() + interval '1 hour' where name = 'sweep'`),
  });
  expect(report).toMatchObject({ outcome: 'failed', exitCode: 1 });
  expect(await world.state.runs.last()).toMatchObject({ outcome: 'failed', error: { code: 'lease-lost' } });
});

test('an error of the state database in the sweep of one entity ends the run: no other entity is read', async () => {
  const world = await createWorld();
  await addCompanies(world, 1);
  await addVacancies(world, 1);
  await whenWritten(world.sql, 'placement_sync.staged_finding', `raise exception 'the disk is full';`);
  const report = await world.run();
  expect(report).toMatchObject({ outcome: 'failed', exitCode: 1 });
  const swept = world.events.flatMap((event) => (event.type === 'sweep-started' ? [event.entity] : []));
  expect(swept).toEqual(['companies']);
  expect(await world.state.runs.last()).toMatchObject({ error: { code: 'state-failed' } });
});
