import { describe, expect, it } from 'vitest';
import {
  misreadCharacter,
  namedParameters,
  type StatementProblem,
} from '../../../src/domain/sql/sql-text.js';

describe('misread character', () => {
  it.each([
    ['select\u00a01', 6, 'U+00A0'],
    ['select 1 as key\n\u3000from t', 16, 'U+3000'],
    ['select 1;\u2028', 9, 'U+2028'],
    ['select a\u0085', 8, 'U+0085'],
    ['select a\u200b', 8, 'U+200B'],
    ['select 1 /* \0 */', 12, 'U+0000'],
  ])('%j has at %i the character %s', (sql, at, name) => {
    const found = misreadCharacter(sql);
    expect(found).toMatchObject({ at, problem: expect.stringContaining(name) as string });
    expect(found?.hint).not.toBe('');
  });

  it.each([
    'select \'\u00a0\', "\u00a0", $$\u00a0$$ -- \u00a0\n/* \u00a0 */',
    'select ä, 名前, a\u200cb',
    ' \t\n\r\f\v',
  ])('%j has none', (sql) => {
    expect(misreadCharacter(sql)).toBeNull();
  });
});

const KNOWN = ['application_id', 'email', 'n'];
const rewrite = (sql: string) => namedParameters(sql, KNOWN);

describe('parameters by name', () => {
  it('become numbers, each use one of its own', () => {
    expect(rewrite('insert into a values (:application_id, :email, :email)')).toEqual({
      text: 'insert into a values ( $1,  $2,  $3)',
      names: ['application_id', 'email', 'email'],
    });
  });

  it.each([
    ['select :email::text', 'select  $1::text'],
    ['select :email :: text', 'select  $1 :: text'],
    ['select x::email, :n', 'select x::email,  $1'],
    ['select a[1:2], a[1 : n], :n', 'select a[1:2], a[1 : n],  $1'],
    ['select f(a := :n)', 'select f(a :=  $1)'],
    ['select a:n', 'select a $1'],
    ['select (:n)', 'select ( $1)'],
    ["select :n;\n-- the end ':email", 'select  $1'],
  ])('%j becomes %j', (sql, text) => {
    expect(rewrite(sql)).toMatchObject({ text });
  });

  it.each([
    [`select ':email', E'\\':email', "a:email", $$ :email $$, $b$ :email $$ :email $b$`],
    ['select 1 -- :email\n/* :email /* :email */ :email */'],
    [`select 'https://x/v/1?a=1', payload ? 'a', payload ?| array['?'], '\\?'`],
    ["select '{\"a\":1}'::jsonb, '10:30'::time, a::email"],
    ["select E'a'\n  '\\':email'"],
    ['select U&"d:email", N\':email\''],
  ])('leaves %j as it is', (sql) => {
    expect(rewrite(sql)).toEqual({ text: sql, names: [] });
  });

  it('takes a byte order mark for a blank', () => {
    expect(rewrite('\uFEFFselect :n')).toEqual({ text: ' select  $1', names: ['n'] });
  });
});

describe('a statement that cannot be used', () => {
  it.each([
    ['', 1, 'is empty'],
    ['-- nothing\n;', 1, 'is empty'],
    ['select 1;\nselect 2', 2, 'more than one statement'],
    ['commit', 1, 'begins with "commit"'],
    ['call f(:email)', 1, 'begins with "call"'],
    ['select $1', 1, 'has $1; write parameters by name'],
    ["select 'a", 1, 'does not end'],
    ['select\n :emial', 2, 'unknown parameter :emial; did you mean :email?'],
    ['select :Email', 1, 'did you mean :email?'],
    ['select a[1:upper]', 1, 'unknown parameter :upper'],
    ['select\n\u2003:email', 2, 'has the character U+2003'],
  ])('%j is refused with its line and the hint', (sql, line, problem) => {
    const problems = rewrite(sql) as readonly StatementProblem[];
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ line, problem: expect.stringContaining(problem) as string });
  });

  it('has all its problems reported together, in the order of lines', () => {
    const problems = rewrite('select :emial,\n:nobody\n;select 1') as readonly StatementProblem[];
    expect(problems.map(({ line }) => line)).toEqual([1, 2, 3]);
  });
});
