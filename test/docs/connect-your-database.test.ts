import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { EntityName } from '../../src/domain/names.js';
import { entity } from '../../src/entities/index.js';
import { readLookup } from '../../src/entities/lookup.js';
import { runCli } from '../cli/run-cli.js';
import { createTestDatabase, type TestDatabase } from '../postgres/test-database.js';
import { blocksOf, cellsOf } from './read-pages.js';
import { settingsProblems } from './settings-problems.js';

const BLOCKS = blocksOf('docs/connect-your-database.md');
const SQL = BLOCKS.filter(({ kind }) => kind === 'sql').map(({ text }) => text);
const TABLES = SQL.filter((sql) => sql.startsWith('create '));

const ROWS = `
  insert into hr.employer (employer_no, legal_form, legal_name, website) values (1, 'PT', 'Contoh', 'contoh.example');
  insert into hr.job_ad (ad_id, employer_no, headline, pay_from, pay_secret, closes_at, state)
    values (7, 1, 'Cook', 1, true, now() at time zone 'utc' + interval '1 day', 1),
           (8, 1, 'Late', 1, true, now() at time zone 'utc' - interval '1 day', 1);
  insert into hr.job_ad_skill values (7, 'salt'), (7, 'pepper')`;

describe('docs/connect-your-database.md', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    for (const tables of TABLES) await database.query(tables);
    await database.query(ROWS);
  });
  afterAll(() => database.drop());

  const queryOf = (start: string) => SQL.find((sql) => sql.includes(start)) ?? '';

  it.each<[EntityName, string]>([
    ['companies', 'e.employer_no '],
    ['vacancies', 'a.ad_id '],
    ['application-statuses', 'id as key'],
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
    const out = mkdtempSync(join(tmpdir(), 'placement-sync-guide-'));
    onTestFinished(() => rmSync(out, { recursive: true }));
    const { exitCode, stdout } = await runCli(['init', '--yes', '--out', out], {
      env: { SOURCE_DATABASE_URL: database.url },
    });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('companies: hr.employer ');
    expect(stdout).toContain('vacancies: hr.job_ad ');
    // The page shows how a draft ends.
    expect(readFileSync(join(out, 'queries', 'vacancies.sql'), 'utf8')).toMatch(
      /^where true\n {2}-- decide: which rows are published\? state: 1 2 .*\n {2}-- and v\.state in \(1\)$/m,
    );
  });

  it('every other statement runs', async () => {
    const others = SQL.filter((sql) => !TABLES.includes(sql))
      .join(';')
      .split(';')
      .filter((part) => /select/i.test(part));
    expect(others.length).toBeGreaterThanOrEqual(8);
    for (const statement of others)
      await expect(database.query(statement), statement).resolves.toBeInstanceOf(Array);
  });

  it('its lookup and its settings are valid', () => {
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
