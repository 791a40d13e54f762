import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { Row } from '../../../src/core/domain/row.js';
import type { Source } from '../../../src/core/ports/source.js';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { openTestSource, queryOf, readRows } from './source-fixture.js';

describe('values', () => {
  let database: TestDatabase;
  let source: Source;

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query(`create type mood as enum ('glad', 'so so');
    create domain short_code as char(6);
    create domain moment as timestamp;
    create domain tags as jsonb;
    create type pair as (a int, b text)`);
    // What a database may be set to, and a read must not depend on.
    await database.query(`do $$ begin execute format('alter database %I set timezone = ''America/New_York''', current_database());
    execute format('alter database %I set datestyle = ''SQL, DMY''', current_database());
    execute format('alter database %I set extra_float_digits = -3', current_database());
    execute format('alter database %I set bytea_output = ''escape''', current_database());
    execute format('alter database %I set standard_conforming_strings = off', current_database()); end $$`);
    source = openTestSource(database.url);
  });
  afterAll(async () => {
    await source.close();
    await database.drop();
  });

  async function valuesOf(list: string, from: Source = source): Promise<Row> {
    const names = [...list.matchAll(/ as (\w+)(?=,|$)/g)].map((match) => match[1] ?? '');
    const rows = await readRows(from, queryOf(`select 'k' as key, ${list}`, names));
    const { key, ...values } = rows[0]?.row ?? {};
    expect(key).toBe('k');
    return values;
  }

  describe('a value that the source hands over', () => {
    it('is a number or a boolean where the column is asked for as typed, and the usual text otherwise', async () => {
      const sql = `select 'k' as key, 12.50 as price, 7::bigint as size, true as ok, 'x '::char(4) as code,
      date '2026-03-01' as day, jsonb '{"a":[1]}' as tags, null::int as none`;
      const query = queryOf(sql, []);
      const names = ['price', 'size', 'ok', 'code', 'day', 'tags', 'none'];
      const columns = [...query.columns, ...names.map((name) => ({ name, typed: true }) as const)];
      const [found] = await readRows(source, { ...query, columns });
      expect({ ...found?.row }).toEqual({
        key: 'k',
        price: 12.5,
        size: 7,
        ok: true,
        code: 'x',
        day: '2026-03-01',
        tags: { a: [1] },
        none: null,
      });
    });

    it('is the text that Postgres prints, whatever the database is set to', async () => {
      expect(
        await valuesOf(`true as yes, 12345678901234567890.10::numeric as amount, 9007199254740993::int8 as large,
        0.1::float8 as tenth, 1e-5::float8 as small, 'so so'::mood as mood, 'AB'::char(6) as padded,
        'CD'::short_code as code, ' x '::text as spaced, '\\x00ff'::bytea as bytes, 'a\\b' as slash,
        '1 day 02:00'::interval as span, null::int as nothing, (1, 'x')::pair as pair, '' as empty`),
      ).toEqual({
        yes: 'true',
        amount: '12345678901234567890.10',
        large: '9007199254740993',
        tenth: '0.1',
        small: '1e-05',
        mood: 'so so',
        padded: 'AB',
        code: 'CD',
        spaced: ' x ',
        bytes: '\\x00ff',
        slash: 'a\\b',
        span: '1 day 02:00:00',
        nothing: null,
        pair: '(1,x)',
        empty: '',
      });
    });

    it('is parsed where it is an array or JSON', async () => {
      expect(
        await valuesOf(`array['a','b c',null,'"'] as texts, array['glad']::mood[] as moods, array['x ']::char(4)[] as padded,
        array[1,2] as numbers, array[]::text[] as none, null::text[] as nothing, '{"a":[1,"?"]}'::jsonb as document,
        '"😀"'::json as word, 'null'::jsonb as json_null, '["t"]'::tags as tags, array['{"a":1}'::jsonb] as documents`),
      ).toEqual({
        texts: ['a', 'b c', null, '"'],
        moods: ['glad'],
        padded: ['x'],
        numbers: [1, 2],
        none: [],
        nothing: null,
        document: { a: [1, '?'] },
        word: '😀',
        json_null: null,
        tags: ['t'],
        documents: [{ a: 1 }],
      });
    });

    it('keeps every digit of a number that comes as JSON', async () => {
      expect(
        await valuesOf(`'12345678901234567890'::jsonb as key_like, '106.80'::jsonb as degrees, ' 32.10 '::json as postal,
        '[1, 2.50]'::jsonb as list`),
      ).toEqual({ key_like: '12345678901234567890', degrees: '106.80', postal: '32.10', list: [1, '2.50'] });
    });

    const times = `timestamptz '2026-01-31 20:00:00.123456+00' as instant, date '2026-01-31' as day,
    timestamp '2026-01-31 20:00' as zoneless, '2026-01-31 20:00'::moment as moment,
    timestamptz 'infinity' as never, timestamp '-infinity' as always`;

    it('is local time of the platform, and a zone-less timestamp as it is, when no source zone is set', async () => {
      expect(await valuesOf(times)).toEqual({
        instant: '2026-02-01 03:00:00.123456+07',
        day: '2026-01-31',
        zoneless: '2026-01-31 20:00:00',
        moment: '2026-01-31 20:00:00',
        never: 'infinity',
        always: '-infinity',
      });
    });

    it('is local time of the platform also for a zone-less timestamp, read in the source zone', async () => {
      const zoned = openTestSource(database.url, { timeZone: 'UTC' });
      expect(await valuesOf(times, zoned)).toMatchObject({
        instant: '2026-02-01 03:00:00.123456+07',
        day: '2026-01-31',
        zoneless: '2026-02-01 03:00:00+07',
        moment: '2026-02-01 03:00:00+07',
        always: '-infinity',
      });
      await zoned.close();
    });

    it('does not depend on the zone of the process', async () => {
      const before = process.env.TZ;
      try {
        for (const zone of ['UTC', 'America/New_York', 'Asia/Jakarta']) {
          process.env.TZ = zone;
          expect(
            await valuesOf(`date '2026-01-31' as day, timestamptz '2026-01-31 20:00+00' as instant`),
          ).toEqual({
            day: '2026-01-31',
            instant: '2026-02-01 03:00:00+07',
          });
        }
      } finally {
        if (before === undefined) delete process.env.TZ;
        else process.env.TZ = before;
      }
    });
  });
});

describe('array laws', () => {
  const element = fc.oneof(
    fc.constant(null),
    fc.constantFrom(
      '',
      ' ',
      'NULL',
      'null',
      '{}',
      '{a,b}',
      '"',
      '\\',
      '\\"',
      'a,b',
      "it's",
      '\n',
      '😀',
      '[1]',
      '$1',
    ),
    fc.string({ unit: 'grapheme', maxLength: 6 }).map((text) => text.replaceAll('\0', '')),
  );

  test('arrays of text come as they are, whatever their elements', async () => {
    const database = await createTestDatabase();
    const source = openTestSource(database.url);
    const arrays = fc.sample(fc.array(element, { maxLength: 5 }), { numRuns: 300, seed: 3 });
    try {
      await database.query('create table skill (key text, list text[])');
      for (const [index, list] of arrays.entries())
        await database.query('insert into skill values ($1, $2)', [String(index), list]);
      const read = await readRows(
        source,
        queryOf('select key, list as name, to_jsonb(list) as about from skill'),
      );
      const byKey = new Map(read.map(({ key, row }) => [key, row]));
      expect(arrays.map((_, index) => byKey.get(String(index))?.name)).toEqual(arrays);
      expect(arrays.map((_, index) => byKey.get(String(index))?.about)).toEqual(arrays);
    } finally {
      await source.close();
      await database.drop();
    }
  });
});
