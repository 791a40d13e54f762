import { describe, expect, it } from 'vitest';
import { SyncError } from '../../../src/core/domain/errors.js';
import type { EntityQuery } from '../../../src/core/ports/source.js';
import { checkColumns, prepareQuery } from '../../../src/core/source/query.js';

describe('checkColumns', () => {
  const companies: EntityQuery = {
    entity: 'companies',
    sql: '',
    file: 'queries/companies.sql',
    columns: [
      { name: 'key', required: true },
      { name: 'row_version' },
      { name: 'name', required: true },
      { name: 'postal_code' },
    ],
  };
  const statuses: EntityQuery = {
    entity: 'application-statuses',
    sql: '',
    file: 'queries/application-statuses.sql',
    columns: [
      { name: 'key', required: true },
      { name: 'status', required: true },
    ],
    gone: { columns: ['vacancy_key', 'email'], instead: 'Name the application by its id.' },
  };

  function problemsOf(query: EntityQuery, names: string[]): unknown {
    try {
      checkColumns(query, names);
    } catch (error) {
      expect(error).toMatchObject({ code: 'column-contract', scope: 'entity' });
      expect((error as SyncError).message).toContain(query.file);
      return (error as SyncError).details.problems;
    }
    return [];
  }

  it('accepts the required columns in any order, without the optional ones', () => {
    expect(problemsOf(companies, ['name', 'key'])).toEqual([]);
  });

  it('reports every problem at once, with the closest known name', () => {
    expect(problemsOf(companies, ['key', '?column?', 'postal_cod', 'key', ''])).toEqual([
      'column 2 has no name (give it one: … as name)',
      'column "postal_cod" is unknown (did you mean "postal_code"?)',
      'column "key" appears twice (leave one out)',
      'column "" is unknown (leave it out)',
      'the required column "name" is missing',
    ]);
  });

  it('says what to write in place of the columns that named an application by its person', () => {
    expect(problemsOf(statuses, ['key', 'email', 'status'])).toEqual([
      'column "email" is unknown (leave it out)',
    ]);
    expect(() => checkColumns(statuses, ['vacancy_key', 'email', 'status'])).toThrow(
      expect.objectContaining({
        hint: expect.stringMatching(/^Name the application by its id\. Correct the select list/) as string,
      }),
    );
    expect(problemsOf(companies, ['name'])).toEqual(['the required column "key" is missing']);
  });
});

describe('prepareQuery', () => {
  const prepare = (sql: string) => prepareQuery({ entity: 'companies', file: 'queries/companies.sql', sql });

  function refusal(sql: string): SyncError {
    try {
      prepare(sql);
    } catch (error) {
      if (error instanceof SyncError) return error;
      throw error;
    }
    throw new Error(`not refused: ${sql}`);
  }

  it.each([
    ['select 1'],
    ['-- a; comment\nselect 1 -- the end;'],
    ['/* a; /* nested; */ still; */ select 1'],
    [`select 'a;b', 'it''s;', "a;""b", $$;'$$, $body$ $$ ; $body$`],
    [`select E'it\\'s; \\\\', e'\\';'`],
    [`select E'a'\n  '\\';'`],
    [`select '\\', ';'`],
    [`select U&'d\\0061t;a', N'x;'`],
    [`select '$1', "$2", $$ $3 $$, a$1 /* $4 */ -- $5`],
    [`select payload ? 'a', payload ?| array['?'], 'https://x/v/1?a=1'`],
    ['(select 1) union all (select 2)'],
    ['with a as (select 1) select * from a'],
    ['values (1)'],
    ['select 1.5e3::text, a-b, a- -b'],
  ])('leaves %j as it is', (sql) => {
    expect(prepare(sql)).toBe(sql);
  });

  it.each([
    ['select 1;', 'select 1'],
    ['select 1 ; \n-- end; of file\n /* ; */ ', 'select 1 '],
    ["select ';';", "select ';'"],
    ['select 1;;', 'select 1'],
    ['\uFEFFselect 1', ' select 1'],
  ])('makes %j into %j', (sql, prepared) => {
    expect(prepare(sql)).toBe(prepared);
  });

  it.each([
    ['', 'is empty'],
    [' \n-- nothing\n/* here */;', 'is empty'],
    ['select 1; select 2', 'has more than one statement'],
    ["select ';'; -- x\n delete from t", 'has more than one statement'],
    ['select $1', 'has the parameter $1'],
    ['select a,$2from t', 'has the parameter $2'],
    ['delete from companies', 'begins with "delete"'],
    ['explain select 1', 'begins with "explain"'],
    ["select 'abc", 'does not end'],
    ['select "abc', 'does not end'],
    ['select 1 /* /* */', 'does not end'],
    ['select $a$ x $b$', 'does not end'],
    ["select E'a\\'", 'does not end'],
    ['select 1;\u00a0', 'has the character U+00A0'],
    ['select key from a \ufeff$$', 'has the character U+FEFF'],
    ["select 'a\0'", 'has the character U+0000'],
    ["select 1e'a\\''; select 2 --'", 'has more than one statement'],
  ])('refuses %j, which %s', (sql, problem) => {
    const error = refusal(sql);
    expect(error).toMatchObject({ code: 'query-failed', scope: 'entity' });
    expect(error.message).toContain('companies (queries/companies.sql');
    expect(error.message).toContain(problem);
    expect(error.hint).toBeTruthy();
  });

  it('names line and column of what it refuses', () => {
    expect(refusal("select '😀',\n  '😀', $1").details).toMatchObject({ line: 2, column: 8 });
  });
});
