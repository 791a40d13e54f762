import { describe, expect, it, test } from 'vitest';
import { type BareTable, keptTables } from '../../../src/features/catalog/read-catalog.js';
import { checkValues } from '../../../src/features/catalog/read-details.js';
import { leftOutLines } from '../../../src/features/init/write/report-lines.js';
import { catalogOf } from '../init/catalog-of.js';

describe('check values', () => {
  it.each([
    [`CHECK ((state = ANY (ARRAY['A'::text, 'it''s'::text])))`, ['A', "it's"]],
    [
      `CHECK (((state)::text = ANY ((ARRAY['open'::character varying, 'closed'::character varying])::text[])))`,
      ['open', 'closed'],
    ],
    [
      `CHECK (((state)::text = ANY (ARRAY[('a'::character varying)::text, ('b'::character varying)::text])))`,
      ['a', 'b'],
    ],
    ['CHECK ((kind = ANY (ARRAY[0, 1, 2])))', ['0', '1', '2']],
    ['CHECK ((kind = ANY (ARRAY[1, (-1)]))) NOT VALID', ['1', '-1']],
    [`CHECK (((kind IS NULL) OR (kind = ANY (ARRAY['x'::text]))))`, ['x']],
    [`CHECK (((sex = 'L'::bpchar) OR (sex = 'P'::bpchar)))`, ['L', 'P']],
    [`CHECK ((VALUE = ANY (ARRAY['S1'::text, 'S2 (ok)'::text])))`, ['S1', 'S2 (ok)']],
    ['CHECK ((quota > 0))', null],
    ['CHECK ((starts <= ends))', null],
    [`CHECK (((a = 'x'::text) OR (b > 3)))`, null],
    [`CHECK ((char_length(name) = 3))`, null],
  ])('%s has the values %j', (definition, values) => {
    expect(checkValues(definition)).toEqual(values);
  });
});

describe('kept tables', () => {
  const TABLES = ['public.firm', 'hr.job', 'hr.pay', 'old.job'].map((name, oid): BareTable => {
    const [schema = '', table = ''] = name.split('.');
    return {
      ...{
        oid,
        schema,
        name: table,
        sqlName: name,
        title: name,
        kind: 'table',
        comment: null,
        selectable: true,
        estimate: -1,
      },
      rowSecurity: { applies: false },
    };
  });
  const none = () => false;
  const names = ({ kept }: { readonly kept: readonly BareTable[] }) => kept.map(({ sqlName }) => sqlName);

  test('all tables are looked at unless there are very many', () => {
    expect(keptTables(TABLES, ['public'], none, 4)).toEqual({ kept: TABLES, leftOut: null });
    expect(keptTables(TABLES, ['public'], none)).toEqual({ kept: TABLES, leftOut: null });
  });

  test('of very many those of the search path and those that a query names are, and the others are said', () => {
    const found = keptTables(TABLES, ['hr', 'public'], none, 3);
    expect(names(found)).toEqual(['public.firm', 'hr.job', 'hr.pay']);
    expect(found.leftOut).toEqual({ tables: 1, schemas: ['old'], more: false });
    const named = keptTables(TABLES, ['public'], ({ name }) => name === 'job', 3);
    expect(names(named)).toEqual(['public.firm', 'hr.job', 'old.job']);
    expect(named.leftOut).toEqual({ tables: 1, schemas: ['hr'], more: false });
    const { server } = catalogOf('');
    expect(leftOutLines({ server, leftOut: found.leftOut })[1]).toBe(
      'The database has very many tables, and 1 of them were not looked at, because the search path of reader does not have their schemas (old). If yours are among them: alter role "reader" set search_path = …',
    );
    expect(leftOutLines({ server })).toEqual([]);
  });

  test('a search path without tables does not leave everything out', () => {
    expect(names(keptTables(TABLES, ['nothing'], none, 3))).toEqual(TABLES.map(({ sqlName }) => sqlName));
  });
});
