import { expect, test } from 'vitest';
import { block, CITY, createWorld, type World } from './world.js';

const SQL = `select id as key, name, city as region_id, industry, about from company`;

/** Companies k1, k2, … at the platform. */
async function settled(count: number): Promise<World> {
  const world = await createWorld();
  await world.sql(
    `insert into company (id, name) select 'k' || n, 'Company ' || n from generate_series(1, $1::int) n`,
    [count],
  );
  expect(await world.run()).toMatchObject({ exitCode: 0 });
  world.requests();
  return world;
}

/** The database of another customer: the same keys, other companies. */
const otherCustomer = (world: World, most = 1_000_000) =>
  world.sql(`update company set name = 'Other ' || id where substr(id, 2)::int <= $1`, [most]);

test('a ledger that is pointed at the database of another customer with the same keys is held, and nothing is sent', async () => {
  const world = await settled(120);
  await otherCustomer(world);

  expect(await world.plan()).toMatchObject({
    holds: { companies: { consequences: [{ does: 'update', count: 120 }] } },
  });
  expect(await world.run()).toMatchObject({
    exitCode: 4,
    outcome: 'held',
    entities: { companies: { changed: 120, held: true, sent: 0 } },
  });
  expect(world.requests()).toEqual([]);
  const { hold } = await world.state.entityStates.read('companies');
  expect(hold).toMatchObject({
    guard: 'max-changed-percent',
    counts: { vanished: 0, invalid: 0, changed: 120 },
    message:
      '120 of 120 records changed (100 %): name in 120; guards.maxChangedPercent is 50. Is this the same database as before?',
  });
  expect(hold?.sampleKeys).toHaveLength(10);
  expect((await world.status()).entities.companies).toMatchObject({ held: true, synced: 120 });

  // Back at its own database it goes on by itself.
  await world.sql(`update company set name = 'Company ' || substr(id, 2)`);
  expect(await world.run()).toMatchObject({ exitCode: 0, entities: { companies: { held: false, sent: 0 } } });
});

test('a column that moves by the calendar changes every record each day, and is sent with a warning', async () => {
  const world = await settled(150);
  for (const day of ['1', '2']) {
    await world.sql(`update company set about = 'Tutup 2031-01-0' || $1`, [day]);
    await world.sql(`update company set name = name || '!' where id = 'k7'`);
    expect((await world.plan()).holds).toEqual({});
    expect(await world.run()).toMatchObject({
      exitCode: 0,
      entities: { companies: { changed: 150, accepted: 150 } },
    });
    expect(world.events).toContainEqual({
      type: 'warning',
      message: 'about is all that changed in 149 of 150 companies. All of them are sent again.',
      hint: expect.stringContaining('docs/queries.md') as string,
    });
    expect((await world.run()).exitCode).toBe(0);
    expect(world.events.filter(({ type }) => type === 'warning')).toEqual([]);
  }
});

test('what the other database makes invalid does not hide that all others changed', async () => {
  const world = await settled(120);
  await world.sql(
    `update company set name = case when substr(id, 2)::int > 60 then 'Other ' || id end where substr(id, 2)::int > 5`,
  );
  await world.sql(`delete from company where substr(id, 2)::int <= 5`);
  expect(await world.run()).toMatchObject({
    exitCode: 4,
    entities: { companies: { changed: 60, invalid: 55, vanished: 5, held: true, sent: 0 } },
  });
  expect((await world.state.entityStates.read('companies')).hold?.message).toContain(
    '60 of 60 valid records changed (100 %)',
  );
});

test('another mapping may change everything, and so may a resync', async () => {
  const world = await settled(100);
  world.blocks.companies = block(
    `select id as key, upper(name) as name, '${CITY}' as region_id from company`,
  );
  expect(await world.run()).toMatchObject({
    exitCode: 0,
    entities: { companies: { changed: 100, accepted: 100 } },
  });
  world.blocks.companies = block(SQL);
  expect(await world.run()).toMatchObject({ exitCode: 0, entities: { companies: { accepted: 100 } } });
  await otherCustomer(world);
  expect(await world.resync(null, ['companies'])).toMatchObject({
    exitCode: 0,
    entities: { companies: { changed: 100, accepted: 100 } },
  });
});

test('renewed keys are held, with the question and with what an approval would create', async () => {
  const world = await settled(20);
  await world.sql(`update company set id = 'renewed-' || id`);
  expect((await world.plan()).holds.companies?.consequences).toEqual([
    { does: 'create-again', count: 20 },
    { does: 'mark-vanished', count: 20 },
  ]);
  expect(await world.run()).toMatchObject({
    exitCode: 4,
    entities: { companies: { new: 20, vanished: 20, sent: 0 } },
  });
  expect((await world.state.entityStates.read('companies')).hold).toMatchObject({
    counts: { vanished: 20, invalid: 0, renewed: 20 },
    message:
      '20 of 20 records vanished (100 %); guards.maxVanishedPercent is 10. 20 new ones came: were the keys renewed? Approving creates all of them again.',
  });
});
