import { expect, test } from 'vitest';
import { addCompanies, addVacancies, createWorld, unbalanced } from './world.js';

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

test('a vacancy that no sweep has seen yet is explained with what it will wait for', async () => {
  const world = await createWorld();
  await addVacancies(world, 1, 'nobody');
  expect(await world.explain('vacancies', 'v01')).toMatchObject({
    status: 'waiting',
    waitsFor: { entity: 'companies', key: 'nobody' },
    lastReply: null,
  });
  await expect(world.explain('vacancies', 'unknown')).rejects.toMatchObject({
    name: 'SyncError',
    code: 'usage',
  });
});
