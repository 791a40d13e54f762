import { expect, test } from 'vitest';
import { addCompanies, addVacancies, createWorld, unbalanced, type World } from './world.js';

interface Reply {
  readonly status: number;
  readonly body: string | object;
}

const PAGE = (status: number): Reply => ({
  status,
  body: '<html><head><title>Request rejected</title></head></html>',
});
const NOT_OURS: Reply = { status: 403, body: { message: 'vacancy belongs to another client' } };
const NO_ZONE: Reply = { status: 400, body: { message: 'timestamp must be in WIB' } };
const TOO_SHORT: Reply = {
  status: 422,
  body: { message: 'invalid', errors: { title: ['The title is too short.'] } },
};

/** One company and vacancies at a platform, with the guards as they are by default. */
async function vacancyWorld(vacancies: number, settled = true): Promise<World> {
  const world = await createWorld();
  Object.assign(world.settings.guards, { maxSameRefusals: 5, maxRejectedInARow: 100 });
  world.settings.retry.breakerAfter = 5;
  await addCompanies(world, 1);
  await addVacancies(world, vacancies);
  if (settled) await settle(world);
  return world;
}

async function settle(world: World): Promise<void> {
  expect(await world.run()).toMatchObject({ exitCode: 0 });
  world.requests();
}

const edit = (world: World, where = 'true') =>
  world.sql(`update vacancy set title = title || ' edited' where ${where}`);
const titleOf = (body: unknown) => (body as { title?: string } | undefined)?.title ?? '';
const everyPut = (reply: Reply) => (request: { readonly method: string }) =>
  request.method === 'PUT' ? reply : undefined;
/** Requests about controls, as the journal has them. */
const controls = (world: World) =>
  world.sql<{ key: string; outcome: string; reason: string }>(
    `select key, outcome, reason from placement_sync.delivery where reason like 'Control%' order by answered_at`,
  );

test.each([
  ['first, at once', PAGE(403), ['v01', 'v02', 'v03', 'v04', 'v05'], 4],
  ['in between, by the platform', NOT_OURS, ['v07', 'v21', 'v22', 'v40', 'v66'], 4],
])(
  'five texts that a firewall refuses are rejected, and all others arrive in the same run: %s',
  { timeout: 60_000 },
  async (_name, reply, refused, concurrency) => {
    const world = await vacancyWorld(75, false);
    world.settings.jobs.concurrency = concurrency;
    const bad = new Set(refused.map((key) => `Vacancy ${Number(key.slice(1))}`));
    world.intercept = ({ body }) => (bad.has(titleOf(body)) ? reply : undefined);
    const report = await world.run();
    expect(report).toMatchObject({
      exitCode: 3,
      entities: {
        companies: { accepted: 1 },
        vacancies: { sent: 75, accepted: 70, rejected: 5, pending: 0 },
      },
    });
    expect(unbalanced(report)).toEqual([]);
    // As many in a row as are many ask for a control.
    expect(world.requests().length, 'none is sent twice').toBeLessThanOrEqual(77);
    const explained = await world.explain('vacancies', refused[0] ?? '');
    expect(explained).toMatchObject({ status: 'rejected' });
    expect(explained.reason).toContain(
      reply === NOT_OURS ? 'belongs to another client' : 'look for code, SQL or paths in it',
    );
    // Edits of others arrive, also beside an edit of one of them.
    await edit(world, `id in ('v10', 'v30', '${refused[0] ?? ''}')`);
    bad.add(`Vacancy ${Number(refused[0]?.slice(1))} edited`);
    expect(await world.run()).toMatchObject({
      exitCode: 3,
      entities: { vacancies: { accepted: 2, rejected: 1 } },
    });
  },
);

test.each([
  ['a page', PAGE(404)],
  ['JSON without fields', NO_ZONE],
])(
  'a platform that refuses every Put rejects nobody, and the next run sends all: %s %j',
  { timeout: 60_000 },
  async (_name, reply) => {
    for (const count of [20, 1]) {
      const world = await vacancyWorld(30);
      await edit(world, `id <= 'v${String(count).padStart(2, '0')}'`);
      world.intercept = everyPut(reply);
      for (const [asked, most] of [
        ['first', 10],
        ['again', 2],
      ] as const) {
        const report = await world.run();
        expect(report, asked).toMatchObject({
          exitCode: 5,
          entities: { vacancies: { sent: 0, rejected: 0, deferred: 0, pending: count } },
        });
        expect(unbalanced(report)).toEqual([]);
        expect(world.requests().length, asked).toBeLessThanOrEqual(most);
      }
      expect((await world.status()).entities.vacancies).toMatchObject({ rejected: 0, synced: 30 - count });
      const made = await controls(world);
      expect(made).toHaveLength(2);
      for (const { outcome, reason } of made) {
        expect(outcome).toBe('handed-back');
        expect(reason).toMatch(/^Control: sent again unchanged, to see whether others pass: /);
      }
      expect(new Set(made.map(({ key }) => key)).size, 'another one each time').toBe(2);
      world.intercept = null;
      expect(await world.run()).toMatchObject({
        exitCode: 0,
        entities: { vacancies: { sent: count, accepted: count } },
      });
    }
  },
);

test('one record that is really refused is rejected, because a control passes', async () => {
  const world = await vacancyWorld(3);
  await edit(world, `id = 'v02'`);
  world.intercept = ({ body }) => (titleOf(body).endsWith('edited') ? TOO_SHORT : undefined);
  const report = await world.run();
  expect(report).toMatchObject({
    exitCode: 3,
    entities: { vacancies: { sent: 1, accepted: 0, rejected: 1, pending: 0 } },
  });
  expect(unbalanced(report)).toEqual([]);
  expect(world.requests()).toHaveLength(2);
  expect(await controls(world)).toMatchObject([{ outcome: 'accepted' }]);
  expect((await world.status()).entities.vacancies).toMatchObject({ synced: 2, rejected: 1 });
  const hours = await world.state.pushHours.recent(2);
  expect(hours.hours.find(({ entity }) => entity === 'vacancies')).toMatchObject({
    ...{ sent: 4, accepted: 3, rejected: 1 },
  });
});

test('where every record of an entity was refused, what was accepted of one of them is the control', async () => {
  const world = await vacancyWorld(1);
  await edit(world);
  world.intercept = ({ body }) => (titleOf(body).endsWith('edited') ? PAGE(403) : undefined);
  const report = await world.run();
  expect(report).toMatchObject({
    exitCode: 3,
    entities: { vacancies: { sent: 1, rejected: 1, pending: 0 } },
  });
  expect(unbalanced(report)).toEqual([]);
  const id = await world.idOf('vacancies', 'v01');
  expect(world.held<{ title: string }>('vacancies')[id]?.title).toBe('Vacancy 1');
  world.intercept = null;
  await edit(world);
  expect(await world.run()).toMatchObject({ exitCode: 0, entities: { vacancies: { accepted: 1 } } });
  expect(world.held<{ title: string }>('vacancies')[id]?.title).toBe('Vacancy 1 edited edited');
});

test('the try after a stop begins with another record, so that bad ones at the beginning never block an area for ever', async () => {
  const world = await vacancyWorld(40, false);
  world.settings.jobs.concurrency = 1;
  world.intercept = ({ body }) => (/^Vacancy (\d|1[01])$/.test(titleOf(body)) ? PAGE(403) : undefined);
  const first = await world.run();
  expect(first).toMatchObject({
    exitCode: 5,
    entities: { companies: { accepted: 1 }, vacancies: { sent: 0, rejected: 0, pending: 40 } },
  });
  const asked = new Set(world.sentIds());
  // Each try asks with two that were not asked with yet.
  let report = await world.run();
  for (let runs = 2; report.exitCode === 5; runs += 1) {
    expect(runs).toBeLessThan(4);
    const sent = world.sentIds();
    for (const id of sent) expect(asked.has(id)).toBe(false);
    sent.forEach((id) => asked.add(id));
    report = await world.run();
  }
  expect(report).toMatchObject({
    exitCode: 3,
    entities: { vacancies: { accepted: 29, rejected: 11, pending: 0 } },
  });
});

test('what is asked of a record while its control is under way is not lost', async () => {
  const world = await vacancyWorld(2);
  await edit(world, `id = 'v01'`);
  let asked = false;
  world.intercept = async ({ body }) => {
    if (titleOf(body) === 'Vacancy 1 edited') return PAGE(403);
    if (asked) return undefined;
    asked = true;
    // The control is under way: a person asks for its record, which also is edited.
    await world.state.resendRequests.resync('vacancies', ['v02'], 1_000);
    await edit(world, `id = 'v02'`);
    return undefined;
  };
  expect(unbalanced(await world.run())).toEqual([]);
  const open = `select key from placement_sync.sync_state where key = 'v02' and confirm_at is not null`;
  expect(await world.sql(open), 'its claim was ended, so it is confirmed').toHaveLength(1);
  world.intercept = null;
  await world.run();
  const id = await world.idOf('vacancies', 'v02');
  expect(world.held<{ title: string }>('vacancies')[id]?.title).toBe('Vacancy 2 edited');
});

test('a control whose reply is lost leaves its record to be confirmed', async () => {
  const world = await vacancyWorld(2);
  await edit(world, `id = 'v01'`);
  world.settings.jobs.timeoutMs = 300;
  world.intercept = ({ body }) => (titleOf(body) === 'Vacancy 1 edited' ? PAGE(403) : { drop: 'after' });
  expect(await world.run()).toMatchObject({
    exitCode: 5,
    entities: { vacancies: { sent: 0, rejected: 0, pending: 2 } },
  });
  expect(
    await world.sql(
      `select key from placement_sync.sync_state where confirm_at is not null and acknowledged_hash is null`,
    ),
  ).toEqual([{ key: 'v02' }]);
});
