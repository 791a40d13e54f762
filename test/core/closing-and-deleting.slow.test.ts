import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Intercept } from '../../src/features/sandbox/sandbox-options.js';
import { addCompanies, addVacancies, createWorld, unbalanced, type World } from './world.js';

interface Vacancy {
  readonly title: string;
  readonly status: string;
}

async function synced(companies: number, vacancies: number): Promise<World> {
  const world = await createWorld();
  world.settings.guards.maxVanishedPercent = 100;
  await addCompanies(world, companies);
  await addVacancies(world, vacancies);
  await world.run();
  world.requests();
  return world;
}

const statuses = (world: World) =>
  Object.values(world.held<Vacancy>('vacancies')).map(({ status }) => status);
const methods = (world: World) => world.requests().map((request) => request.split(' ')[0]);

test('close sends the last accepted payload once more with the closed status, and nothing afterwards', async () => {
  const world = await synced(1, 3);
  world.blocks.vacancies!.onVanished = 'close';
  await world.run();
  expect(world.requests()).toEqual([]);

  // An edit that was never accepted is not part of the closing.
  await world.sql(`update vacancy set title = 'Refused' where id = 'v02'`);
  world.intercept = ({ body }) => ((body as Vacancy).title === 'Refused' ? { status: 422 } : undefined);
  await world.run();
  world.intercept = null;
  world.requests();

  await world.sql(`delete from vacancy where id = 'v02'`);
  const report = await world.run();
  expect(report).toMatchObject({
    exitCode: 0,
    outcome: 'complete',
    entities: { vacancies: { vanished: 1, sent: 1, accepted: 1, pending: 0 } },
  });
  expect(unbalanced(report)).toEqual([]);
  expect(world.held<Vacancy>('vacancies')[await world.idOf('vacancies', 'v02')]).toMatchObject({
    title: 'Vacancy 2',
    status: 'closed',
  });
  expect(await world.explain('vacancies', 'v02')).toMatchObject({
    status: 'vanished',
    reason: expect.stringMatching(/closed/) as string,
  });
  world.requests();
  expect(await world.run()).toMatchObject({ exitCode: 0, entities: { vacancies: { vanished: 0, sent: 0 } } });
  expect(await world.resync(null)).toMatchObject({ entities: { vacancies: { sent: 2 } } });
});

test('a vacancy that moved to a company which is not accepted, and then vanishes, is closed under its former one', async () => {
  const world = await synced(1, 2);
  world.blocks.vacancies!.onVanished = 'close';
  await world.run();
  const before = world.held<{ employer: { id: string } }>('vacancies')[await world.idOf('vacancies', 'v01')];
  await world.sql(`update vacancy set company_id = 'nowhere', title = 'Moved' where id = 'v01'`);
  expect(await world.run()).toMatchObject({ exitCode: 3, entities: { vacancies: { waiting: 1 } } });
  world.requests();

  await world.sql(`delete from vacancy where id = 'v01'`);
  expect(await world.run()).toMatchObject({
    exitCode: 0,
    outcome: 'complete',
    entities: { vacancies: { vanished: 1, waiting: 0, sent: 1, accepted: 1 } },
  });
  expect(world.held('vacancies')[await world.idOf('vacancies', 'v01')]).toMatchObject({
    title: 'Vacancy 1',
    status: 'closed',
    employer: { id: before?.employer.id },
  });
  // It returns where it was, and goes on from there.
  await world.sql(`insert into vacancy (id, company_id, title) values ('v01', 'c01', 'Vacancy 1')`);
  expect(await world.run()).toMatchObject({
    exitCode: 0,
    entities: { vacancies: { changed: 1, accepted: 1 } },
  });
  expect(statuses(world)).toEqual(['open', 'open']);
});

test('a closing whose reply is lost is repeated and confirmed', async () => {
  const world = await synced(1, 2);
  world.blocks.vacancies!.onVanished = 'close';
  world.settings.retry.baseDelayMs = 60_000;
  world.settings.retry.maxDelayMs = 60_000;
  world.intercept = () => ({ drop: 'before' });
  await world.sql(`delete from vacancy where id = 'v01'`);
  expect(await world.run()).toMatchObject({
    entities: { vacancies: { vanished: 1, sent: 1, deferred: 1 } },
  });
  expect(await world.explain('vacancies', 'v01')).toMatchObject({ status: 'deferred' });
  world.intercept = null;
  await world.sql(
    'update placement_sync.sync_state set next_attempt_at = now(), confirm_at = now() where next_attempt_at is not null',
  );
  expect(await world.run()).toMatchObject({ entities: { vacancies: { accepted: 1 } } });
  expect(statuses(world).sort()).toEqual(['closed', 'open']);
});

test('a vacancy past its last day is left to expire, and so is one that was never sent', async () => {
  const world = await synced(1, 2);
  world.blocks.vacancies!.onVanished = 'close';
  world.blocks.vacancies!.sql = `select id as key, company_id as company_key, title,
    case id when 'v01' then '2020-01-31' end as expire_at from vacancy`;
  await world.run();
  await world.sql(`insert into company (id, name) values ('c99', '')`);
  await world.sql(`insert into vacancy (id, company_id, title) values ('v99', 'c99', 'Never sent')`);
  await world.run();
  world.requests();
  await world.sql(`delete from vacancy where id in ('v01', 'v99')`);
  expect(await world.run()).toMatchObject({ entities: { vacancies: { vanished: 2, sent: 0 } } });
  expect(world.requests()).toEqual([]);
  expect(await world.explain('vacancies', 'v01')).toMatchObject({ status: 'vanished' });
});

test('records that vanished under report are closed when the policy becomes close, guarded and counted once', async () => {
  const world = await synced(1, 20);
  world.settings.guards.maxVanishedPercent = 10;
  world.blocks.vacancies!.onVanished = 'report';
  for (const [from, to] of [
    ['v01', 'v02'],
    ['v03', 'v03'],
  ]) {
    await world.sql('delete from vacancy where id between $1 and $2', [from, to]);
    expect(await world.run()).toMatchObject({ exitCode: 0, entities: { vacancies: { sent: 0 } } });
  }
  world.blocks.vacancies!.onVanished = 'close';
  expect(await world.run()).toMatchObject({
    exitCode: 4,
    entities: { vacancies: { vanished: 0, held: true } },
  });
  await world.state.approve('vacancies');
  expect(await world.run()).toMatchObject({
    exitCode: 0,
    entities: { vacancies: { vanished: 0, sent: 3, accepted: 3, held: false } },
  });
  // And back: what is closed stays closed.
  world.blocks.vacancies!.onVanished = 'report';
  expect(await world.run()).toMatchObject({ exitCode: 0, entities: { vacancies: { sent: 0, held: false } } });
});

test('delete removes children before their parents, once each', async () => {
  const world = await synced(2, 3);
  world.blocks.vacancies!.onVanished = 'delete';
  world.blocks.companies!.onVanished = 'delete';
  await world.sql('delete from vacancy');
  await world.sql(`delete from company where id = 'c01'`);
  world.settings.guards.maxVanishedCount = 10;
  await world.state.approve('vacancies');
  const first = await world.run();
  // An empty source is never applied without a word.
  expect(first).toMatchObject({ exitCode: 4, entities: { vacancies: { held: true } } });
  expect(world.requests()).toEqual([]);
  await world.state.approve('vacancies');
  const report = await world.run();
  expect(report).toMatchObject({
    exitCode: 0,
    outcome: 'complete',
    entities: { companies: { sent: 1, accepted: 1 }, vacancies: { vanished: 3, sent: 3, accepted: 3 } },
  });
  expect(unbalanced(report)).toEqual([]);
  expect(methods(world)).toEqual(['DELETE', 'DELETE', 'DELETE', 'DELETE']);
  expect(world.held('vacancies')).toEqual({});
  expect(Object.keys(world.held('companies'))).toHaveLength(1);
  expect(await world.explain('companies', 'c01')).toMatchObject({
    status: 'vanished',
    reference: null,
    reason: expect.stringMatching(/deleted/) as string,
  });
  expect(await world.run()).toMatchObject({ entities: { companies: { sent: 0 }, vacancies: { sent: 0 } } });
});

test('a delete that is still pending when the policy changes is not sent, and the next sweep drops it', async () => {
  const world = await synced(1, 20);
  world.blocks.vacancies!.onVanished = 'delete';
  await world.sql(`delete from vacancy where id = 'v01'`);
  world.intercept = () => ({ status: 503 });
  await world.run();
  world.intercept = null;
  await world.sql('update placement_sync.sync_state set next_attempt_at = null');
  world.requests();
  // Only now may the operation be disabled: without a policy that needs it the configuration allows that.
  world.blocks.vacancies!.onVanished = 'report';
  await world.run({ pushOnly: true });
  expect(methods(world)).toEqual([]);
  expect(await world.run()).toMatchObject({ exitCode: 0, entities: { vacancies: { sent: 0, pending: 0 } } });
  expect(methods(world)).toEqual([]);
  expect(await world.explain('vacancies', 'v01')).toMatchObject({ status: 'vanished' });
});

test('a company is not deleted while its vacancies are in the source', async () => {
  const world = await synced(6, 2);
  world.blocks.vacancies!.onVanished = 'delete';
  world.blocks.companies!.onVanished = 'delete';
  await world.sql(`delete from company where id = 'c01'`);
  expect(await world.run()).toMatchObject({
    outcome: 'partial',
    entities: { companies: { vanished: 1, sent: 0, pending: 1 }, vacancies: { sent: 0 } },
  });
  expect(world.requests()).toEqual([]);
  expect(await world.explain('companies', 'c01')).toMatchObject({
    status: 'pending',
    reason: expect.stringMatching(/deleted at the platform, after its children/) as string,
  });
});

test('a company is not deleted while an attempt without reply may have put a vacancy under it that has moved on', async () => {
  const world = await synced(6, 2);
  // No confirmation is due before it is asked for here, however slow the machine.
  world.settings.jobs.timeoutMs = 30_000;
  world.blocks.vacancies!.onVanished = 'delete';
  world.blocks.companies!.onVanished = 'delete';
  const confirm = () =>
    world.sql(
      'update placement_sync.sync_state set confirm_at = now(), next_attempt_at = null where confirm_at is not null',
    );
  // One was never accepted; the other moves away from where it was accepted, and back again.
  await world.sql(`insert into vacancy (id, company_id, title) values ('v90', 'c03', 'Unsure')`);
  await world.sql(`update vacancy set company_id = 'c03' where id = 'v01'`);
  world.intercept = () => ({ drop: 'after' });
  expect(await world.run()).toMatchObject({ entities: { vacancies: { sent: 2, deferred: 2 } } });
  world.intercept = null;
  await world.sql(
    `update vacancy set company_id = case id when 'v90' then 'c02' else 'c01' end where id in ('v90', 'v01')`,
  );
  await world.sql(`delete from company where id = 'c03'`);

  // A request that was cut off may still arrive, so the company waits until the vacancies are confirmed.
  expect(await world.run()).toMatchObject({
    entities: { companies: { sent: 0, pending: 1, rejected: 0 }, vacancies: { sent: 2, accepted: 2 } },
  });
  world.requests();
  await confirm();
  await world.run();
  expect(await world.run()).toMatchObject({ outcome: 'complete' });
  expect(methods(world)).toEqual(['PUT', 'PUT', 'DELETE']);
  expect(Object.keys(world.held('companies'))).not.toContain(await world.idOf('companies', 'c03'));
});

test('a deleted company that returns has another reference, and its vacancies are sent with it', async () => {
  const world = await synced(6, 2);
  world.blocks.vacancies!.onVanished = 'close';
  world.blocks.companies!.onVanished = 'delete';
  // The copy of the platform does not delete what vacancies name; one that does is played.
  world.intercept = ({ method }) => (method === 'DELETE' ? { status: 200, body: {} } : undefined);
  await world.sql(`insert into vacancy (id, company_id, title) values ('v90', 'c02', 'Stays')`);
  await world.run();
  const before = (await world.state.recordViews.find('companies', 'c01'))?.reference;
  await world.sql(`delete from vacancy where company_id = 'c01'`);
  await world.sql(`delete from company where id = 'c01'`);
  expect(await world.run()).toMatchObject({ outcome: 'complete', entities: { companies: { accepted: 1 } } });
  world.intercept = null;
  world.sandbox.forget('companies', await world.idOf('companies', 'c01'));
  world.requests();

  await world.sql(`insert into company (id, name) values ('c01', 'Company 1')`);
  await world.sql(`insert into vacancy (id, company_id, title) values ('v01', 'c01', 'Vacancy 1')`);
  expect(await world.run()).toMatchObject({
    entities: { companies: { sent: 1, accepted: 1 }, vacancies: { changed: 1, sent: 1, accepted: 1 } },
  });
  const after = (await world.state.recordViews.find('companies', 'c01'))?.reference;
  expect(after).not.toBe(before);
  expect(
    world.held<{ employer: { id: string } }>('vacancies')[await world.idOf('vacancies', 'v01')],
  ).toMatchObject({
    employer: { id: after },
  });
});

test('a record that was deleted stays deleted when the policy becomes close, also after a named resync', async () => {
  const world = await synced(1, 2);
  world.blocks.vacancies!.onVanished = 'delete';
  await world.sql(`delete from vacancy where id = 'v02'`);
  await world.run();
  expect(methods(world)).toEqual(['DELETE']);

  world.blocks.vacancies!.onVanished = 'close';
  await world.run();
  expect(methods(world)).toEqual([]);
  await world.resync(['v02'], ['vacancies']);
  expect(world.events).toContainEqual(
    expect.objectContaining({ type: 'warning', message: expect.stringContaining('0 of 1 keys') as string }),
  );
  await world.state.entityStates.requestFullSweep('vacancies');
  expect(await world.run()).toMatchObject({ outcome: 'complete', entities: { vacancies: { pending: 0 } } });
  expect(methods(world)).toEqual([]);
  expect(await world.explain('vacancies', 'v02')).toMatchObject({
    status: 'vanished',
    reason: expect.stringContaining('deleted') as string,
  });
});

test('a company is not deleted while the platform holds a vacancy under it that has moved in the source only', async () => {
  const world = await synced(2, 1);
  world.blocks.vacancies!.onVanished = 'delete';
  world.blocks.companies!.onVanished = 'delete';
  await world.sql(`update vacancy set company_id = 'c02'`);
  await world.sql(`delete from company where id = 'c01'`);
  world.intercept = ({ method, path }) =>
    method === 'PUT' && path.includes('vacanc') ? { status: 422 } : undefined;
  await world.run();
  expect(methods(world)).toEqual(['PUT']);
  expect(await world.explain('companies', 'c01')).toMatchObject({
    status: 'pending',
    reason: expect.stringMatching(/after its children/) as string,
  });

  // What the platform refused is corrected: it moves, and its former company can go.
  world.intercept = null;
  await world.sql(`update vacancy set title = 'Corrected'`);
  await world.run();
  await world.run();
  expect(methods(world)).toEqual(['PUT', 'DELETE']);
  expect(Object.keys(world.held('companies'))).toEqual([await world.idOf('companies', 'c02')]);
});

describe('what the platform took down, and then vanishes', () => {
  const titleOf = (body: unknown) => (body as Partial<Vacancy> | undefined)?.title;
  /** v01 was removed by the platform, and is closed by the source. */
  async function removedWorld(answer: Intercept | null): Promise<World> {
    const world = await synced(1, 2);
    world.blocks.vacancies!.onVanished = 'close';
    await world.run();
    world.intercept = ({ operation, id }) => {
      const title = titleOf(world.held('vacancies')[id]);
      if (operation !== 'findVacancy' || title !== 'Vacancy 1') return undefined;
      return { status: 200, body: { data: { moderation: 'TAKEN_DOWN', vacancy: { job: { title } } } } };
    };
    world.adapter = join(import.meta.dirname, '../../config/adapters/moderation.mjs');
    expect(await world.verify()).toMatchObject({ exitCode: 3 });
    expect(await world.run()).toMatchObject({ exitCode: 3, entities: { vacancies: { sent: 0 } } });
    world.intercept = answer;
    world.requests();
    await world.sql(`delete from vacancy where id = 'v01'`);
    return world;
  }

  test.each([
    ['404', { status: 404, body: { message: 'Not found' } }],
    ['410', { status: 410, body: { message: 'Gone' } }],
    ['200', null],
  ])('is closed there: %s is its end, and nothing more is sent', async (_name, answer) => {
    const world = await removedWorld(({ method }) => (method === 'PUT' && answer ? answer : undefined));
    const report = await world.run();
    expect(report).toMatchObject({
      exitCode: 0,
      entities: { vacancies: { vanished: 1, sent: 1, accepted: 1, rejected: 0 } },
    });
    expect(methods(world)).toEqual(['PUT']);
    expect(await world.explain('vacancies', 'v01')).toMatchObject({ status: 'vanished' });
    expect((await world.status()).entities.vacancies).toMatchObject({ vanished: 1, rejected: 0 });
    expect(await world.run()).toMatchObject({ exitCode: 0, entities: { vacancies: { sent: 0 } } });
    expect(methods(world)).toEqual([]);

    // When it returns, it is still what the platform took down.
    await addVacancies(world, 1);
    expect(await world.run()).toMatchObject({ exitCode: 3, entities: { vacancies: { sent: 0 } } });
    expect(await world.explain('vacancies', 'v01')).toMatchObject({
      status: 'rejected',
      atPlatform: { state: 'removed' },
    });
  });

  test.each([
    ['a web page', { status: 404, body: '<html><body>Not found</body></html>' }],
    ['another refusal', { status: 422, body: { message: 'No' } }],
  ])('is rejected by %s', async (_name, answer) => {
    // The control, another vacancy, passes.
    const world = await removedWorld(({ body }) => (titleOf(body) === 'Vacancy 1' ? answer : undefined));
    expect(await world.run()).toMatchObject({
      exitCode: 3,
      entities: { vacancies: { sent: 1, accepted: 0, rejected: 1 } },
    });
  });

  test('a close of what it did not take down is rejected by a 404', async () => {
    const world = await synced(1, 2);
    world.blocks.vacancies!.onVanished = 'close';
    await world.run();
    world.intercept = ({ body }) => (titleOf(body) === 'Vacancy 1' ? { status: 404, body: {} } : undefined);
    await world.sql(`delete from vacancy where id = 'v01'`);
    expect(await world.run()).toMatchObject({ exitCode: 3, entities: { vacancies: { rejected: 1 } } });
  });
});
