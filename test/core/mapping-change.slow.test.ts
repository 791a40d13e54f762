import { describe, expect, test } from 'vitest';
import { addCompanies, addVacancies, type Block, createWorld, FARMING, MINING, type World } from './world.js';

describe('mapping change', () => {
  function companiesOf(world: World): Block {
    const { companies } = world.blocks;
    if (!companies) throw new Error('companies has no block');
    return companies;
  }

  const why = (world: World) =>
    world.events.flatMap((event) =>
      event.type === 'sweep-started' && event.entity === 'companies' ? [event.why] : [],
    );

  test('a changed lookup maps everything again and sends only what differs', async () => {
    const world = await createWorld();
    const companies = companiesOf(world);
    companies.lookups = { industry: `code,id\nfarm,${FARMING}\nmine,${FARMING}\n` };
    await addCompanies(world, 6);
    await world.sql(`update company set industry = case when id <= 'c02' then 'mine' else 'farm' end`);
    await world.run();
    world.requests();

    companies.lookups = { industry: `id,code,note\n${MINING},MINE,corrected\n${FARMING},farm,\n` };
    const report = await world.run();
    expect(why(world)).toEqual(['mapping changed']);
    expect(report.entities.companies).toMatchObject({ read: 6, changed: 2, unchanged: 4, sent: 2 });
    expect(world.sentIds().sort()).toEqual(
      [await world.idOf('companies', 'c01'), await world.idOf('companies', 'c02')].sort(),
    );

    await world.run();
    expect(why(world)).toEqual(['what differs']);
  });

  test('another query text with the same result is mapped again and sends nothing', async () => {
    const world = await createWorld();
    await addCompanies(world, 3);
    await world.run();
    world.requests();
    companiesOf(world).sql += '\n-- with a remark';
    expect(await world.run()).toMatchObject({
      exitCode: 0,
      entities: { companies: { unchanged: 3, changed: 0 } },
    });
    expect(why(world)).toEqual(['mapping changed']);
    expect(world.requests()).toEqual([]);
  });

  test('with the query’s own row version a row is read only when it moves, and a full sweep finds where it lied', async () => {
    const world = await createWorld();
    const companies = companiesOf(world);
    companies.sql = 'select id as key, name, city as region_id, about, version as row_version from company';
    await addCompanies(world, 3);
    await world.sql(`update company set version = '1'`);
    await world.run();
    world.requests();

    await world.sql(`update company set about = 'seen', version = '2' where id = 'c01'`);
    await world.sql(`update company set about = 'not seen' where id = 'c02'`);
    expect(await world.run()).toMatchObject({
      entities: { companies: { changed: 1, unchanged: 2, sent: 1 } },
    });

    world.settings.fullEveryMs = 0;
    expect(await world.run()).toMatchObject({
      exitCode: 0,
      entities: { companies: { changed: 1, unchanged: 2, sent: 1 } },
    });
    expect(why(world)).toEqual(['due by sweep.fullEvery']);
    expect(world.events).toContainEqual({
      type: 'stale-row-versions',
      entity: 'companies',
      count: 1,
      sampleKeys: ['c02'],
    });
    expect(world.held('companies')[await world.idOf('companies', 'c02')]).toMatchObject({
      about: 'not seen',
    });
  });

  test('a row whose version is null is read every time, and a moved version without other content is only noted', async () => {
    const world = await createWorld();
    companiesOf(world).sql =
      'select id as key, name, city as region_id, about, version as row_version from company';
    await addCompanies(world, 3);
    await world.sql(`update company set version = '1' where id <> 'c03'`);
    await world.run();
    world.requests();
    await world.sql(`update company set about = 'edited' where id = 'c03'`);
    await world.sql(`update company set version = '2' where id = 'c01'`);
    expect(await world.run()).toMatchObject({
      entities: { companies: { read: 3, changed: 1, unchanged: 2, sent: 1 } },
    });
    expect(world.sentIds()).toEqual([await world.idOf('companies', 'c03')]);
    expect(await world.sql(`select row_version from placement_sync.sync_state where key = 'c01'`)).toEqual([
      { row_version: '2' },
    ]);
  });
});

describe('refresh', () => {
  const HOUR = 3_600_000;

  /** Lets the last acknowledgement of everything (or of these keys) be longer ago. */
  const age = (world: World, ms: number, keys: readonly string[] | null = null) =>
    world.sql(
      `update placement_sync.sync_state set acknowledged_at = acknowledged_at - $1 * interval '1 millisecond'
     where $2::text[] is null or key = any($2)`,
      [ms, keys],
    );

  test('records older than refreshAfter are sent again, once, and younger ones are not', async () => {
    const world = await createWorld();
    world.settings.refreshAfterMs = 10 * HOUR;
    await addCompanies(world, 4);
    await world.run();
    expect(await world.run()).toMatchObject({ entities: { companies: { sent: 0 } } });
    await age(world, 11 * HOUR, ['c01', 'c02']);
    await age(world, 4 * HOUR, ['c03']);
    const report = await world.run();
    expect(report).toMatchObject({
      exitCode: 0,
      outcome: 'complete',
      entities: { companies: { unchanged: 4, sent: 2, accepted: 2 } },
    });
    expect(await world.run()).toMatchObject({ entities: { companies: { sent: 0 } } });
  });

  test('what was loaded together is not sent again together', async () => {
    const world = await createWorld();
    world.settings.refreshAfterMs = 10 * HOUR;
    await addCompanies(world, 60);
    await world.run();
    await age(world, 7.5 * HOUR);
    const { sent } = (await world.run()).entities.companies!;
    expect(sent).toBeGreaterThan(15);
    expect(sent).toBeLessThan(45);
    await age(world, 2.5 * HOUR);
    expect((await world.run()).entities.companies!.sent).toBeGreaterThan(60 - sent - 1);
  });

  test('never what vanished, was closed, is invalid or past its last day', async () => {
    const world = await createWorld();
    world.settings.refreshAfterMs = HOUR;
    world.settings.guards.maxVanishedPercent = 100;
    world.blocks.vacancies!.onVanished = 'close';
    world.blocks.vacancies!.sql = `select id as key, company_id as company_key, title, expire_at,
    case id when 'v04' then 'closed' end as status, case id when 'v05' then 'many' end as quota from vacancy`;
    await addCompanies(world, 1);
    await addVacancies(world, 6);
    await world.sql(`update vacancy set expire_at = '2020-01-31' where id = 'v02'`);
    await world.run();
    await world.sql(`delete from vacancy where id = 'v03'`);
    await world.run();
    await age(world, 2 * HOUR);
    world.requests();
    expect(await world.run()).toMatchObject({ entities: { companies: { sent: 1 }, vacancies: { sent: 2 } } });
    const ids = await Promise.all(['v01', 'v06'].map((key) => world.idOf('vacancies', key)));
    expect(world.sentIds().slice(1).sort()).toEqual(ids.sort());
  });

  test('nothing of a held entity, until the hold ends', async () => {
    const world = await createWorld();
    world.settings.refreshAfterMs = HOUR;
    await addCompanies(world, 10);
    await world.run();
    await age(world, 2 * HOUR);
    await world.sql(`delete from company where id > 'c05'`);
    world.requests();
    expect(await world.run()).toMatchObject({
      exitCode: 4,
      entities: { companies: { held: true, sent: 0 } },
    });
    expect(world.requests()).toEqual([]);
    await world.state.approve('companies');
    expect(await world.run()).toMatchObject({ exitCode: 0, entities: { companies: { sent: 5 } } });
  });
});
