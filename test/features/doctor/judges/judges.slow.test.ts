import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { entity as entityNamed } from '../../../../src/core/entities/index.js';
import type { Finding } from '../../../../src/features/doctor/finding.js';
import { runCli } from '../../../cli/run-cli.js';
import { createTestDatabase } from '../../../postgres/test-database.js';
import { readSchemaFiles, SCHEMAS } from '../../init/schema-files.js';
import { createSchemaWorld } from '../../init/schema-world.js';
import { writeConfiguration } from '../../init/write-configuration.js';
import { WORLDS } from './worlds.js';

vi.setConfig({ testTimeout: 300_000 });

/** What doctor warns of or fails, as `vacancies kept: message`. */
type Said = ReadonlySet<string>;

/** Doctor with queries of which only their text changes: each code of a lookup has an id. */
async function judgeOf(name: string) {
  const { schema, queries, plainText = {}, timeZone } = WORLDS[name]!;
  const database = await createTestDatabase();
  await database.query(readFileSync(join(import.meta.dirname, schema), 'utf8'));
  await database.query('analyze');
  const folder = mkdtempSync(join(tmpdir(), 'placement-sync-judges-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  const config = (lookups: Readonly<Record<string, Readonly<Record<string, string>>>>) =>
    stringify({
      source: { url: database.url, ...(timeZone === undefined ? {} : { timeZone }) },
      ids: { namespace: '6f1de0a2-6a57-4d1c-9c43-0f5c0b8f7a11' },
      platform: Object.fromEntries(
        ['jobs', 'training'].map((area) => [
          area,
          { baseUrl: 'http://127.0.0.1:9/', clientId: '${NOT_SET}', clientSecret: '${NOT_SET}' },
        ]),
      ),
      entities: Object.fromEntries(
        Object.keys(queries).map((entity) => [
          entity,
          {
            query: `${entity}.sql`,
            lookups: lookups[entity] ?? {},
            plainText: plainText[entity] ?? [],
            ...(entity === 'vacancies' ? { onVanished: 'close' } : {}),
          },
        ]),
      ),
    });
  return async (entity?: string, from = '', to = ''): Promise<Said> => {
    const lookups: Record<string, Record<string, string>> = {};
    for (const [name, right] of Object.entries(queries)) {
      if (name === entity && !right.includes(from)) throw new Error(`${name} has no ${from}`);
      const sql = name === entity ? right.replace(from, () => to) : right;
      write(`${name}.sql`, sql);
      const files: Record<string, string> = {};
      for (const { name: column, lookup } of entityNamed(name).columns) {
        if (!lookup || !new RegExp(`\\bas ${column}\\b`).test(sql)) continue;
        const codes = await database.query<{ code: string | null }>(
          `select distinct c as code from (${sql}) q, lateral (select jsonb_array_elements_text(
             case jsonb_typeof(to_jsonb(q.${column})) when 'array' then to_jsonb(q.${column}) else jsonb_build_array(q.${column}) end) c) x`,
        );
        const cells = codes.flatMap(({ code }) => (code === null || code.trim() === '' ? [] : code));
        const own = new Map(cells.map((code) => [code.trim().toLowerCase(), code]));
        const lines = [...own].map(([folded, code]) => `"${code}",${idOf(column, folded)}`);
        files[column] = `${name}-${column}.csv`;
        write(files[column], ['code,id', ...lines, ''].join('\n'));
      }
      lookups[name] = files;
    }
    write('placement-sync.yaml', config(lookups));
    const env = { PLACEMENT_SYNC_CONFIG: join(folder, 'placement-sync.yaml') };
    const { stdout, stderr } = await runCli(['doctor', '--json'], { env });
    if (stdout === '') throw new Error(stderr);
    return said((JSON.parse(stdout) as { checks: Finding[] }).checks);
  };
}

function said(checks: readonly Finding[]): Said {
  return new Set(
    checks.flatMap(({ id, level, entity, message, hint }) =>
      level === 'pass' || entity === null || message.startsWith('not checked')
        ? []
        : `${entity} ${id}: ${message} → ${hint ?? ''}`,
    ),
  );
}

const WORDS: Readonly<Record<string, string>> = {
  gender: 'female',
  media: 'online',
  difficulty_level: 'beginner',
  min_experience: '1',
};

function idOf(column: string, code: string): string {
  if (column === 'skills') return code.replace(/\W+/g, '_');
  if (column === 'min_experience') return /^\d+$/.test(code) ? code : '1';
  const hex = createHash('md5').update(`${column} ${code}`).digest('hex');
  return (
    WORDS[column] ??
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
  );
}

describe.each(Object.keys(WORLDS))('the world %s', (name) => {
  test('nothing is said of its right queries, and each mistake is named', async () => {
    const judge = await judgeOf(name);
    const right = await judge();
    const missed: string[] = [];
    for (const [entity, from, to, check] of WORLDS[name]!.mistakes) {
      const found = [...(await judge(entity, from, to))].filter((each) => !right.has(each));
      if (!found.some((each) => each.startsWith(`${entity} ${check}: `)))
        missed.push(`${check}: ${entity}: ${to === '' ? `without ${from}` : to}`);
    }
    expect({ right: [...right], missed }).toEqual({ right: [], missed: [] });
  });
});

/** What is so in the recorded databases: addresses that lead nowhere, rows that a join loses. */
const IS_THERE = /^\w+ (vanished|placeholders: \d+ rows? ha|joins|row-security|doubtful)/;

test.each(SCHEMAS)('nothing is said of the right queries of %s but what is there', async (name) => {
  const files = readSchemaFiles(name);
  const world = await createSchemaWorld(files);
  if (files.decisions.database !== undefined) await world.administer(files.decisions.database);
  const config = writeConfiguration(join(world.folder, 'right'), files.decisions, world.base);
  const { stdout } = await world.cli(config, 'doctor', '--json');
  const found = [...said((JSON.parse(stdout) as { checks: Finding[] }).checks)];
  expect(found.filter((each) => !IS_THERE.test(each))).toEqual([]);
});
