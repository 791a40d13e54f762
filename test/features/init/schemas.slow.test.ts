import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, test } from 'vitest';
import { ENTITIES, entity } from '../../../src/core/entities/index.js';
import { checkValues } from '../../../src/features/catalog/read-details.js';
import { innerQuery } from '../../../src/features/doctor/read/base-tables.js';
import { reservedName } from '../../../src/features/doctor/rows/placeholders.js';
import { createHtmlTally } from '../../../src/features/doctor/rows/tallies.js';
import { leftOutOnPurpose, mentions, openDecisions } from '../../../src/features/doctor/sql/conditions.js';
import { queryShape } from '../../../src/features/doctor/sql/query-shape.js';
import { guessCity, guessWord } from '../../../src/features/init/guess-ids.js';
import { isPersonalColumn } from '../../../src/features/init/words.js';
import { csvText } from '../../../src/features/init/write/lookup-files.js';
import { createTestDatabase } from '../../postgres/test-database.js';
import { connectFromDraft } from './connect-from-draft.js';
import { readSchemaFiles, SCHEMAS } from './schema-files.js';

describe('schemas', () => {
  const CONTRACT = new Set(ENTITIES.flatMap(({ columns }) => columns.map(({ name }) => name)));
  const NOUNS = /compan|vacanc|institution|training|employer|^titles?$/;

  /** What makes the six databases a test: nothing in them can be mapped by its name. */
  describe.each(SCHEMAS)('the database %s', (name) => {
    it('has ten tables or more, large main tables, and no name of the contract', async () => {
      const { tables, data, decisions, expected } = readSchemaFiles(name);
      const database = await createTestDatabase();
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
});

describe('portal', () => {
  it('connects an Indonesian portal with UUID keys, jsonb and child tables, beginning with a draft', async () => {
    await connectFromDraft('portal');
  });
});

describe('linear', () => {
  const seeHtml = (text: string) => {
    const tally = createHtmlTally(entity('vacancies'), { plainText: [], lookups: {} });
    const mapped = { payload: null, issues: [], warnings: [], parentPlatformId: null };
    tally.see({ name: '1', row: { description: text }, mapped });
  };
  const places = [{ id: '1', code: '3273', name: 'Kota Bandung' }];

  interface Case {
    readonly of: string;
    readonly work: (text: string) => unknown;
    /** Repeated, between the two others: as hard for the work as can be. */
    readonly part: string;
    readonly begin?: string;
    readonly end?: string;
  }

  const state = (sql: string) => mentions(sql, 'state');
  const CASES: readonly Case[] = [
    { of: 'HTML in a value', work: seeHtml, part: '<p ' },
    { of: 'HTML in a value', work: seeHtml, part: '\t/', begin: '<p ' },
    { of: 'HTML in a value', work: seeHtml, part: '&#1' },
    { of: 'an address', work: reservedName, part: 'example.' },
    { of: 'an address', work: reservedName, part: 'a@', begin: 'http://' },
    { of: 'a key of JSON', work: isPersonalColumn, part: 'A' },
    { of: 'a code', work: (code) => guessCity(code, null, places), part: '0', begin: '3273' },
    { of: 'a code', work: (code) => guessCity(code, null, places), part: 'kota ' },
    { of: 'a code', work: (code) => guessWord('gender', code, null, []), part: '_ ' },
    {
      of: 'a code',
      work: (code) => csvText({ lines: [{ code, id: '', name: code, count: 1, note: '' }] }),
      part: '\n ',
    },
    { of: 'a rule', work: checkValues, part: "''", begin: "CHECK ((a = '", end: '))' },
    { of: 'a rule', work: checkValues, part: "'b', ", begin: 'CHECK ((a = ANY (ARRAY[', end: "'c'" },
    { of: 'columns of a query', work: state, part: 'a', begin: "select '" },
    { of: 'columns of a query', work: state, part: ' state', begin: 'select as' },
    { of: 'columns of a query', work: state, part: '--  ', begin: 'select 1 ' },
    { of: 'columns of a query', work: state, part: '\n', begin: 'select 1 ' },
    { of: 'questions in a query', work: openDecisions, part: '-', begin: 'select 1 -- ' },
    {
      of: 'questions in a query',
      work: openDecisions,
      part: ' ',
      begin: 'select x as y',
      end: 'z -- decide: this?',
    },
    { of: 'questions in a query', work: openDecisions, part: '-- decide: this?\nx\n' },
    { of: 'questions in a query', work: openDecisions, part: 'as a ', begin: '-- decide: this?\n' },
    {
      of: 'joins in a query',
      work: (sql) => leftOutOnPurpose(sql, ['hr.firm']),
      part: 'join ',
      begin: '-- ',
    },
    {
      of: 'a subquery',
      work: (baseSql) => innerQuery({ baseSql }, new Map()),
      part: ')',
      begin: '(',
      end: 'x',
    },
    { of: 'a query', work: queryShape, part: 'a', begin: "select '", end: "' from t" },
  ];

  /**
   * Each is four times as long, so what is quadratic takes 16 times as much: seconds become hours before the last one. No
   * duration is compared; what is linear has done the last one within a second or two.
   */
  const SIZES = [64_000, 256_000, 1_024_000, 4_096_000];

  test.for(CASES)(
    'the work for $of comes to its end, however long the text is: $part',
    async ({ work, part, begin = '', end = '' }, { signal }) => {
      for (const size of SIZES) {
        work(begin + part.repeat(Math.ceil(size / part.length)) + end);
        // Between two sizes, the limit of a test that hangs can take effect.
        await setImmediate();
        signal.throwIfAborted();
      }
    },
  );
});
