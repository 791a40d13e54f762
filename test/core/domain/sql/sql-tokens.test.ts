import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { sqlTokens } from '../../../../src/core/domain/sql/sql-text.js';
import { SUSPECT_CHARACTERS } from './suspect-characters.js';

/** Before version 16 `\v` is neither blank nor token, so no statement with it outside of quotes is carried out. */
const NO_TOKEN = 'no statement may have this character';

/** Kind and text of each token, with a blank between them. */
const tokensOf = (sql: string) =>
  [...sqlTokens(sql)].map(({ kind, start, end }) => `${kind} ${sql.slice(start, end)}`);

describe('the tokens of SQL', () => {
  it('are divided by the six blanks of Postgres, and by nothing else of Unicode', () => {
    const blanks: string[] = [];
    const strange: string[] = [];
    for (let code = 1; code <= 0x10_ffff; code += 1) {
      const character = String.fromCodePoint(code);
      // What is a letter begins a name, and a dollar in it begins no literal.
      const [first] = sqlTokens(`${character}$$;$$`);
      if (first?.start === 1) blanks.push(character);
      else if (code >= 0x80 && first?.kind !== 'word') strange.push(character);
    }
    expect({ blanks, strange }).toEqual({ blanks: ['\t', '\n', '\v', '\f', '\r', ' '], strange: [] });
  });

  it.each([
    ["1e'\\';'", ['other 1', "literal e'\\';'"]],
    ["1.5e3e'\\';'", ['other 1.5e3', "literal e'\\';'"]],
    ["1e+'\\'", ['other 1', 'word e', 'other +', "literal '\\'"]],
    ['1$$;$$', ['other 1', 'literal $$;$$']],
    ['a$$;b', ['word a$$', 'semicolon ;', 'word b']],
    ["E'a'\n\u00a0'\\'", ["literal E'a'", 'word \u00a0', "literal '\\'"]],
    ["E'a' -- b\n--c'\r\v'\\''", ["literal E'a' -- b\n--c'\r\v'\\''"]],
  ])('of %j are those of every version of Postgres', (sql, tokens) => {
    expect(tokensOf(sql)).toEqual(tokens);
  });

  it('are found in one pass: a line of dashes behind a literal is not tried in every division', () => {
    const sql = `select 'a' ${'-- '.repeat(20_000)}${'-'.repeat(20_000)}\nas key`;
    const work = () => tokensOf(sql).length;
    expect(runInNewContext('work()', { work }, { timeout: 20_000 })).toBe(4);
  });
});

describe('Postgres', () => {
  let client: pg.Client;
  beforeAll(async () => {
    client = new pg.Client({ connectionString: inject('postgresUrl') });
    await client.connect();
  });
  afterAll(() => client.end());

  /**
   * Where Postgres's first token begins and ends, by what it says of it; null: there is none; text: why it refuses the
   * whole. None of the tokens below may stand behind DROP.
   */
  async function firstToken(sql: string): Promise<{ start: number; end: number } | string | null> {
    const error = await client.query(`drop ${sql}`).then(
      () => new Error('nothing was wrong'),
      (reason: pg.DatabaseError) => reason,
    );
    if (error.message === 'syntax error at end of input') return null;
    const near = /^syntax error at or near "([^]*)"$/.exec(error.message)?.[1];
    if (near === undefined) return error.message;
    if (near === '\v') return NO_TOKEN;
    const characters = [...sql].slice(0, Number((error as pg.DatabaseError).position) - 'drop '.length - 1);
    const start = characters.join('').length;
    return { start, end: start + near.length };
  }

  /** The first difference, or null. What Postgres refuses as a whole may be divided in any way, but be open. */
  async function difference(sql: string): Promise<unknown> {
    const own = [...sqlTokens(sql)];
    for (let at = 0; ;) {
      const theirs = await firstToken(sql.slice(at));
      const [next] = own;
      if (typeof theirs === 'string')
        return theirs.startsWith('unterminated') && !own.some(({ kind }) => kind === 'open')
          ? { sql, theirs }
          : null;
      if (theirs === null) return next === undefined ? null : { sql, at, next };
      const end = at + theirs.end;
      const within = own.splice(0, own.findIndex((token) => token.end === end) + 1);
      // Their operators and numbers may be several of ours.
      const same = within.length === 1 || within.every(({ kind }) => kind === 'other' || kind === 'word');
      if (within[0]?.start !== at + theirs.start || !same) {
        const behind = await firstToken(sql.slice(end));
        return behind === NO_TOKEN ? null : { sql, at, theirs, next };
      }
      at = end;
    }
  }

  it('divides a text at the same places, whatever stands for a blank in it', async () => {
    const found: unknown[] = [];
    for (const character of SUSPECT_CHARACTERS)
      for (const sql of [`a${character}$$;b$$`, `E'a'\n${character}'\\';b'`])
        found.push(await difference(sql));
    expect(found.filter((each) => each !== null)).toEqual([]);
  });

  it('divides any text at the same places', async () => {
    const piece = fc.constantFrom(
      ..."' '' \\ \\' E' e' U&' N' b'0 x'1 \" \"\" U&\" $$ $a$ $é$ $1 -- --x /* */ /*/ **/ * / + - @ < > = ; : :: := . , ( ) [ ] a e _ é 1 1.5 .5 1e 1e5 1e+ 0x1F 1_0 a$ ;b".split(
        ' ',
      ),
      ...' \n\r\t\f\v\u00a0\u2003\u3000\ufeff\u2028\u0085'.split(''),
      ...['\n', ' \n ', '\n--', '"a"', "'a'"],
    );
    const texts = fc.sample(
      fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join('')),
      { numRuns: 400, seed: 7 },
    );
    const found: unknown[] = [];
    for (const sql of texts) found.push(await difference(sql));
    expect(found.filter((each) => each !== null)).toEqual([]);
  });
});
