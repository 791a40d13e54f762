import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/domain/row.js';
import { startKeepingPlatform } from '../../core/other-worlds.js';
import { addCompanies, addVacancies, createWorld, type World } from '../../core/world.js';

describe('null objects', () => {
  /** Objects of the contract's Find whose values are all null, as services show what is absent. */
  const NULL_OBJECTS: JsonObject = {
    min_education: { id: null, name: null, level: null },
    industry: { id: null, name: null },
    job_type: { id: null },
    job_function: null,
    min_salary: { currency: null, amount: null },
    region: {
      id: null,
      regionable_type: null,
      regionable_id: null,
      regionable: { id: null, province: null },
    },
  };

  test('null objects of a Find are absent: verify and adopt find no difference and no outage', async () => {
    const world = await createWorld();
    const platform = await startKeepingPlatform({ merges: false });
    world.settings.jobs.baseUrl = platform.url;
    await addCompanies(world, 2);
    await addVacancies(world, 12);
    expect(await world.run()).toMatchObject({ exitCode: 0 });
    platform.show = ({ id, reference, body }) =>
      'title' in body ? { id, reference, ...NULL_OBJECTS, ...body } : { id, reference, ...body };
    const vacancies = { checked: 12, same: 12, drifted: 0, missing: 0 };
    expect(await world.verify()).toMatchObject({
      exitCode: 0,
      stops: [],
      report: { entities: { vacancies }, drift: [] },
    });
    // The contract's own shape, around the job.
    platform.show = ({ id, reference, body }) => {
      if (!('title' in body)) return { id, reference, ...body };
      const { employer, quota, ...job } = body;
      return {
        id,
        ...NULL_OBJECTS,
        vacancy: {
          id,
          quota: quota ?? null,
          min_education: { id: null },
          job: { id, reference, employer: employer ?? null, region: { regionable_id: null }, ...job },
        },
      };
    };
    const found = await world.verify();
    expect(found).toMatchObject({ exitCode: 0, stops: [], report: { drift: [] } });
    await world.sql('truncate placement_sync.sync_state, placement_sync.entity_state');
    expect(await world.adoptRecords()).toMatchObject({
      exitCode: 0,
      report: { entities: { vacancies: { checked: 12, adopted: 12, different: 0 } } },
    });
  });
});

describe('drift', () => {
  /** Four companies, one of which the platform has lost. */
  async function lostOne(): Promise<World> {
    const world = await createWorld();
    await addCompanies(world, 4);
    await world.run();
    world.sandbox.forget('companies', await world.idOf('companies', 'c02'));
    return world;
  }

  const drift = async ({ state }: World) => (await state.entityStates.read('companies')).drift;

  test('a record that is missing is known from then on, until a read-back finds it equal', async () => {
    const world = await lostOne();
    expect(await drift(world)).toBeUndefined();
    await world.verify();
    const known = await drift(world);
    expect(known).toEqual({ count: 1, since: expect.any(Date) as Date, sampleKeys: ['c02'] });
    await world.verify();
    expect(await drift(world), 'found again').toEqual(known);
    await world.state.readBacks.noteDrift('companies', { different: [], equal: ['c01', 'c02'] });
    expect(await drift(world)).toBeUndefined();
  });

  test('a record that is accepted again is no longer known to differ, however it came to be sent', async () => {
    const world = await lostOne();
    await world.verify();
    expect(await drift(world)).toMatchObject({ count: 1 });
    await world.resync(['c02'], ['companies']);
    expect(await drift(world)).toBeUndefined();
    expect(await world.run()).toMatchObject({ exitCode: 0 });
  });

  test('what was sent after it was read back is not marked', async () => {
    const world = await lostOne();
    const [record] = await world.state.readBacks.page('companies', 'settled', 'c01', 1);
    if (!record) throw new Error('no record');
    await world.resync(['c02'], ['companies']);
    await world.state.readBacks.noteDrift('companies', { different: [record], equal: [] });
    expect(await drift(world)).toBeUndefined();
  });
});
