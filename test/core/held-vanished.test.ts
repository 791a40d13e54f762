import { expect, test } from 'vitest';
import { addCompanies, createWorld, type World } from './world.js';

/** Ten companies at the platform, of which the source has five left. */
async function halfGone(): Promise<World> {
  const world = await createWorld();
  await addCompanies(world, 10);
  await world.run();
  await world.sql(`delete from company where id > 'c05'`);
  return world;
}

test('a record that vanished while a guard holds its entity has the status of the lists, and says that it is gone', async () => {
  const world = await halfGone();
  expect(await world.run()).toMatchObject({ exitCode: 4, outcome: 'held' });
  const gone = await world.explain('companies', 'c10');
  expect(gone).toMatchObject({ status: 'synced', keptBack: true, row: null });
  expect(gone.reason).toMatch(
    /^It is no longer in the query’s result. The hold keeps that from being applied: the platform still holds it as before. After approve, nothing more of it is sent. The entity is held \(since [^)]+\): 5 of 10 records vanished/,
  );
  expect(gone.reason).not.toContain('holds what is desired');
  const listed = await world.state.recordLists.page(
    'companies',
    { status: 'synced', search: 'c10', reason: null, sort: 'key', descending: false },
    { after: null, limit: 10 },
  );
  expect(listed.records).toMatchObject([{ key: 'c10', status: gone.status }]);
  const kept = await world.explain('companies', 'c01');
  expect(kept).toMatchObject({ status: 'synced' });
  expect(kept).not.toHaveProperty('keptBack');
  const { entities } = await world.status();
  expect(entities.companies).toMatchObject({ synced: 10, held: true, heldBack: { vanished: 5, invalid: 0 } });
});

test('what approve will do with it follows from the policy', async () => {
  const world = await halfGone();
  if (world.blocks.companies) world.blocks.companies.onVanished = 'delete';
  await world.run();
  expect((await world.explain('companies', 'c10')).reason).toContain('After approve, it is deleted there.');
});

test('before the next sweep the reason says that the row is gone, not that it has changed', async () => {
  const world = await halfGone();
  const { reason } = await world.explain('companies', 'c10');
  expect(reason).toContain('It is no longer in the query’s result; the next sweep will see that.');
  expect(reason).not.toContain('has changed');
});

test('a source that cannot be read is no reason to say that a row has changed', async () => {
  const world = await createWorld();
  await addCompanies(world, 1);
  await world.run();
  await world.sql('alter table company rename to elsewhere');
  const { status, keptBack, reason } = await world.explain('companies', 'c01');
  expect({ status, keptBack }).toEqual({ status: 'synced', keptBack: undefined });
  expect(reason).toContain('The source could not be read');
  expect(reason).not.toContain('next sweep');
});
