import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parse, stringify } from 'yaml';
import { doctorFailures, expectRecords } from './expect-records.js';
import { type Decisions, type QueryDecisions, readSchemaFiles, type SchemaName } from './schema-files.js';
import { createSchemaWorld } from './schema-world.js';
import { merge, referenceId } from './write-configuration.js';
import { parse as parseCsv } from 'csv-parse/sync';
import { foldCode } from '../../../src/core/entities/lookup.js';

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

interface FilledLookup {
  readonly csv: string;
  /** Ids that the draft had filled in and that an engineer calls wrong. */
  readonly wrong: readonly string[];
}

/** Fills the empty ids of a drafted lookup, and adds codes that it does not have. */
function fillLookup(draft: string, decided: Readonly<Record<string, string>>): FilledLookup {
  const rows = parseCsv<Record<'code' | 'id', string>>(draft, { columns: true });
  const ids = new Map(Object.entries(decided).map(([code, id]) => [foldCode(code), referenceId(id)]));
  const wrong = rows.flatMap(({ code, id }) => {
    const right = ids.get(foldCode(code));
    return id !== '' && right !== undefined && id !== right ? [`${code}: ${id} is not ${right}`] : [];
  });
  const drafted = new Set(rows.map(({ code }) => foldCode(code)));
  const lines = [
    ...rows.map(({ code, id }) => [code, id === '' ? (ids.get(foldCode(code)) ?? '') : id]),
    ...[...ids].filter(([code]) => !drafted.has(code)),
  ].map((cells) => cells.map(cell).join(','));
  return { csv: `${['code,id', ...lines].join('\n')}\n`, wrong };
}

function cell(text = ''): string {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
