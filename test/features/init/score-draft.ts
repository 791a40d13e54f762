import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument, type Scalar, type YAMLMap } from 'yaml';
import type { RunReport } from '../../../src/core/run/end.js';
import { ENTITIES } from '../../../src/core/entities/index.js';
import { readSchemaFiles, type SchemaName, SCHEMAS } from './schema-files.js';
import { createSchemaWorld } from './schema-world.js';

/**
 * How right a draft is, by what an engineer wrote before looking at it: the column of the partner that fills each column of
 * the contract, and the conditions that a query needs.
 */

/** Databases of which only the draft is judged, each a file of `test/features/init/drafts` with its expectations on top. */
export const DRAFTS = [
  ...(['dinas', 'ats', 'prisma', 'plugin', 'blk', 'vendor'] as const),
  // Written before anybody saw a draft of them.
  ...(['moodle', 'opencats', 'odoo', 'django', 'rails'] as const),
  ...(['bkk', 'laravel', 'aspnet', 'lpk', 'worknet'] as const),
] as const;

export type Judged = SchemaName | (typeof DRAFTS)[number];
export const JUDGED: readonly Judged[] = [...SCHEMAS, ...DRAFTS];

export interface Score {
  readonly right: number;
  /** Lines that are no comment and take another column, or fill what the database does not have. */
  readonly wrong: readonly string[];
  /** Null or absent in the draft, although the database has them. */
  readonly missed: readonly string[];
  /** Of the missed: a commented line names the column. */
  readonly asked: number;
  readonly offered: number;
  /** Offered conditions that leave no row, or every row. */
  readonly idle: readonly string[];
  /** Conditions that the query needs and the draft does not offer with the right word. */
  readonly unoffered: readonly string[];
  readonly checked: boolean;
  /** Records that the platform took of the draft, with what is open left out, and requests of one more run. */
  readonly accepted: number;
  readonly again: number;
}

interface Expected {
  readonly tables: string;
  readonly data: string;
  readonly people: readonly string[];
  readonly database: readonly string[];
  readonly columns: ReadonlyMap<string, RegExp>;
  /** By entity and column, a word of the condition. */
  readonly conditions: readonly (readonly [entity: string, column: string, word: string])[];
}

/** Drafts in a database of its own, as the command does it, and compares. */
export async function scoreDraft(name: Judged): Promise<Score> {
  const expected = expectations(name);
  const world = await createSchemaWorld({ ...expected, decisions: expected });
  await world.administer(['grant select on all tables in schema public to reader', ...expected.database]);
  for (const table of expected.people) await world.administer([`revoke all on ${table} from reader`]);
  const folder = join(world.folder, 'config');
  const configFile = join(folder, 'placement-sync.yaml');
  const { exitCode, stderr } = await world.cli(configFile, 'init', '--yes', '--out', folder);
  if (exitCode !== 0) throw new Error(stderr);
  const checked = (await world.cli(configFile, 'config', 'check')).exitCode === 0;

  const wrong: string[] = [];
  const missed: string[] = [];
  const idle: string[] = [];
  const unoffered: string[] = [];
  let right = 0;
  let asked = 0;
  let offered = 0;
  for (const entity of ['companies', 'vacancies', 'institutions', 'trainings']) {
    const wanted = new Map(
      [...expected.columns].flatMap(([key, sql]) => (key.startsWith(`${entity} `) ? [[key, sql]] : [])),
    );
    const text = readIfThere(join(folder, 'queries', `${entity}.sql`));
    if (text === null) {
      missed.push(...wanted.keys());
      continue;
    }
    const drafted = activeColumns(text);
    for (const [target, sql] of drafted) {
      const key = `${entity} ${target}`;
      const pattern = wanted.get(key);
      if (isNull(sql) || target === 'key') continue;
      if (pattern?.test(sql) === true) right += 1;
      else wrong.push(`${key}: ${sql.split('\n')[0] ?? ''}`);
    }
    for (const [key, pattern] of wanted) {
      const target = key.split(' ')[1] ?? '';
      if (!isNull(drafted.get(target) ?? 'null)')) continue;
      missed.push(key);
      const comment = text
        .split('\n')
        .find((line) => new RegExp(` as ${target}(,|$)`).test(line) && /^ *--/.test(line));
      if (comment !== undefined && pattern.test(comment)) asked += 1;
    }
    const base = text.replace(/^ *--.*$/gm, '');
    const count = async (condition: string) => {
      const [row] = await world.sql(`select count(*)::int as n from (${base} ${condition}) x`);
      return Number(row?.n);
    };
    const all = await count('');
    const conditions = [...text.matchAll(/^ *-- (and .*)$/gm)].map((match) => match[1] ?? '');
    for (const condition of conditions) {
      offered += 1;
      const kept = await count(condition);
      if (kept === 0 || kept === all) idle.push(`${entity}: ${condition} keeps ${kept} of ${all}`);
    }
    for (const [of, column, word] of expected.conditions)
      if (of === entity && !conditions.some((each) => each.includes(column) && each.includes(word)))
        unoffered.push(`${entity} ${column}: ${word}`);
  }
  leaveOutWhatIsOpen(folder, configFile);
  // The platform may refuse the first records all for the same reason; then the second run goes on.
  const [first, second, third] = [
    await world.run(configFile),
    await world.run(configFile),
    await world.run(configFile),
  ];
  const sum = (run: RunReport, of: 'accepted' | 'sent') =>
    Object.values(run.entities).reduce((total, report) => total + report[of], 0);
  const accepted = sum(first, 'accepted') + sum(second, 'accepted');
  const again = sum(third, 'sent');
  return { right, wrong, missed, asked, offered, idle, unoffered, checked, accepted, again };
}

/** What nothing fills, and what is null until a person uncomments a line before it. */
const isNull = (sql: string) => /^(cast\(null as text\)|null\))$/.test(sql);

/** Of `config/reference/cities.csv`. */
const SOME_CITY = '577c2bda-fbd1-4d26-ad74-e36dd6ca9ed5';

/** Edits of somebody in a hurry: codes without an id are left out, or one city, and nothing is required. */
function leaveOutWhatIsOpen(folder: string, configFile: string): void {
  const config = parseDocument(readFileSync(configFile, 'utf8'));
  const entities = config.get('entities') as YAMLMap<Scalar<string>, YAMLMap>;
  for (const { value: block } of entities.items) {
    block?.set('required', []);
    const lookups = block?.get('lookups') as YAMLMap<Scalar<string>, Scalar<string>> | undefined;
    for (const { key, value: file } of lookups?.items ?? []) {
      const path = join(folder, String(file));
      const id = String(key) === 'region_id' ? SOME_CITY : '-';
      writeFileSync(path, readFileSync(path, 'utf8').replace(/^("(?:[^"]|"")*"|[^,"]*),,/gm, `$1,${id},`));
    }
  }
  writeFileSync(configFile, String(config));
}

/** The scores as a table for people. */
export function scoreTable(scores: ReadonlyMap<string, Score>): string {
  const rows = [...scores].map(
    ([name, { right, wrong, missed, asked, offered, idle, unoffered, checked, accepted, again }]) => [
      name,
      ...[right, wrong.length, missed.length, asked, offered, idle.length, unoffered.length, accepted, again],
      checked ? 'passes' : 'fails',
    ],
  );
  const sum = (at: number) => rows.reduce((total, row) => total + Number(row[at]), 0);
  const total = ['all', ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map(sum), ''];
  const head = [
    'schema',
    'right',
    'wrong',
    'missed',
    'asked',
    'offered',
    'idle',
    'lacking',
    'accepted',
    'again',
    'check',
  ];
  const line = (row: readonly (string | number)[]) =>
    row.map((cell, at) => (at === 0 ? String(cell).padEnd(15) : String(cell).padStart(9))).join('');
  return [head, ...rows, total].map(line).join('\n');
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** Lines of a query that are no comment, by what they fill; a column of a group with what it is picked from. */
function activeColumns(text: string): ReadonlyMap<string, string> {
  const lines = text.split('\n').filter((line) => !/^ *--/.test(line));
  const from = lines.findIndex((line) => /^from /i.test(line.trim()) && !/^ {4}/.test(line));
  const list = lines.slice(0, from).flatMap((line) => {
    const [, sql = '', target = ''] = /^ {2}(.*?) +as (\w+),?$/.exec(line) ?? [];
    return target === '' ? [] : [[target, sql] as const];
  });
  const picks = lines.slice(from).filter((line) => / as \w+[,)]?$/.test(line));
  return new Map(
    list.map(([target, sql]) => {
      const names = [...sql.matchAll(/\b\w+\.(\w+)/g)].map((match) => match[1] ?? '');
      const inner = picks.filter((pick) => names.some((name) => new RegExp(` as ${name},?$`).test(pick)));
      return [target, [sql, ...inner].join('\n')];
    }),
  );
}

function expectations(name: Judged): Expected {
  if (!isOwn(name)) return fromDecisions(name);
  const text = readFileSync(join(import.meta.dirname, 'drafts', `${name}.sql`), 'utf8');
  const columns = [...text.matchAll(/^-- expect (\w+ \w+): (.*)$/gm)].map(
    ([, key = '', sql = '']) => [key, new RegExp(sql)] as const,
  );
  const conditions = [...text.matchAll(/^-- condition (\w+) (\w+): (.*)$/gm)].map(
    ([, entity = '', column = '', word = '']) => [entity, column, word] as const,
  );
  return { tables: text, data: '', people: [], database: [], columns: new Map(columns), conditions };
}

const isOwn = (name: Judged): name is (typeof DRAFTS)[number] => (DRAFTS as readonly string[]).includes(name);

/** What takes several lines there and is no plain column. */
const OWN: Readonly<Record<string, string>> = {
  'public-sector companies email': 'where m like',
  'erp vacancies min_salary_currency': 'currency_id',
  'erp vacancies max_salary_currency': 'currency_id',
};

/** The columns that the queries written by hand take. */
function fromDecisions(name: SchemaName): Expected {
  const { tables, data, decisions } = readSchemaFiles(name);
  const columns = Object.entries(decisions.queries).flatMap(([entity, query]) => {
    const joined = query.replace(/\n +as (\w+,?)$/gm, ' as $1');
    const main = joined.slice(joined.lastIndexOf('\nselect\n') + 1);
    return [...activeColumns(main)].flatMap(([target, sql]) => {
      const names = [...sql.matchAll(/(?<=[.>]|->')\s*'?(\w+)/g)].map((match) => match[1] ?? '');
      // Ways to the parent, and what takes several lines: the records of the other tests show that these are right.
      const any =
        OWN[`${name} ${entity} ${target}`] ??
        (target.endsWith('_key') || names.length === 0 ? '.' : `\\b(${[...names, target].join('|')})\\b`);
      return target === 'key' ? [] : [[`${entity} ${target}`, new RegExp(any)] as const];
    });
  });
  const contract = new Set(
    ENTITIES.flatMap((each) => each.columns.map(({ name: of }) => `${each.name} ${of}`)),
  );
  return {
    ...{ tables, data, people: decisions.people, database: decisions.database ?? [] },
    columns: new Map(columns.filter(([key]) => contract.has(key))),
    conditions: [],
  };
}
