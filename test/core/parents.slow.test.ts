import { describe, expect, test } from 'vitest';
import { addCompanies, addVacancies, createWorld, TRAINING_BLOCKS, unbalanced, type World } from './world.js';

describe('parents', () => {
  interface Vacancy {
    readonly employer: { readonly id: string };
  }

  test.each([
    ['refused', '', /was rejected by the platform/],
    ['invalid', `update company set name = ' ' where id = 'c01'`, /is invalid/],
    ['absent', `delete from company where id = 'c01'`, /no such record in the query of companies/],
  ])(
    'a vacancy whose company is %s waits, says why, and goes out by itself once the company is accepted',
    async (what, harm, why) => {
      const world = await createWorld();
      await addCompanies(world, 2);
      await addVacancies(world, 2);
      await world.sql(`insert into vacancy (id, company_id, title) values ('other', 'c02', 'Other')`);
      if (harm) await world.sql(harm);
      else
        world.intercept = ({ body }) =>
          (body as { name?: string }).name === 'Company 1'
            ? { status: 422, body: { message: 'no' } }
            : undefined;

      const first = await world.run();
      expect(first).toMatchObject({
        exitCode: 3,
        outcome: 'partial',
        entities: { vacancies: { waiting: 2, accepted: 1, sent: 1 } },
      });
      expect(unbalanced(first)).toEqual([]);
      const explained = await world.explain('vacancies', 'v01');
      expect(explained).toMatchObject({ status: 'waiting', attempts: 0, waitsFor: { entity: 'companies' } });
      expect(explained.waitsFor?.reason).toMatch(why);
      expect(explained.reason).toMatch(why);

      // The standing state keeps the exit code.
      expect(await world.run()).toMatchObject({
        exitCode: 3,
        entities: { vacancies: { waiting: 2, sent: 0 } },
      });

      world.intercept = null;
      if (what === 'absent') await world.sql(`insert into company (id, name) values ('c01', 'Company 1')`);
      else await world.sql(`update company set name = 'Corrected' where id = 'c01'`);
      expect(await world.run()).toMatchObject({
        exitCode: 0,
        outcome: 'complete',
        entities: { companies: { accepted: 1 }, vacancies: { waiting: 0, accepted: 2, unchanged: 3 } },
      });
    },
  );

  test('a vacancy whose company only failed for now waits without harm to the exit code', async () => {
    const world = await createWorld();
    world.settings.retry.baseDelayMs = 60_000;
    world.settings.retry.maxDelayMs = 60_000;
    await addCompanies(world, 2);
    await addVacancies(world, 1);
    // The other company shows that the platform answers.
    world.intercept = ({ body }) =>
      (body as { name: string }).name === 'Company 1'
        ? { status: 500, body: { message: 'broken' } }
        : undefined;
    expect(await world.run()).toMatchObject({
      exitCode: 0,
      outcome: 'partial',
      entities: { companies: { deferred: 1 }, vacancies: { waiting: 1, sent: 0 } },
    });
  });

  test('waiting for companies that failed or are held does not add to the exit code', async () => {
    const world = await createWorld();
    await addCompanies(world, 10);
    await world.run();
    await world.sql(`delete from company where id > 'c05'`);
    await world.sql(`insert into company (id, name) values ('new', 'New')`);
    await addVacancies(world, 1, 'new');
    expect(await world.run()).toMatchObject({
      exitCode: 4,
      entities: { companies: { held: true }, vacancies: { waiting: 1 } },
    });
    // Also when only vacancies are asked for: the hold stands.
    expect(await world.run({ only: ['vacancies'] })).toMatchObject({
      exitCode: 0,
      outcome: 'partial',
      entities: { vacancies: { waiting: 1 } },
    });
  });

  test('a company that comes back with another reference has its vacancies sent again under it', async () => {
    const world = await createWorld();
    await addCompanies(world, 2);
    await addVacancies(world, 2);
    await world.sql(`insert into vacancy (id, company_id, title) values ('other', 'c02', 'Other')`);
    await world.run();
    world.requests();

    const reference = '11111111-2222-4333-8444-555555555555';
    const employers: string[] = [];
    const answer = (data: object) => ({
      status: 200,
      body: {
        data: { id: reference, reference, created_at: '2026-01-31 08:00:00', ...data },
        meta: { version: 'v1' },
      },
    });
    world.intercept = ({ operation, body }) => {
      if (operation === 'putCompany') return answer({ name: 'moved' });
      employers.push((body as Vacancy).employer.id);
      return answer({ title: 'moved' });
    };
    await world.sql(`update company set about = 'edited' where id = 'c01'`);
    expect(await world.run()).toMatchObject({
      exitCode: 0,
      outcome: 'complete',
      entities: { companies: { sent: 1, accepted: 1 }, vacancies: { unchanged: 3, sent: 2, accepted: 2 } },
    });
    expect(employers).toEqual([reference, reference]);
    expect(await world.explain('companies', 'c01')).toMatchObject({ reference });
  });

  test('a vacancy that was gone while its company came back with another reference is sent again under it', async () => {
    const world = await createWorld();
    await addCompanies(world, 1);
    await addVacancies(world, 2);
    await world.run();
    await world.sql('create table backup as table vacancy');
    await world.sql(`delete from vacancy where id = 'v02'`);
    await world.run();

    const reference = '11111111-2222-4333-8444-555555555555';
    const employers: string[] = [];
    world.intercept = ({ operation, body }) => {
      if (operation !== 'putCompany') employers.push((body as Vacancy).employer.id);
      const data = {
        id: reference,
        reference,
        created_at: '2026-01-31 08:00:00',
        name: 'moved',
        title: 'moved',
      };
      return { status: 200, body: { data, meta: { version: 'v1' } } };
    };
    await world.sql(`update company set about = 'edited'`);
    await world.run();
    expect(employers).toEqual([reference]);
    await world.sql(`insert into vacancy select * from backup where id = 'v02'`);
    await world.run();
    expect(employers).toEqual([reference, reference]);
  });
});

describe('trainings', () => {
  async function trainingWorld(): Promise<World> {
    const world = await createWorld({ strict: false });
    delete world.blocks.companies;
    delete world.blocks.vacancies;
    world.blocks.institutions = TRAINING_BLOCKS.institutions();
    world.blocks.trainings = TRAINING_BLOCKS.trainings();
    await world.sql(`insert into institution values ('i1', 'LPK Satu')`);
    await world.sql(
      `insert into training values ('t1', 'i1', 'Barista', 20, true), ('t2', null, 'Las', 10, false)`,
    );
    return world;
  }

  test('a training is sent with its institution, one without a key without', async () => {
    const world = await trainingWorld();
    expect(await world.run()).toMatchObject({
      exitCode: 0,
      entities: { institutions: { accepted: 1 }, trainings: { new: 2, accepted: 2 } },
    });
    const [institution] = world.sandbox.records('training', 'institutions');
    const held = world.held('trainings');
    expect(held[await world.idOf('trainings', 't1')]).toMatchObject({
      title: 'Barista',
      address: null,
      institution: { id: institution?.reference, name: 'LPK Satu', email: null },
    });
    expect(held[await world.idOf('trainings', 't2')]).toEqual({ title: 'Las', address: null, quota: 10 });
    world.requests();
    await world.run();
    expect(world.requests()).toEqual([]);
  });

  test('extra fields reach the platform with the type of their column, and configuring one sends again', async () => {
    const world = await trainingWorld();
    await world.run();
    const trainings = world.blocks.trainings;
    if (!trainings) throw new Error('no trainings');
    trainings.sql = `select id as key, title, seats as places, certified as checked, jsonb '{"a":1}' as more,
    null::text as nothing from training`;
    trainings.extraFields = {
      'room.seats': 'places',
      verified: 'checked',
      meta: 'more',
      left_out: 'nothing',
    };
    expect(await world.run()).toMatchObject({
      exitCode: 0,
      entities: { trainings: { changed: 2, accepted: 2 } },
    });
    expect(world.held('trainings')[await world.idOf('trainings', 't1')]).toEqual({
      title: 'Barista',
      address: null,
      room: { seats: 20 },
      verified: true,
      meta: { a: 1 },
    });
  });

  test('a query without the column of an extra field fails its entity only, and names the column', async () => {
    const world = await trainingWorld();
    if (world.blocks.trainings) world.blocks.trainings.extraFields = { verified: 'checked' };
    const report = await world.run();
    expect(report).toMatchObject({ exitCode: 1, entities: { institutions: { accepted: 1 } } });
    expect(report.entities.trainings?.error?.message).toContain('the required column "checked" is missing');
  });
});
