import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { applyDecisions } from './apply-decisions.js';
import { doctorFailures, expectRecords } from './expect-records.js';
import { readSchemaFiles, type SchemaName } from './schema-files.js';
import { createSchemaWorld } from './schema-world.js';

/**
 * Connects a database as a newcomer does: `init`, decisions, `doctor`, `run`. The draft has all of the tables; what it
 * filled in by itself is right; and `doctor` fails until the decisions are made.
 */
export async function connectFromDraft(name: SchemaName): Promise<void> {
  const files = readSchemaFiles(name);
  const { decisions, expected } = files;
  const world = await createSchemaWorld(files);
  const folder = join(world.folder, 'config');
  const configFile = join(folder, 'placement-sync.yaml');

  if (decisions.database !== undefined) {
    const { stdout } = await world.cli(configFile, 'init', '--yes', '--out', join(world.folder, 'hidden'));
    expect(stdout).toMatch(/row-level security|bypassrls/i);
    await world.administer(decisions.database);
  }
  const { exitCode, stdout, stderr } = await world.cli(configFile, 'init', '--yes', '--out', folder);
  expect(exitCode, stderr).toBe(0);
  for (const [entity, table] of Object.entries(decisions.tables))
    expect(stdout).toContain(`${entity}: ${table} `);
  expect((await world.cli(configFile, 'config', 'check')).exitCode).toBe(0);
  // All people are called so.
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.\w+$/.test(name),
  ))
    expect(readFileSync(join(folder, file), 'utf8'), file).not.toMatch(/rahasia/i);
  expect(await doctorFailures(world, configFile)).not.toEqual([]);

  expect(applyDecisions(folder, decisions)).toEqual([]);
  expect(await doctorFailures(world, configFile)).toEqual([]);
  await expectRecords(world, configFile, expected);
}
