import { expect, test } from 'vitest';
import { addCompanies, addVacancies, createWorld, unbalanced } from './world.js';

interface Vacancy {
  readonly title: string;
  readonly employer: { readonly id: string; readonly name: string };
}

test('sends every record once, and the second run makes no request at all', async () => {
  const world = await createWorld();
  await addCompanies(world, 3);
  await addVacancies(world, 4);

  const first = await world.run();
  expect(first).toMatchObject({ outcome: 'complete', exitCode: 0 });
  expect(first.entities).toMatchObject({
    companies: { read: 3, new: 3, sent: 3, accepted: 3, pending: 0 },
    vacancies: { read: 4, new: 4, sent: 4, accepted: 4, pending: 0, waiting: 0 },
  });
  expect(unbalanced(first)).toEqual([]);
  expect(world.requests()).toHaveLength(7);

  const second = await world.run();
  expect(second).toMatchObject({ outcome: 'complete', exitCode: 0 });
  expect(second.entities).toMatchObject({
    companies: { read: 3, unchanged: 3, changed: 0, sent: 0 },
    vacancies: { read: 4, unchanged: 4, changed: 0, sent: 0 },
  });
  expect(world.requests()).toEqual([]);
});

test('after k edits sends exactly those k records', async () => {
  const world = await createWorld();
  await addCompanies(world, 9);
  await world.run();
  world.requests();

  await world.sql(`update company set about = 'edited' where id in ('c02', 'c07')`);
  await world.sql(`insert into company (id, name) values ('c99', 'New')`);
  const report = await world.run();

  expect(report.entities.companies).toMatchObject({
    read: 10,
    unchanged: 7,
    changed: 2,
    new: 1,
    sent: 3,
    accepted: 3,
  });
  const ids = await Promise.all(['c02', 'c07', 'c99'].map((key) => world.idOf('companies', key)));
  expect(world.sentIds().sort()).toEqual(ids.sort());
});

test('an edited company is one request, and its vacancies are not sent again', async () => {
  const world = await createWorld();
  await addCompanies(world, 1);
  await addVacancies(world, 5);
  await world.run();
  world.requests();

  await world.sql(`update company set name = 'Renamed'`);
  const report = await world.run();

  expect(report.entities).toMatchObject({
    companies: { changed: 1, sent: 1 },
    vacancies: { unchanged: 5, sent: 0 },
  });
  expect(world.requests()).toHaveLength(1);
});

test('a vacancy carries what the platform last accepted of its company, and the reference as its id', async () => {
  const world = await createWorld();
  await addCompanies(world, 1);
  await addVacancies(world, 1);
  await world.run();
  // The company's edit is refused, so its former payload stays the acknowledged one.
  await world.sql(`update company set name = 'Refused'`);
  await world.sql(`update vacancy set title = 'Edited'`);
  world.intercept = ({ body }) =>
    (body as { name?: string }).name === 'Refused' ? { status: 422, body: { message: 'no' } } : undefined;
  const report = await world.run();

  expect(report.entities).toMatchObject({ companies: { rejected: 1 }, vacancies: { accepted: 1 } });
  const [company] = world.sandbox.records('jobs', 'companies');
  const [vacancy] = Object.values(world.held<Vacancy>('vacancies'));
  expect(vacancy).toMatchObject({
    title: 'Edited',
    employer: { id: company?.reference, name: 'Company 1', region: { type: 'city' } },
  });
});

test('a vacancy that moves to another company is sent again with that employer', async () => {
  const world = await createWorld();
  await addCompanies(world, 2);
  await addVacancies(world, 3);
  await world.run();
  world.requests();

  await world.sql(`update vacancy set company_id = 'c02' where id = 'v02'`);
  const report = await world.run();

  expect(report.entities.vacancies).toMatchObject({ changed: 1, sent: 1, accepted: 1 });
  const moved = world.held<Vacancy>('vacancies')[await world.idOf('vacancies', 'v02')];
  const employer = world.sandbox
    .records('jobs', 'companies')
    .find(({ body }) => (body as { name: string }).name === 'Company 2');
  expect(moved?.employer).toMatchObject({ id: employer?.reference, name: 'Company 2' });
  expect(world.requests()).toHaveLength(1);
});

test('a record edited and edited back before it was sent is not sent', async () => {
  const world = await createWorld();
  await addCompanies(world, 1);
  await world.run();
  await world.sql(`update company set name = 'B'`);
  world.intercept = () => ({ status: 401, body: { message: 'no' } });
  await world.run();
  world.intercept = null;
  await world.sql(`update company set name = 'Company 1'`);
  world.requests();

  const report = await world.run();

  expect(report).toMatchObject({ outcome: 'complete', exitCode: 0 });
  expect(report.entities.companies).toMatchObject({ changed: 1, sent: 0, pending: 0 });
  expect(world.requests()).toEqual([]);
});

test('changes go out before new records', async () => {
  const world = await createWorld();
  await addCompanies(world, 2);
  await world.run();
  world.requests();
  await world.sql(`insert into company (id, name) values ('a', 'New')`);
  await world.sql(`update company set about = 'edited'`);
  world.settings.jobs.concurrency = 1;
  await world.run();

  const last = world.sentIds().at(-1);
  expect(last).toBe(await world.idOf('companies', 'a'));
});

test('vacancies wait for their company’s own request and carry what it brought, in the same run', async () => {
  const world = await createWorld();
  await addCompanies(world, 3);
  await addVacancies(world, 3);
  await world.run();
  await world.sql(`update company set name = 'Renamed' where id = 'c01'`);
  await world.sql(`update vacancy set title = 'Edited'`);
  world.intercept = ({ operation }) => (operation === 'putCompany' ? { delayMs: 300 } : undefined);
  expect(await world.run()).toMatchObject({
    exitCode: 0,
    entities: { companies: { sent: 1 }, vacancies: { sent: 3 } },
  });
  const names = Object.values(world.held<Vacancy>('vacancies')).map(({ employer }) => employer.name);
  expect(names).toEqual(['Renamed', 'Renamed', 'Renamed']);
});
