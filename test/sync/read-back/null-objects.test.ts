import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/row.js';
import { startKeepingPlatform } from '../other-worlds.js';
import { addCompanies, addVacancies, createWorld } from '../world.js';

/** Objects of the contract's Find whose values are all null, as services show what is absent. */
const NULL_OBJECTS: JsonObject = {
  min_education: { id: null, name: null, level: null },
  industry: { id: null, name: null },
  job_type: { id: null },
  job_function: null,
  min_salary: { currency: null, amount: null },
  region: { id: null, regionable_type: null, regionable_id: null, regionable: { id: null, province: null } },
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
