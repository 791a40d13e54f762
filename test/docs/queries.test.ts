import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { settingsSchema } from '../../src/core/config/schema.js';
import type { EntityName } from '../../src/core/domain/names.js';
import { ENTITIES, entity } from '../../src/core/entities/index.js';
import { readLookup } from '../../src/core/entities/lookup.js';
import { createCliWorld } from '../cli/cli-world.js';
import { runCli } from '../cli/run-cli.js';
import { merge } from '../features/init/write-configuration.js';
import { createTestDatabase, type TestDatabase } from '../postgres/test-database.js';
import { type Block, blocksOf, cellsOf } from './read-pages.js';
import { temporaryFolder } from '../temporary-folder.js';

const AREA = {
  baseUrl: 'https://platform.example.com',
  clientId: 'client',
  clientSecret: 'a-long-enough-secret',
};

const COMPLETE = {
  source: { url: 'postgres://reader@127.0.0.1/hr' },
  ids: { namespace: '6ba7b810-9dad-41d1-80b4-00c04fd430c8' },
  platform: { jobs: AREA, training: AREA },
  entities: { companies: { query: 'q.sql' } },
};

/** What is wrong with a part of a configuration that a page shows; `${NAME}` stands for an address. */
function settingsProblems(yaml: string): string[] {
  const part = parse(yaml.replaceAll(/\$\{\w+\}/g, 'postgres://role@127.0.0.1/db')) as Record<
    string,
    unknown
  >;
  const { error } = settingsSchema.safeParse(merge(COMPLETE, part));
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

const BLOCKS = blocksOf('docs/queries.md');
const IN_HR = new Set(['', 'A company and its vacancies', 'Lookups']);
const ELSEWHERE = new Set(['MySQL and MariaDB', 'CSV files', 'A replica as source']);

describe('the recipes of docs/queries.md', () => {
  const COLUMNS = new Set(ENTITIES.flatMap(({ columns }) => columns.map(({ name }) => name)));

  const recipes = [
    ...new Set(BLOCKS.filter(({ kind }) => kind === 'sql').map(({ section }) => section)),
  ].filter((section) => !IN_HR.has(section) && !ELSEWHERE.has(section));

  /** A value as a page shows it: null is an empty cell, and blanks are one. */
  function shown(value: unknown): string {
    if (value === null) return '';
    if (Array.isArray(value)) return `[${value.map((each) => JSON.stringify(each)).join(', ')}]`;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return text.replace(/\s+/g, ' ').trim();
  }

  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });

  it('are there', () => {
    expect(recipes.length).toBeGreaterThan(7);
  });

  it.each(recipes)('%s: the statements run, and return what the page shows', async (recipe) => {
    await database.query('drop schema public cascade; create schema public');
    const blocks = BLOCKS.filter(({ section }) => section === recipe);
    let queries = 0;
    for (const [index, block] of blocks.entries()) {
      if (block.kind !== 'sql') continue;
      if (block.text.startsWith('create ')) await database.query(block.text);
      else {
        queries += 1;
        await expectResult(block, blocks[index + 1]);
      }
    }
    expect(queries).toBeGreaterThan(0);
  });

  async function expectResult({ text }: Block, next: Block | undefined): Promise<void> {
    const rows = await database.query<{ row: Record<string, unknown> }>(
      `select row_to_json(q) as row from (\n${text}\n) q`,
    );
    const [first] = rows;
    // A result without rows is not on the page.
    if (first === undefined) return;
    expect(next?.kind, `no result behind: ${text}`).toBe('table');
    const [header = [], ...cells] = cellsOf(next?.text ?? '');
    expect(Object.keys(first.row)).toEqual(header);
    expect(rows.map(({ row }) => Object.values(row).map(shown))).toEqual(cells);
    if (header.includes('key')) expect(header.filter((name) => !COLUMNS.has(name))).toEqual([]);
  }
});

describe('the tables of docs/queries.md', () => {
  const SQL = BLOCKS.filter(({ kind, section }) => kind === 'sql' && IN_HR.has(section)).map(
    ({ text }) => text,
  );
  const TABLES = SQL.filter((sql) => sql.startsWith('create '));

  const ROWS = `
  insert into hr.employer (employer_no, legal_form, legal_name, website) values (1, 'PT', 'Contoh', 'contoh.example');
  insert into hr.job_ad (ad_id, employer_no, headline, pay_from, pay_secret, closes_at, state)
    values (7, 1, 'Cook', 1, true, now() at time zone 'utc' + interval '1 day', 1),
           (8, 1, 'Late', 1, true, now() at time zone 'utc' - interval '1 day', 1);
  insert into hr.job_ad_skill values (7, 'salt'), (7, 'pepper')`;

  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    for (const tables of TABLES) await database.query(tables);
    await database.query(ROWS);
  });

  const queryOf = (start: string) => SQL.find((sql) => sql.includes(start)) ?? '';

  it.each<[EntityName, string]>([
    ['companies', 'e.employer_no '],
    ['vacancies', 'a.ad_id '],
  ])('its query of %s returns columns of the contract', async (name, start) => {
    const [row] = await database.query(
      `select q.* from (select 1) one left join (${queryOf(start)}) q on true`,
    );
    const contract = entity(name).columns;
    const returned = Object.keys(row ?? {});
    expect(returned.length).toBeGreaterThan(3);
    expect(returned.filter((column) => !contract.some((one) => one.name === column))).toEqual([]);
    for (const { name: column, required } of contract) if (required) expect(returned).toContain(column);
  });

  it('keeps pay and websites back, orders skills, and leaves the past out', async () => {
    expect(await database.query(queryOf('e.employer_no '))).toMatchObject([
      { name: 'PT Contoh', website: null },
    ]);
    expect(await database.query(queryOf('a.ad_id '))).toMatchObject([
      { key: '7', min_salary_amount: null, skills: ['pepper', 'salt'] },
    ]);
  });

  it('init finds the tables of the examples', async () => {
    const out = temporaryFolder();
    // What all rows have alike asks nothing.
    await database.query('update hr.job_ad set state = 9 where ad_id = 8');
    const { exitCode, stdout } = await runCli(['init', '--yes', '--out', out], {
      env: { SOURCE_DATABASE_URL: database.url },
    });
    await database.query('update hr.job_ad set state = 1');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('companies: hr.employer ');
    expect(stdout).toContain('vacancies: hr.job_ad ');
    expect(readFileSync(join(out, 'queries', 'vacancies.sql'), 'utf8')).toMatch(
      /^where true\n {2}-- decide: which rows are published\? state: 1 1 · 9 1 \(numbers: .*\)\n {2}-- decide: which rows are gone/m,
    );
  });

  it('every other statement runs', async () => {
    const others = SQL.filter((sql) => !TABLES.includes(sql))
      .join(';')
      .split(';')
      .filter((part) => /select/i.test(part));
    expect(others.length).toBeGreaterThanOrEqual(3);
    for (const statement of others)
      await expect(database.query(statement), statement).resolves.toBeInstanceOf(Array);
  });

  it('its lookups and its settings are valid', () => {
    expect(BLOCKS.filter(({ kind }) => kind === 'csv' || kind === 'yaml').length).toBeGreaterThan(2);
    for (const { kind, text } of BLOCKS) {
      if (kind === 'csv') expect(readLookup(text, 'page.csv').entries.size).toBeGreaterThan(3);
      if (kind === 'yaml') expect(settingsProblems(text), text).toEqual([]);
    }
  });

  it('its table of - and * has every column that takes a lookup, and is right about what is refused', () => {
    const [table] = BLOCKS.filter(({ kind, text }) => kind === 'table' && text.includes('row with code'));
    const [, ...rows] = cellsOf(table?.text ?? '');
    const mapped = (name: EntityName) =>
      entity(name).columns.flatMap((column) => (column.lookup === true ? [{ entity: name, ...column }] : []));
    const named = rows.map(([columns = '', left = '']) => ({
      names: [...columns.matchAll(/\w+/g)].map(([name]) => name),
      // Of some columns a row says which entities it is about.
      of: /of (.*)$/.exec(columns)?.[1],
      refused: left.startsWith('refused'),
    }));
    const wrong = (['companies', 'vacancies', 'institutions', 'trainings', 'application-statuses'] as const)
      .flatMap(mapped)
      .filter((column) => {
        const about = named.find(
          ({ names, of }) =>
            names.includes(column.name) && (of?.includes(column.entity.replace('-', ' ')) ?? true),
        );
        const required = column.required ?? entity(column.entity).assumedRequired.includes(column.name);
        return about?.refused !== required;
      });
    expect(wrong.map(({ entity: name, name: column }) => `${name}.${column}`)).toEqual([]);
  });
});

describe('docs/queries.md, a folder with CSV files', () => {
  const [CONNECT = '', QUERY = ''] = BLOCKS.filter(
    ({ section, kind }) => section === 'CSV files' && kind === 'sql',
  ).map(({ text }) => text);
  const HEAD = 'kode,perusahaan,judul,tutup';

  /** A world that reads its vacancies from such a file; the server's user may read it, who may be another than ours. */
  async function csvWorld() {
    const world = await createCliWorld();
    const folder = temporaryFolder();
    chmodSync(folder, 0o755);
    const file = join(folder, 'lowongan.csv');
    await world.sql(CONNECT.replace('/srv/hr/lowongan.csv', file));
    await world.sql(`insert into company (id, name) values ('c1', 'PT Satu')`);
    world.write('vacancies.sql', QUERY);
    world.configure('query: vacancies.sql', 'query: vacancies.sql, onVanished: close');
    const lines = (...rows: readonly string[]) => writeFileSync(file, `${[HEAD, ...rows].join('\n')}\n`);
    return { world, file, lines };
  }

  it('is read, and an edited line is one request', async () => {
    const { world, lines } = await csvWorld();
    lines('v1,c1,Operator,2030-12-31', 'v2,c1,"Kasir, malam",');
    expect(await world.run()).toMatchObject({ code: 0, entities: { vacancies: { accepted: 2 } } });
    lines('v1,c1,Operator produksi,2030-12-31', 'v2,c1,"Kasir, malam",');
    expect(await world.run()).toMatchObject({ code: 0, entities: { vacancies: { changed: 1, sent: 1 } } });
  });

  it('makes one record invalid by a wrong cell, and holds the entity when half of the file is missing', async () => {
    const { world, lines } = await csvWorld();
    const all = Array.from({ length: 20 }, (_, index) => `v${String(index)},c1,Operator,2030-12-31`);
    lines(...all);
    expect(await world.run()).toMatchObject({ code: 0, entities: { vacancies: { accepted: 20 } } });
    lines(...all.slice(1), 'v0,c1,Operator,31 Desember');
    expect(await world.run()).toMatchObject({
      code: 3,
      entities: { vacancies: { invalid: 1, vanished: 0 } },
    });
    lines(...all.slice(0, 10));
    expect(await world.run()).toMatchObject({ code: 4, entities: { vacancies: { held: true, sent: 0 } } });
  });

  it('fails as a whole, and nothing vanishes, by a line with too few cells and without the file', async () => {
    const { world, lines, file } = await csvWorld();
    lines('v1,c1,Operator,2030-12-31', 'v2,c1,Kasir,2030-12-31');
    expect((await world.run()).code).toBe(0);
    lines('v1,c1,Operator,2030-12-31', 'v2,c1');
    const failed = {
      code: 1,
      entities: { vacancies: { vanished: 0, sent: 0, error: { code: 'query-failed' } } },
    };
    expect(await world.run()).toMatchObject(failed);
    rmSync(file);
    expect(await world.run()).toMatchObject(failed);
  });
});
