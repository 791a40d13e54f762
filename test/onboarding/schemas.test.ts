import { describe, expect, it, onTestFinished } from 'vitest';
import { ENTITIES } from '../../src/entities/index.js';
import { createTestDatabase } from '../postgres/test-database.js';
import { readSchemaFiles, SCHEMAS } from './schema-files.js';

const CONTRACT = new Set(ENTITIES.flatMap(({ columns }) => columns.map(({ name }) => name)));
const NOUNS = /compan|vacanc|institution|training|employer|^titles?$/;

/** What makes the six databases a test: nothing in them can be mapped by its name. */
describe.each(SCHEMAS)('the database %s', (name) => {
  it('has ten tables or more, large main tables, and no name of the contract', async () => {
    const { tables, data, decisions, expected } = readSchemaFiles(name);
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    await database.query(tables);
    await database.query(data);
    const columns = await database.query<{ table: string; column: string }>(
      `select c.table_name as table, c.column_name as column from information_schema.columns c
       where c.table_schema !~ '^(pg_|information_schema)'`,
    );
    const tableNames = new Set(columns.map(({ table }) => table));
    expect(tableNames.size).toBeGreaterThanOrEqual(10);
    const names = [...tableNames, ...columns.map(({ column }) => column)];
    expect(names.filter((one) => CONTRACT.has(one) || NOUNS.test(one))).toEqual([]);

    expect(Object.keys(decisions.tables)).toEqual(Object.keys(expected));
    for (const [entity, table] of Object.entries(decisions.tables)) {
      const [found] = await database.query<{ rows: number }>(`select count(*)::int as rows from ${table}`);
      expect(found?.rows, table).toBeGreaterThanOrEqual(30);
      expect(found?.rows, table).toBeLessThanOrEqual(200);
      // Some rows must stay at home: drafts, deleted ones, the past.
      expect(Object.keys(expected[entity] ?? {}).length).toBeLessThan(found?.rows ?? 0);
    }
  });
});
