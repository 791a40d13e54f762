import { expect, test } from 'vitest';
import { addCompanies, addVacancies, createWorld, TRAINING_BLOCKS, type World } from '../../core/world.js';

const DAMAGED = {
  address: 'Jl. Lain 9',
  name: 'PT Lain',
  region: { type: 'city', id: '73c670c2-3f0a-4f4e-9f0a-5b8d6a1c2e30' },
};

/** Somebody else changes what the platform answers for this record: fields of its `employer` record. */
function heldOtherwise(world: World, id: string, employer: object): void {
  world.intercept = ({ method, id: asked, path }) => {
    if (method !== 'GET' || asked !== id) return undefined;
    const real = world.sandbox.records('jobs', 'companies').find((record) => record.id === id);
    if (!real) throw new Error(`${path} is not there`);
    return {
      status: 200,
      body: {
        data: {
          id,
          employer: {
            id: real.remoteId,
            reference: real.reference,
            ...real.body,
            region: null,
            ...employer,
          },
        },
        meta: {},
      },
    };
  };
}

async function syncedWorld(): Promise<World> {
  const world = await createWorld();
  await addCompanies(world, 4);
  await addVacancies(world, 3);
  await world.run();
  world.requests();
  return world;
}

test('what the platform holds as it was sent is the same, in all four entities', async () => {
  const world = await createWorld();
  Object.assign(world.blocks, {
    institutions: TRAINING_BLOCKS.institutions(),
    trainings: TRAINING_BLOCKS.trainings(),
  });
  await addCompanies(world, 4);
  await addVacancies(world, 3);
  await world.sql(`insert into institution values ('i1', 'LPK Satu')`);
  await world.sql(
    `insert into training values ('t1', 'i1', 'Barista', 20, true), ('t2', null, 'Las', 10, false)`,
  );
  await world.run();
  world.requests();
  const { report, exitCode } = await world.verify();
  expect(report).toEqual({
    entities: {
      companies: { checked: 4, same: 4, drifted: 0, missing: 0 },
      vacancies: { checked: 3, same: 3, drifted: 0, missing: 0 },
      institutions: { checked: 1, same: 1, drifted: 0, missing: 0 },
      trainings: { checked: 2, same: 2, drifted: 0, missing: 0 },
    },
    drift: [],
  });
  expect(exitCode).toBe(0);
  const requests = world.requests();
  expect(requests).toHaveLength(10);
  expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
});

test('a field that differs at the platform is reported by its path in the body, with both values', async () => {
  const world = await syncedWorld();
  heldOtherwise(world, await world.idOf('companies', 'c02'), { name: 'PT Lain' });
  const { report, exitCode } = await world.verify();
  expect(exitCode).toBe(3);
  expect(report.entities.companies).toEqual({ checked: 4, same: 3, drifted: 1, missing: 0 });
  expect(report.drift).toEqual([
    { entity: 'companies', key: 'c02', field: 'name', sent: 'Company 2', held: 'PT Lain' },
    { entity: 'companies', key: 'c02', field: 'region.type', sent: 'city', held: null },
    { entity: 'companies', key: 'c02', field: 'region.id', sent: expect.any(String) as string, held: null },
  ]);
});

test('--repair sends what drifted or is missing again under the same links, and then all is the same', async () => {
  const world = await syncedWorld();
  const [id2, id3] = [await world.idOf('companies', 'c02'), await world.idOf('companies', 'c03')];
  world.sandbox.forget('companies', id3);
  heldOtherwise(world, id2, DAMAGED);
  let puts = 0;
  const lie = world.intercept;
  world.intercept = (request) => {
    if (request.method === 'PUT') puts += 1;
    return puts > 0 ? undefined : lie?.(request);
  };
  const repaired = await world.verify({ repair: true });
  expect(repaired).toMatchObject({
    exitCode: 0,
    report: { entities: { companies: { checked: 4, same: 2, drifted: 1, missing: 1 } } },
  });
  expect(puts).toBe(2);
  expect(await world.verify()).toMatchObject({
    exitCode: 0,
    report: { entities: { companies: { same: 4 }, vacancies: { same: 3 } }, drift: [] },
  });
});

test('a repair that the platform refuses leaves exit code 3', async () => {
  const world = await syncedWorld();
  world.sandbox.forget('companies', await world.idOf('companies', 'c02'));
  const id = await world.idOf('companies', 'c02');
  world.intercept = (request) =>
    request.method === 'PUT' && request.id === id ? { status: 422, body: { message: 'no' } } : undefined;
  expect(await world.verify({ repair: true })).toMatchObject({ exitCode: 3 });
});

test('while another process holds the leases, a repair only requests the resend, and that process sends', async () => {
  const world = await syncedWorld();
  world.sandbox.forget('companies', await world.idOf('companies', 'c02'));
  const acquired = await world.state.leases.acquire('push', 'the worker', 60_000);
  expect(await world.verify({ repair: true })).toMatchObject({ exitCode: 0 });
  expect(world.events).toContainEqual(
    expect.objectContaining({
      type: 'warning',
      message: expect.stringMatching(/holds the leases/) as string,
    }),
  );
  expect(world.requests().filter((request) => request.startsWith('PUT'))).toEqual([]);
  if ('lease' in acquired) await world.state.leases.release(acquired.lease);
  expect(await world.run()).toMatchObject({ entities: { companies: { sent: 1, accepted: 1 } } });
});

test('a 404 that is a web page says nothing about the record', async () => {
  const world = await syncedWorld();
  const id = await world.idOf('companies', 'c02');
  world.intercept = (request) =>
    request.method === 'GET' && request.id === id
      ? { status: 404, body: '<html>not here</html>' }
      : undefined;
  expect(await world.verify()).toMatchObject({
    exitCode: 0,
    report: { entities: { companies: { checked: 3, same: 3, missing: 0 } } },
  });
});

test('pending, refused and vanished records are not read back', async () => {
  const world = await syncedWorld();
  world.settings.guards.maxVanishedPercent = 100;
  await world.sql(`delete from company where id = 'c04'`);
  await world.sql(`update company set name = 'Refused' where id = 'c03'`);
  world.intercept = ({ method }) => (method === 'PUT' ? { status: 422, body: { message: 'no' } } : undefined);
  await world.run();
  expect((await world.verify()).report.entities.companies).toMatchObject({ checked: 2, same: 2 });
});

test('a sample reads only so many', async () => {
  const world = await syncedWorld();
  const { report } = await world.verify({ sample: 2 });
  expect(report.entities).toMatchObject({ companies: { checked: 2 }, vacancies: { checked: 2 } });
  expect(world.requests()).toHaveLength(4);
});

test('a record that is sent while it is read back is not judged by what it was before', async () => {
  const world = await syncedWorld();
  world.settings.jobs.timeoutMs = 10_000;
  const id = await world.idOf('companies', 'c02');
  let done = false;
  world.intercept = async (request) => {
    if (request.method !== 'GET' || request.id !== id || done) return undefined;
    done = true;
    await world.sql(`update company set name = 'Renamed' where id = 'c02'`);
    await world.run({ only: ['companies'], holder: 'another process' });
    return undefined;
  };
  expect(await world.verify()).toMatchObject({
    exitCode: 0,
    report: { entities: { companies: { checked: 3, same: 3, drifted: 0 } } },
  });
});

test('a pause that the platform asks for is kept, and the record is read after it', async () => {
  const world = await syncedWorld();
  let answered = false;
  world.intercept = ({ method }) => {
    if (method !== 'GET' || answered) return undefined;
    answered = true;
    return { status: 429, headers: { 'retry-after': '1' } };
  };
  const began = performance.now();
  expect(await world.verify()).toMatchObject({
    exitCode: 0,
    report: { entities: { companies: { same: 4 } } },
  });
  expect(performance.now() - began).toBeGreaterThan(950);
});

test('replies that are not understood stop the area instead of being compared', async () => {
  const world = await syncedWorld();
  world.intercept = ({ method }) =>
    method === 'GET' ? { status: 200, body: { result: { id: 4 } } } : undefined;
  expect(await world.verify()).toMatchObject({
    exitCode: 5,
    stops: [{ code: 'reply-not-understood', message: expect.stringContaining('data is missing') as string }],
    report: { entities: { companies: { checked: 0 }, vacancies: { checked: 0 } }, drift: [] },
  });
});

test('an entity whose Find is disabled is left out', async () => {
  const world = await syncedWorld();
  const { report } = await world.verify({ isReadable: (name) => name !== 'companies' });
  expect(report.entities).toEqual({ vacancies: { checked: 3, same: 3, drifted: 0, missing: 0 } });
});

test.each([
  ['a number that is none', '1e400'],
  ['lists within lists without end', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
])('a Find that shows %s is named, and the others are compared all the same', async (_, value) => {
  const world = await syncedWorld();
  const odd = await world.idOf('companies', 'c02');
  world.intercept = ({ method, id }) =>
    method === 'GET' && id === odd
      ? { status: 200, body: `{"data":{"id":"${id}","reference":"r","name":${value},"skills":${value}}}` }
      : undefined;
  const { report, exitCode } = await world.verify();
  expect(report.entities.companies).toMatchObject({ checked: 3, same: 3 });
  expect(report.entities.vacancies).toMatchObject({ checked: 3, same: 3 });
  expect(exitCode).not.toBe(1);
  const named = world.events.filter((event) => event.type === 'record-read-back' && event.outcome !== 'same');
  expect(named).toMatchObject([
    { key: 'c02', outcome: 'unanswered', message: expect.stringContaining('nested too deep') as string },
  ]);
  await world.sql('truncate placement_sync.sync_state, placement_sync.entity_state');
  const adopted = await world.adoptRecords();
  expect(adopted.report.entities.companies).toMatchObject({ adopted: 3 });
});

test('a field that the platform cuts off in most records is doubted, still counts, and keeps exit code 3', async () => {
  const world = await syncedWorld();
  await world.sql(`update company set name = name || ' Sejahtera Abadi Makmur'`);
  expect(await world.run()).toMatchObject({ exitCode: 0 });
  world.intercept = ({ method, id }) => {
    if (method !== 'GET') return undefined;
    const real = world.sandbox.records('jobs', 'companies').find((record) => record.id === id);
    if (!real) return undefined;
    const body = real.body as { name: string };
    const employer = { id: real.remoteId, reference: real.reference, ...body, region: null };
    return {
      status: 200,
      body: { data: { id, employer: { ...employer, name: `${body.name.slice(0, 12)}…` } }, meta: {} },
    };
  };
  for (const repair of [false, true])
    expect(await world.verify({ repair, only: ['companies'] })).toMatchObject({
      exitCode: 3,
      report: {
        entities: { companies: { checked: 4, same: 0, drifted: 4 } },
        doubted: expect.arrayContaining([
          { entity: 'companies', field: 'name', compared: 4, drifted: 4 },
        ]) as unknown[],
      },
    });
  expect(world.requests().filter((request) => request.startsWith('PUT')).length).toBe(4);
});

test('country and reference of a record at the platform are compared', async () => {
  const world = await syncedWorld();
  const [first] = world.sandbox.records('jobs', 'vacancies');
  const other = '11111111-2222-4333-8444-555555555555';
  const shown = (change: object) => {
    world.intercept = ({ method, id, path }) => {
      if (method !== 'GET' || !path.includes('/jobs/')) return undefined;
      const held = world.sandbox.records('jobs', 'vacancies').find((record) => record.id === id);
      const job = { id, reference: held?.reference, title: held?.body.title };
      const changed = id === first?.id ? { ...job, ...change } : job;
      return { status: 200, body: { data: { id, vacancy: { id, job: changed } }, meta: {} } };
    };
  };
  const country = (code: string) => ({ region: { regionable: { province: { country: { code } } } } });
  const differing = async (change: object) => {
    shown(change);
    const { report } = await world.verify();
    expect(report.entities.vacancies?.checked).toBe(3);
    return report.drift
      .filter(({ entity }) => entity === 'vacancies')
      .map(({ field, held }) => [field, held]);
  };
  expect(await differing({ ...country('ID') })).toEqual([]);
  expect(await differing({ ...country('MY') })).toEqual([['region.country_code', 'MY']]);
  expect(await differing({ reference: other })).toEqual([['reference', other]]);
});
