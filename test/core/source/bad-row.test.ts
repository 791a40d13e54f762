import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Source } from '../../../src/core/ports/source.js';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { amount, date, localTime, wholeNumber } from '../../../src/core/entities/values.js';
import { failure, openTestSource, queryOf, readRows } from './source-fixture.js';

let database: TestDatabase;
let source: Source;

/** 300 rows, of which one has a value that does not fit. */
const BAD = 'k217';

beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(`
    create table job (id text primary key, no int, pay text, day text, part int, j json, big bigint, tags text[]);
    insert into job select 'k' || n, n, '5000000', '31/12/2027', 5, '{"u": "x"}', 7, '{a}' from generate_series(1, 300) n;
    update job set pay = 'N/A', day = '31/02/2027', part = 0, j = '{"u": "x\\ud83d"}', big = 9999999999, tags = '{x}'
      where id = '${BAD}';
    create table copy as select * from job;
    create table reply (job text, body text);
    insert into reply select id, 'yes' from job;
    insert into reply values ('${BAD}', 'no');
    create domain positive as int check (value > 0)`);
  source = openTestSource(database.url);
});
afterAll(() => source.close());

const errorOf = (select: string, rest = 'from job') =>
  failure(readRows(source, queryOf(`select ${select} ${rest}`)));

describe('a value that the query cannot compute', () => {
  it.each([
    ['a cast to numeric', `pay::numeric as name`, '22P02'],
    ['to_date of a day that is none', `to_date(day, 'DD/MM/YYYY') as name`, '22008'],
    ['a cast to date', `regexp_replace(day, '(..)/(..)/(....)', '\\3-\\2-\\1')::date as name`, '22008'],
    ['half an emoji', `j ->> 'u' as name`, '22P02'],
    ['a division', `100 / part as name`, '22012'],
    ['a cast to integer', `big::int as name`, '22003'],
    ['a timestamp out of range', `to_timestamp(big * 100000000) as name`, '22008'],
    ['a cast to json', `(pay || case when pay = 'N/A' then '{' else '' end)::json as name`, '22P02'],
    ['substring', `substring(pay from 1 for part - 1) as name`, '22011'],
    ['a regular expression', `pay ~ (case when part = 0 then '(' else 'a' end) as name`, '2201B'],
    ['a subquery with two rows', `(select body from reply r where r.job = job.id) as name`, '21000'],
    ['a domain', `part::positive as name`, '23514'],
    [
      'an array',
      `cast(tags[1] || '' as text)::"char"::text || (case when part = 0 then '{' else '{}' end)::int[]::text as name`,
      '22P02',
    ],
  ])('is named by key and column, and its value is not: %s', async (_, column, sqlstate) => {
    const error = await errorOf(`id as key, no as about, ${column}`);
    expect(error.message).toContain(`It is in the column "name" of the record with key "${BAD}".`);
    expect(error).toMatchObject({
      code: 'query-failed',
      scope: 'entity',
      details: { sqlstate, key: BAD, column: 'name' },
    });
    expect(error.message).not.toMatch(/N\/A|31\/02|9999/);
    expect(error.hint).toContain('docs/queries.md');
  });

  it.each([
    ['that is sorted', 'from job order by no desc'],
    ['over a join', 'from job join reply r on r.job = job.id and r.body = $$yes$$'],
    ['that groups', 'from job group by id, pay'],
    ['of a union', 'from job union all select $$other$$::text, 1::numeric'],
    ['with distinct on', 'from job order by id'],
    ['with a limit', 'from job limit 300'],
    ['with a limit that sorts', 'from (select * from job order by no limit 290) job'],
    ['with a window function', 'from (select *, row_number() over () as place from job) job where place > 3'],
  ])('is found in a query %s', async (name, rest) => {
    const distinct = name === 'with distinct on' ? 'distinct on (id)' : '';
    const error = await errorOf(`${distinct} id as key, pay::numeric as name`, rest);
    expect(error.details).toMatchObject({ key: BAD, column: 'name' });
  });

  it('is found where keys are numbers, and where several rows have one', async () => {
    await database.query(`update job set pay = '?' where no in (3, 299)`);
    const error = await errorOf('no as key, pay::numeric as name');
    await database.query(`update job set pay = '1' where no in (3, 299)`);
    expect(['3', '217', '299']).toContain(error.details.key);
  });

  it('is found as near as possible where a condition computes it', async () => {
    const error = await errorOf('id as key', 'from copy where pay::numeric > 0');
    // The update moved the bad row to the end.
    expect(error.details).toMatchObject({ after: 'k300' });
    expect(error.message).toContain(
      'It is in a condition, a join or a UNION, in a row after the record with key "k300".',
    );
  });

  it('is found as near as possible in a union that computes all of a row', async () => {
    const error = await errorOf('id as key, pay::numeric as name', 'from copy union all select $$other$$, 1');
    expect(error.details).toMatchObject({ after: 'k300' });
  });

  it('is found as near as possible where it is the key', async () => {
    const error = await errorOf('pay::numeric || id as key', 'from copy');
    expect(error.message).toContain(
      'It is in the column "key", in a row after the record with key "5000000k300".',
    );
  });

  it('is not looked for where a text of the query itself is wrong', async () => {
    const error = await errorOf(`id as key, 'x'::int as name`);
    expect(error.message).toMatch(/companies\.sql:1:\d+/);
    expect(error.message).not.toContain('It is in');
    expect((await errorOf('id as key, 1 / 0 as name')).message).toContain('The row was not found.');
  });

  it('is found where the statement time is short', async () => {
    const hasty = openTestSource(database.url, { statementTimeoutMs: 2_000, poolMax: 1 });
    const error = await failure(readRows(hasty, queryOf('select id as key, pay::numeric as name from job')));
    expect(error.details).toMatchObject({ key: BAD });
    await hasty.close();
  });
});

/** As in docs/queries.md. */
const JSON_TEXT = String.raw`regexp_replace(j::text, '(?<!\\)\\u(d[89ab]..(?!\\ud[c-f])|0000)|(?<!\\ud[89ab]..|\\)\\ud[c-f]..', '', 'gi')::json`;

describe('what hints and the cookbook say instead', () => {
  it.each([
    ['text that is no number', 'pay', 'N/A'],
    ['a day', `regexp_replace(day, '^(\\d\\d)/(\\d\\d)/(\\d{4})$', '\\3-\\2-\\1')`, '2027-02-31'],
    ['a value of JSON', `${JSON_TEXT} ->> 'u'`, 'x'],
    ['a division', '100 / nullif(part, 0)', null],
    ['a large number', 'big::numeric * 1000', '9999999999000'],
    ['seconds', 'case when big < 253402300800 then to_timestamp(big) end', '2286-11-21 00:46:39+07'],
    ['a cast behind a condition', `case when pay ~ '^[0-9]{1,15}$' then pay::numeric end`, null],
  ])('lets all other records pass: %s', async (_, sql, bad) => {
    const rows = await readRows(source, queryOf(`select id as key, ${sql} as name from job`));
    expect(rows).toHaveLength(300);
    expect(rows.find(({ key }) => key === BAD)?.row.name).toBe(bad);
    expect(rows.find(({ key }) => key === 'k1')?.row.name).toBeTruthy();
  });

  const zones = { source: null, platform: 'Asia/Jakarta' };
  const INSTANTS = [
    '2026-01-15T23:00:00Z',
    '2026-01-15 23:00:00 +0700',
    '2026-01-15t23:00:00.5+07:00',
    '2026-02-31T23:00:00Z',
    'N/A',
  ];
  it.each([
    ['a quota', wholeNumber, ['5', '12', '5 orang', 'N/A'], [5, 12, 5, null]],
    ['a coordinate', amount, ['-6.9', '107', '6,9', '?'], [-6.9, 107, 6.9, null]],
    [
      'a day',
      date,
      ['31/12/2027', '2027-01-02', '31/02/2027', 'N/A'],
      ['2027-12-31', '2027-01-02', null, null],
    ],
    [
      'the day of an instant',
      (text: string) => date(text, zones),
      INSTANTS,
      ['2026-01-16', '2026-01-15', '2026-01-15', null, null],
    ],
    [
      'an instant',
      (text: string) => localTime(text, zones),
      INSTANTS,
      ['2026-01-16 06:00:00', '2026-01-15 23:00:00', '2026-01-15 23:00:00', null, null],
    ],
  ])('the hint at %s, followed, leaves one record out and not all', async (_, read, texts, expected) => {
    const refused = texts.map((text) => read(text)).find((reading) => 'fault' in reading);
    const hint = refused && 'fault' in refused ? (refused.fault.hint ?? '') : '';
    const sql =
      /(case when .* end|(?:replace|regexp_replace|substring)\(.*\))[. ]/.exec(`${hint} `)?.[1] ?? '';
    const rows = await database.query<{ value: string | null }>(
      `select (${sql.replaceAll(/\b(amount|column)\b/g, 'v')}) as value from unnest($1::text[]) v`,
      [texts],
    );
    const values = rows.map(({ value }) => (value === null ? null : (read(value).value ?? null)));
    expect(values).toEqual(expected);
  });
});

describe('a byte of another encoding', () => {
  it.each([
    ['SQL_ASCII', '22021', "E'PT Caf\\351'"],
    ['WIN1252', '22P05', "E'PT Caf\\201'"],
  ])('is named by key and column: %s', async (encoding, sqlstate, name) => {
    const other = await createTestDatabase(encoding);
    await other.query(`create table company (id int, name text)`);
    await other.query(
      `insert into company select n, case when n = 2 then ${name} else 'PT ' || n end from generate_series(1, 3) n`,
    );
    const reading = openTestSource(other.url);
    const error = await failure(readRows(reading, queryOf('select id as key, name from company')));
    if (encoding === 'SQL_ASCII') {
      const converted = `convert_from(convert(convert_to(name, 'SQL_ASCII'), 'LATIN1', 'UTF8'), 'UTF8')`;
      const rows = await readRows(reading, queryOf(`select id as key, ${converted} as name from company`));
      expect(rows.map(({ row }) => row.name)).toEqual(['PT 1', 'PT Café', 'PT 3']);
    }
    await reading.close();
    expect(error.details).toMatchObject({ sqlstate, key: '2', column: 'name' });
  });
});
