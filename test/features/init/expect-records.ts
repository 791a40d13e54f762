import { v5 } from 'uuid';
import { expect } from 'vitest';
import type { EntityName } from '../../../src/core/domain/names.js';
import type { JsonObject } from '../../../src/core/domain/row.js';
import { ENTITIES } from '../../../src/core/entities/index.js';
import type { RunningSandbox } from '../../../src/features/sandbox/start-sandbox.js';
import type { ExpectedRecords } from './schema-files.js';
import { NAMESPACE, type SchemaWorld } from './schema-world.js';

interface DoctorReport {
  readonly checks: readonly { readonly id: string; readonly level: string; readonly entity: string | null }[];
}

interface Plan {
  readonly entities: Readonly<Record<string, { readonly new: number }>>;
  readonly changes: readonly { readonly action: string }[];
}

/** What `doctor` says has to be fixed; its exit code fits. */
export async function doctorFailures(
  world: SchemaWorld,
  configFile: string,
): Promise<DoctorReport['checks']> {
  const { exitCode, stdout, stderr } = await world.cli(configFile, 'doctor', '--json');
  if (stdout === '') throw new Error(stderr);
  const failures = (JSON.parse(stdout) as DoctorReport).checks.filter(({ level }) => level === 'fail');
  expect(exitCode).toBe(failures.length > 0 ? 2 : 0);
  return failures;
}

/**
 * Plans and runs, and compares what the strict platform then holds with the expected records, to the last field. A
 * second run sends nothing.
 */
export async function expectRecords(
  world: SchemaWorld,
  configFile: string,
  expected: ExpectedRecords,
): Promise<void> {
  const entities = Object.keys(expected);
  const counts = entities.map((entity) => [entity, Object.keys(expected[entity] ?? {}).length] as const);
  const { stdout } = await world.cli(configFile, 'plan', '--json');
  const plan = JSON.parse(stdout) as Plan;
  expect(plan.changes.filter(({ action }) => action === 'invalid')).toEqual([]);
  for (const [entity, count] of counts) expect(plan.entities[entity]?.new, entity).toBe(count);

  // The doctor asked for records that nobody has.
  world.sandbox.clearRequests();
  const first = await world.run(configFile);
  expect(world.sandbox.requests().filter(({ status }) => status !== 200)).toEqual([]);
  expect(heldRecords(world.sandbox, entities)).toEqual(expectedRecords(world.sandbox, expected));
  expect(first).toMatchObject({ code: 0, outcome: 'complete' });
  for (const [entity, count] of counts)
    expect(first.entities[entity], entity).toMatchObject({ accepted: count, invalid: 0, waiting: 0 });

  await expectSilence(world, configFile);
  // The names and addresses of all people in these databases contain the word.
  expect(world.printed()).not.toMatch(/rahasia/i);
}

/** One more run makes no request. */
export async function expectSilence(world: SchemaWorld, configFile: string): Promise<void> {
  world.sandbox.clearRequests();
  expect(await world.run(configFile)).toMatchObject({ code: 0, outcome: 'complete' });
  expect(world.sandbox.requests()).toEqual([]);
}

type Bodies = Readonly<Record<string, object>>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id in the path, as the documentation describes it: computed here once more. */
function pathId(entity: EntityName, key: string): string {
  return UUID.test(key) ? key.toLowerCase() : v5(`${entity}:${key}`, NAMESPACE);
}

/** What the platform holds, by entity and path id. */
export function heldRecords(
  sandbox: RunningSandbox,
  entities: readonly EntityName[],
): Record<string, Bodies> {
  return Object.fromEntries(
    chosen(entities).map(({ name, area }) => [
      name,
      Object.fromEntries(sandbox.records(area, name).map(({ id, body }) => [id, body])),
    ]),
  );
}

/** What it should hold: keys become path ids, and a parent's key becomes the parent with its reference. */
function expectedRecords(sandbox: RunningSandbox, expected: ExpectedRecords): Record<string, Bodies> {
  return Object.fromEntries(
    chosen(Object.keys(expected)).map(({ name, parent }) => [
      name,
      Object.fromEntries(
        Object.entries(expected[name] ?? {}).map(([key, body]) => {
          if (parent === null) return [pathId(name, key), body];
          const { [parent.field]: parentKey, ...own } = body;
          if (typeof parentKey !== 'string') return [pathId(name, key), own];
          return [pathId(name, key), { ...own, [parent.field]: parentBody(parent.entity, parentKey) }];
        }),
      ),
    ]),
  );

  function parentBody(entity: EntityName, key: string): JsonObject {
    const [found] = chosen([entity]).flatMap(({ area }) =>
      sandbox.records(area, entity).filter(({ id }) => id === pathId(entity, key)),
    );
    return { ...expected[entity]?.[key], id: found?.reference ?? `no ${entity} ${key}` };
  }
}

function chosen(names: readonly EntityName[]) {
  return ENTITIES.filter(({ name }) => names.includes(name));
}
