import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { v5 } from 'uuid';
import { expect } from 'vitest';
import { parse, stringify } from 'yaml';
import type { EntityName } from '../../src/domain/names.js';
import type { JsonObject } from '../../src/domain/row.js';
import { ENTITIES } from '../../src/entities/index.js';
import { readLookup } from '../../src/entities/lookup.js';
import type { RunningSandbox } from '../../src/sandbox/start-sandbox.js';
import { fillLookup } from './fill-lookup.js';
import {
  createSchemaWorld,
  type Decisions,
  type ExpectedRecords,
  NAMESPACE,
  type QueryDecisions,
  readSchemaFiles,
  type SchemaName,
  type SchemaWorld,
} from './schema-world.js';

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

interface DraftedSettings extends Record<string, unknown> {
  readonly platform: Readonly<Record<string, unknown>>;
  readonly entities: Readonly<Record<string, { readonly lookups?: Readonly<Record<string, string>> }>>;
}

/**
 * Edits the files that `init` drafted as the decisions say: settings, queries, ids of lookups.
 * @returns the ids that `init` had filled in and that the decisions call wrong
 */
function applyDecisions(folder: string, decisions: Decisions): string[] {
  const configFile = join(folder, 'placement-sync.yaml');
  const drafted = parse(readFileSync(configFile, 'utf8')) as DraftedSettings;
  const wrong: string[] = [];
  const lookups: Record<string, Record<string, string>> = {};
  for (const [entity, edits] of Object.entries(decisions.drafts)) {
    const query = join(folder, 'queries', `${entity}.sql`);
    writeFileSync(query, editQuery(readFileSync(query, 'utf8'), edits));
    const files = drafted.entities[entity]?.lookups ?? {};
    const byHand = handLookups(decisions, entity);
    const chosen: Record<string, string> = { ...files };
    lookups[entity] = chosen;
    for (const column of new Set([...Object.keys(files), ...Object.keys(byHand)])) {
      const name = files[column] ?? byHand[column] ?? '';
      const path = join(folder, name);
      const text = existsSync(path) ? readFileSync(path, 'utf8') : 'code,id\n';
      const filled = fillLookup(text, decisions.lookups[byHand[column] ?? ''] ?? edits.words?.[column] ?? {});
      writeFileSync(path, filled.csv);
      wrong.push(...filled.wrong.map((text) => `${entity}.${column}: ${text}`));
      chosen[column] = name;
    }
  }
  const over = {
    platform: Object.fromEntries(
      Object.keys(drafted.platform).map((area) => [area, { ratePerSecond: null }]),
    ),
    entities: Object.fromEntries(
      Object.entries(lookups).map(([entity, files]) => [entity, { lookups: files }]),
    ),
  };
  writeFileSync(configFile, stringify(merge(merge(drafted, decisions.settings), over)));
  return wrong;
}

/** Column → file, as the configuration that was written by hand has them. */
function handLookups({ settings }: Decisions, entity: string): Readonly<Record<string, string>> {
  const { entities = {} } = settings as { entities?: Record<string, { lookups?: Record<string, string> }> };
  return entities[entity]?.lookups ?? {};
}

/** A drafted query, taken apart. */
interface Parts {
  /** Comments in front of the query. */
  readonly head: string;
  readonly columns: ReadonlyMap<string, string>;
  readonly from: string;
  readonly base: string;
}

/**
 * What an engineer does with a drafted query: other expressions for some columns, further joins, and the conditions in
 * place of the lines that are to be decided. In a decision `base.` is the table of the records.
 */
function editQuery(draft: string, { columns = {}, joins = '', where }: QueryDecisions): string {
  const parts = takeApart(draft);
  const own = (sql: string): string => sql.replaceAll(/\bbase\./g, `${parts.base}.`);
  const list = new Map([...parts.columns, ...Object.entries(columns)]);
  return [
    parts.head,
    'select',
    [...list].map(([name, sql]) => `  ${own(sql)} as ${name}`).join(',\n'),
    parts.from,
    own(joins).trimEnd(),
    `where ${where.map((condition) => own(condition)).join('\n  and ')}`,
    '',
  ].join('\n');
}

function takeApart(draft: string): Parts {
  const match =
    /^(?<head>[\s\S]*?)^select\n(?<list>[\s\S]*?)^(?<from>from \S+ (?<base>\w+)$[\s\S]*?)^where true$/m.exec(
      draft,
    );
  const { head = '', list = '', from = '', base = '' } = match?.groups ?? {};
  if (match === null) throw new Error(`not in the form of a draft:\n${draft}`);
  const columns = list
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('--'))
    .map((line) => {
      const [, sql, name] = /^ {2}(.*?) +as (\w+),?$/.exec(line) ?? [];
      if (sql === undefined || name === undefined) throw new Error(`not a line of a draft: ${line}`);
      return [name, sql] as const;
    });
  return { head: head.trimEnd(), columns: new Map(columns), from: from.trimEnd(), base };
}

const ROOT = join(import.meta.dirname, '..', '..');

/** What `industries/trading` stands for: the id of that code in `config/reference/industries.csv`. Others stay. */
export function referenceId(written: string): string {
  const [, file, code] = /^([\w-]+)\/(\w+)$/.exec(written) ?? [];
  if (file === undefined || code === undefined) return written;
  const path = join('config', 'reference', `${file}.csv`);
  const id = readLookup(readFileSync(join(ROOT, path), 'utf8'), path).entries.get(code);
  if (id === undefined) throw new Error(`${path} has no code ${code}`);
  return id;
}

/** Writes the configuration of an engineer who wrote every file by hand. Returns the path of the YAML. */
export function writeConfiguration(
  folder: string,
  { settings, queries, lookups }: Decisions,
  base: Readonly<Record<string, unknown>>,
): string {
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  for (const [entity, sql] of Object.entries(queries)) write(`queries/${entity}.sql`, sql);
  for (const [file, rows] of Object.entries(lookups)) write(file, csvOf(rows));
  return write('placement-sync.yaml', stringify(merge(base, settings)));
}

function csvOf(rows: Readonly<Record<string, string>>): string {
  const cell = (text: string): string => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = Object.entries(rows).map(([code, id]) => `${cell(code)},${cell(referenceId(id))}`);
  return `${['code,id', ...lines].join('\n')}\n`;
}

/** Blocks are merged, everything else replaced. */
export function merge(
  base: Readonly<Record<string, unknown>>,
  over: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(over)) {
    const before = merged[name];
    merged[name] = isBlock(before) && isBlock(value) ? merge(before, value) : value;
  }
  return merged;
}

function isBlock(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface DoctorReport {
  readonly checks: readonly { readonly id: string; readonly level: string; readonly entity: string | null }[];
}

interface Plan {
  readonly entities: Readonly<Record<string, { readonly new: number }>>;
  readonly changes: readonly { readonly action: string }[];
}

/** What `doctor` says has to be fixed; its exit code fits. */
async function doctorFailures(world: SchemaWorld, configFile: string): Promise<DoctorReport['checks']> {
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
async function expectRecords(
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
