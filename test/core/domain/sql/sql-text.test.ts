import { describe, expect, it } from 'vitest';
import { misreadCharacter } from '../../../../src/core/domain/sql/sql-text.js';

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
