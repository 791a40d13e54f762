import { expect } from 'vitest';
import { expectedRecords, heldRecords } from './held-records.js';
import { readSchemaFiles, type SchemaName } from './schema-files.js';
import { createSchemaWorld, type SchemaWorld } from './schema-world.js';
import { writeConfiguration } from './write-configuration.js';

/**
 * Connects a database with files that were written by hand, and compares what the strict platform then holds with the
 * expected records, to the last field.
 */
export async function connectByHand(
  name: SchemaName,
): Promise<{ readonly world: SchemaWorld; readonly configFile: string }> {
  const files = readSchemaFiles(name);
  const { decisions, expected } = files;
  const world = await createSchemaWorld(files);
  const configFile = writeConfiguration(world.folder, decisions, world.base);
  await world.administer(decisions.database ?? []);

  const checked = await world.cli(configFile, 'config', 'check');
  expect(checked.exitCode, checked.stderr).toBe(0);

  await expectHealthy(world, configFile);

  const entities = Object.keys(expected);
  const counts = Object.fromEntries(
    entities.map((entity) => [entity, Object.keys(expected[entity] ?? {}).length]),
  );
  const planned = await world.cli(configFile, 'plan', '--json');
  const plan = JSON.parse(planned.stdout) as {
    readonly entities: Record<string, { readonly new: number; readonly invalid: number }>;
    readonly changes: readonly { readonly action: string }[];
  };
  expect(plan.changes.filter(({ action }) => action === 'invalid')).toEqual([]);
  for (const entity of entities) expect(plan.entities[entity], entity).toMatchObject({ new: counts[entity] });

  const first = await world.run(configFile);
  expect(world.sandbox.requests().filter(({ status }) => status !== 200)).toEqual([]);
  expect(heldRecords(world.sandbox, entities)).toEqual(expectedRecords(world.sandbox, expected));
  expect(first).toMatchObject({ code: 0, outcome: 'complete' });
  for (const entity of entities)
    expect(first.entities[entity], entity).toMatchObject({
      accepted: counts[entity],
      invalid: 0,
      waiting: 0,
    });

  await expectSilence(world, configFile);
  // The names and addresses of all people in these databases contain the word.
  expect(world.printed()).not.toMatch(/rahasia/i);
  return { world, configFile };
}

/** One more run makes no request. */
export async function expectSilence(world: SchemaWorld, configFile: string): Promise<void> {
  world.sandbox.clearRequests();
  expect(await world.run(configFile)).toMatchObject({ code: 0, outcome: 'complete' });
  expect(world.sandbox.requests()).toEqual([]);
}

interface DoctorReport {
  readonly checks: readonly { readonly id: string; readonly level: string; readonly entity: string | null }[];
}

/** Nothing fails; what it warns of is beside the point of the tests, and shown when something fails. */
async function expectHealthy(world: SchemaWorld, configFile: string): Promise<void> {
  const { exitCode, stdout, stderr } = await world.cli(configFile, 'doctor', '--json');
  const { checks } = JSON.parse(stdout) as DoctorReport;
  console.log(JSON.stringify(checks.filter(({ level }) => level !== 'pass'), null, 1));
  expect(checks.filter(({ level }) => level === 'fail')).toEqual([]);
  expect(exitCode, stderr).toBe(0);
}
