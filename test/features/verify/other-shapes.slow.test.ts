import { expect, test } from 'vitest';
import { verifyNotes } from '../../../src/features/verify/verify-report.js';
import { type KeepingPlatform, startKeepingPlatform } from '../../core/other-worlds.js';
import { addCompanies, addVacancies, createWorld, TRAINING_BLOCKS, type World } from '../../core/world.js';

/** All four entities at a platform of another making, with nothing left to send. */
async function synced({ merges = false } = {}): Promise<{ world: World; platform: KeepingPlatform }> {
  const world = await createWorld();
  const platform = await startKeepingPlatform({ merges });
  world.settings.jobs.baseUrl = platform.url;
  Object.assign(world.blocks, {
    institutions: TRAINING_BLOCKS.institutions(),
    trainings: TRAINING_BLOCKS.trainings(),
  });
  await addCompanies(world, 4);
  await world.sql(`update company set about = 'Text'`);
  await addVacancies(world, 3);
  await world.sql(`insert into institution values ('i1', 'LPK Satu'), ('i2', 'LPK Dua'), ('i3', 'LPK Tiga')`);
  await world.sql(
    `insert into training values ('t1', 'i1', 'Barista', 20, true), ('t2', null, 'Las', 10, false)`,
  );
  expect(await world.run()).toMatchObject({ exitCode: 0 });
  platform.requests();
  return { world, platform };
}

const ALL = {
  companies: { checked: 4, same: 4, drifted: 0, missing: 0 },
  vacancies: { checked: 3, same: 3, drifted: 0, missing: 0 },
  institutions: { checked: 3, same: 3, drifted: 0, missing: 0 },
  trainings: { checked: 2, same: 2, drifted: 0, missing: 0 },
};

const bodiesOf = ({ records }: KeepingPlatform, path: string) =>
  [...records].filter(([each]) => each.includes(path)).map(([, record]) => record);

const puts = (platform: KeepingPlatform) =>
  platform.requests().filter(({ line }) => line.startsWith('PUT ')).length;

test('a Find that echoes the request shows no difference in any entity, and adopt takes it as equal', async () => {
  const { world } = await synced();
  expect(await world.verify()).toMatchObject({ exitCode: 0, report: { entities: ALL, drift: [] } });
  await world.sql('truncate placement_sync.sync_state, placement_sync.entity_state');
  const { report } = await world.adoptRecords();
  expect(report.entities).toMatchObject({
    companies: { adopted: 4, different: 0 },
    vacancies: { adopted: 3, different: 0 },
    institutions: { adopted: 3 },
    trainings: { adopted: 2 },
  });
  expect(await world.run()).toMatchObject({
    exitCode: 0,
    entities: { companies: { sent: 0 }, vacancies: { sent: 0 } },
  });
});

test('what a Find leaves out is not compared, and counted', async () => {
  const { world, platform } = await synced();
  platform.show = ({ id, reference, body: { region: _, about: __, ...body } }) => ({
    id,
    reference,
    ...body,
  });
  const { report, exitCode } = await world.verify();
  expect({ exitCode, entities: report.entities, drift: report.drift }).toEqual({
    exitCode: 0,
    entities: ALL,
    drift: [],
  });
  expect(report.notCompared).toContainEqual({ entity: 'companies', field: 'about', records: 4 });
  expect(report.notCompared).toContainEqual({ entity: 'institutions', field: 'region.id', records: 3 });
  await world.sql('truncate placement_sync.sync_state, placement_sync.entity_state');
  expect((await world.adoptRecords()).report.entities).toMatchObject({
    companies: { adopted: 4, different: 0 },
  });
});

test('a field in which the platform shows nothing for any record is doubted, and repaired only when it is named', async () => {
  const { world, platform } = await synced();
  platform.show = ({ id, reference, body }) => ({
    id,
    reference,
    ...body,
    ...('about' in body ? { about: null } : {}),
  });
  const name = bodiesOf(platform, '/employers/')[0];
  if (name) name.body = { ...name.body, name: 'PT Lain' };
  const { report, exitCode } = await world.verify({ repair: true });
  expect(exitCode).toBe(0);
  expect(report.doubted).toEqual([{ entity: 'companies', field: 'about', compared: 4, drifted: 4 }]);
  expect(report.entities.companies).toEqual({ checked: 4, same: 3, drifted: 1, missing: 0 });
  expect(report.drift).toMatchObject([{ field: 'name', held: 'PT Lain' }]);
  expect(puts(platform)).toBe(1);
  expect(verifyNotes(report)[0]?.message).toContain('shows nothing in about for any of 4 records');
  expect(name?.body).toMatchObject({ name: 'Company 1' });
  expect(await world.verify({ repair: true, fields: ['about'] })).toMatchObject({ exitCode: 0 });
  expect(puts(platform)).toBe(4);
});

test('what a platform that merges still holds is found, and a repair that does not help keeps exit code 3', async () => {
  const { world, platform } = await synced({ merges: true });
  await world.sql(`update company set about = null where id = 'c02'`);
  await world.run();
  platform.requests();
  const drift = [{ entity: 'companies', key: 'c02', field: 'about', sent: null, held: 'Text' }];
  const leftOver = [{ entity: 'companies', field: 'about', records: 1, column: 'about' }];
  expect(await world.verify()).toMatchObject({ exitCode: 3, report: { drift, leftOver } });
  expect(await world.verify({ repair: true })).toMatchObject({ exitCode: 3, report: { drift } });
  expect(puts(platform)).toBe(1);

  world.blocks.companies!.absent = { about: null };
  expect(await world.run()).toMatchObject({ exitCode: 0, entities: { companies: { sent: 1 } } });
  const { report, exitCode } = await world.verify();
  expect({ exitCode, drift: report.drift, leftOver: report.leftOver }).toEqual({
    exitCode: 0,
    drift: [],
    leftOver: undefined,
  });
});

test('a platform that replaces clears what somebody else wrote, and the repair counts', async () => {
  const { world, platform } = await synced();
  const [company] = bodiesOf(platform, '/employers/');
  if (company) company.body = { ...company.body, website: 'https://other.example' };
  expect(await world.verify({ repair: true })).toMatchObject({
    exitCode: 0,
    report: { leftOver: [{ field: 'website', records: 1 }] },
  });
  expect(company?.body).not.toHaveProperty('website');
});

test('a Find that shows nothing of a record says nothing about it: neither equal nor different', async () => {
  const { world, platform } = await synced();
  world.settings.retry.breakerAfter = 1_000;
  platform.show = ({ id, reference }) => ({ id, reference });
  expect((await world.verify()).report.entities.companies).toEqual({
    checked: 0,
    same: 0,
    drifted: 0,
    missing: 0,
  });
  await world.sql('truncate placement_sync.sync_state, placement_sync.entity_state');
  expect((await world.adoptRecords()).report.entities.companies).toMatchObject({ checked: 0, adopted: 0 });
});
