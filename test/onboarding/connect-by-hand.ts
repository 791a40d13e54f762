import { expect } from 'vitest';
import { doctorFailures, expectRecords } from './expect-records.js';
import { readSchemaFiles, type SchemaName } from './schema-files.js';
import { createSchemaWorld, type SchemaWorld } from './schema-world.js';
import { writeConfiguration } from './write-configuration.js';

/** Connects a database with files that were written by hand: what the engine can do, whatever `init` drafts. */
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
  expect(await doctorFailures(world, configFile)).toEqual([]);
  await expectRecords(world, configFile, expected);
  return { world, configFile };
}
