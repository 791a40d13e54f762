import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectFromDraft } from './connect-from-draft.js';
import { doctorFailures, expectRecords, expectSilence, heldRecords } from './expect-records.js';
import { readSchemaFiles, type SchemaName } from './schema-files.js';
import { createSchemaWorld, type SchemaWorld } from './schema-world.js';
import { merge, writeConfiguration } from './write-configuration.js';

/** Connects a database with files that were written by hand: what the engine can do, whatever `init` drafts. */
async function connectByHand(
  name: SchemaName,
): Promise<{ readonly world: SchemaWorld; readonly configFile: string }> {
  const files = readSchemaFiles(name);
  const { decisions, expected } = files;
  const world = await createSchemaWorld(files);
  const configFile = writeConfiguration(world.folder, decisions, world.base);
  await world.administer(decisions.database ?? []);
  const checked = await world.cli(configFile, 'config', 'check');
  expect(checked.exitCode, checked.stderr).toBe(0);
  expect(await doctorFailures(world, configFile)).toEqual([]);
  await expectRecords(world, configFile, expected);
  return { world, configFile };
}

describe('beginning with a draft, it connects', () => {
  it('a vendor’s system with text codes and row-level security', () => connectFromDraft('codes'));

  it('a public register with integer enums, arrays, several employers and pay as prose', () =>
    connectFromDraft('public-sector'));

  it('a course catalogue whose ids are renewed every year', () => connectFromDraft('catalogue'));

  it('an ERP with translated jsonb, HTML and companies in a table of partners', () =>
    connectFromDraft('erp'));

  it('an agency abroad with foreign currencies', () => connectFromDraft('abroad'));
});

it.each(['portal', 'codes', 'public-sector', 'erp', 'abroad'] as const)(
  'connects %s with queries that were written by hand',
  async (name) => {
    await connectByHand(name);
  },
);

it('refuses tables whose rows are hidden, before anything is sent', async () => {
  const files = readSchemaFiles('codes');
  const world = await createSchemaWorld(files);
  const configFile = writeConfiguration(
    world.folder,
    { ...files.decisions, settings: merge(files.decisions.settings, { source: { rowSecurity: 'refuse' } }) },
    world.base,
  );
  const report = await world.run(configFile);
  expect(report).toMatchObject({ code: 1, entities: { companies: { error: { code: 'row-security' } } } });
  expect(world.sandbox.requests()).toEqual([]);
});

it('connects a course catalogue, and the catalogue of the next year is the same records', async () => {
  const { world, configFile } = await connectByHand('catalogue');
  const entities = ['institutions', 'trainings'];
  const before = heldRecords(world.sandbox, entities);
  await world.sql(readFileSync(join(import.meta.dirname, 'schemas', 'catalogue', 'next-year.sql'), 'utf8'));
  const next = await world.run(configFile);
  expect(next).toMatchObject({
    code: 0,
    entities: { institutions: { new: 0, vanished: 0, changed: 0 }, trainings: { new: 0, vanished: 0 } },
  });
  const after = heldRecords(world.sandbox, entities);
  for (const entity of entities)
    expect(Object.keys(after[entity] ?? {})).toEqual(Object.keys(before[entity] ?? {}));
  expect(after.institutions).toEqual(before.institutions);
  const lastDays = Object.values(after.trainings ?? {}).map((body) =>
    'expired_date' in body ? body.expired_date : '2032',
  );
  expect(lastDays.filter((day) => !String(day).startsWith('2032'))).toEqual([]);
  await expectSilence(world, configFile);
});

it('sends an agency’s records without any id of a city where the platform does not ask for one', async () => {
  const files = readSchemaFiles('abroad');
  const { decisions, expected } = files;
  const world = await createSchemaWorld(files, { strict: false });
  const { 'reference/places.csv': places = {}, ...lookups } = decisions.lookups;
  const unknown = Object.fromEntries(Object.keys(places).map((place) => [place, '-']));
  const configFile = writeConfiguration(
    world.folder,
    {
      ...decisions,
      lookups: { ...lookups, 'reference/places.csv': unknown },
      settings: merge(decisions.settings, { entities: { companies: { required: [] } } }),
    },
    world.base,
  );
  const report = await world.run(configFile);
  expect(report.code).toBe(0);
  for (const [entity, records] of Object.entries(expected))
    expect(report.entities[entity]).toMatchObject({ accepted: Object.keys(records).length });
  const bodies = Object.values(heldRecords(world.sandbox, ['companies', 'vacancies'])).flatMap(Object.values);
  expect(bodies.filter((body) => 'region' in (body as object))).toEqual([]);
});
