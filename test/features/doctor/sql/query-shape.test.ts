import { describe, expect, test } from 'vitest';
import {
  isAnswered,
  mentions,
  openDecisions,
  unorderedAggregates,
} from '../../../../src/features/doctor/sql/conditions.js';
import { queryShape, rowSelects } from '../../../../src/features/doctor/sql/query-shape.js';

describe('query shape', () => {
  const only = (sql: string) => queryShape(sql).selects[0];

  test('base table, joins and conditions of a SELECT', () => {
    const shape = only(`select extract(year from j.day) as y, j.id is distinct from 2 as d
    from ONLY hr."Job" as j -- the base
    inner join hr.firm f on f.id = j.firm_id and f.open
    left outer join lateral (select count(*) as n from hr.tag where job = j.id) t on true
    where j.a between 1 and 2 and (j.b or j.c) and case when j.d and j.e then true end
    order by 1;`);
    expect(shape?.parts[0]?.table).toEqual({ sql: 'hr."Job"', schema: 'hr', name: 'Job', alias: 'j' });
    expect(shape?.parts.map(({ kind, alias, table }) => [kind, alias, table?.name])).toEqual([
      ['base', 'j', 'Job'],
      ['inner', 'f', 'firm'],
      ['left', 't', undefined],
    ]);
    expect(shape?.parts[1]?.sql).toBe('inner join hr.firm f on f.id = j.firm_id and f.open');
    expect(shape?.conditions).toEqual([
      'j.a between 1 and 2',
      '(j.b or j.c)',
      'case when j.d and j.e then true end',
    ]);
  });

  test('an OR beside the conditions makes them one', () => {
    expect(only('select 1 from t where a and b or c')?.conditions).toEqual(['a and b or c']);
  });

  test('a table without alias is called by its name', () => {
    expect(only('select * from job')?.parts[0]?.table).toMatchObject({ alias: 'job', schema: null });
    expect(only('select * from job where x')?.parts[0]?.alias).toBe('job');
  });

  test('CTEs are known, and no base table', () => {
    const shape = queryShape(
      'with recursive a as (select 1 from x), b (n) as materialized (select 2) select * from a join b on true',
    );
    expect(shape.selects[0]?.parts).toMatchObject([
      { table: null, alias: 'a', inner: { selects: [{ fromSql: 'x' }] } },
      { table: null, alias: 'b', inner: { selects: [] } },
    ]);
    expect(shape.prefix).toMatch(/^with recursive .*\(select 2\) $/);
  });

  test('each part of a UNION is a SELECT', () => {
    const { selects } = queryShape('select 1 from a union all select 2 from b where c union select 3 from d');
    expect(selects.map(({ parts }) => parts[0]?.table?.name)).toEqual(['a', 'b', 'd']);
  });

  test('of a list with commas, the table of the key is the base and the others are joined', () => {
    const shape = only(
      'select f.id as key from town t, firm f join z using (y), lateral (select 1) x where t.c = f.t',
    );
    expect(shape?.parts.map(({ kind, alias }) => [kind, alias])).toEqual([
      ['base', 'f'],
      ['inner', 'z'],
      ['list', 't'],
      ['list', 'x'],
    ]);
    expect(only('select 1 from a, b where a.x = b.x')?.parts[0]?.alias).toBe('a');
  });

  test.each([
    ['no FROM', 'select 1', true],
    ['VALUES', 'values (1)', false],
    ['parentheses', '(select 1 from a) union select 2 from b', false],
  ])('a query with %s', (_, sql, understood) => {
    expect(queryShape(sql)).toMatchObject({ understood });
  });

  test.each([
    ['join b using (x)', 'inner'],
    ['natural join b', 'inner'],
    ['natural left join b', 'left'],
    ['cross join b', 'list'],
    ['right join b on true', 'other'],
    ['full join b on true', 'other'],
  ])('%s is of the kind %s', (join, kind) => {
    expect(only(`select 1 from a ${join}`)?.parts[1]?.kind).toBe(kind);
  });

  test('a subquery or a function is no base table', () => {
    expect(only('select 1 from (select 2 from x) y')?.parts[0]?.table).toBeNull();
    expect(only('select 1 from generate_series(1, 2) n')?.parts[0]?.table).toBeNull();
  });

  test('the rows of a query are those of the CTE or subquery behind it, as far as the conditions around it leave them', () => {
    const shape = queryShape(
      'with open as (select * from job j where j.state = 1) select o.id as key from (select * from open p where p.a) o join firm f on f.id = o.f where o.b',
    );
    expect(rowSelects(shape).map(({ select, outside }) => [select.fromSql, outside.trim()])).toEqual([
      ['(select * from open p where p.a) o join firm f on f.id = o.f', ''],
      ['open p', 'o.b f.id = o.f'],
      ['job j', 'o.b f.id = o.f p.a'],
    ]);
  });
});

describe('query text', () => {
  test.each([
    ["string_agg(s.name, ',')", ['string_agg']],
    ["string_agg(s.name, ',' order by s.name)", []],
    ['array_agg(distinct x), jsonb_agg(x order by 1)', []],
    ["string_agg(DISTINCT lower(x), ',') filter (where x <> '')", []],
    ['array_agg((select distinct y from z))', ['array_agg']],
    ['array(select distinct x from y)', ['array']],
    ['array_agg((select y from z order by y limit 1))', ['array_agg']],
    ['array(select x from y)', ['array']],
    ['array(select x from y order by x)', []],
    ['count(*), max(x), array_length(a, 1)', []],
    ["'string_agg(x)' as text, -- array_agg(y)\n 1", []],
  ])('aggregates without order in %s: %j', (part, found) => {
    expect(unorderedAggregates(`select ${part} from t s`)).toEqual(found);
  });

  test.each([
    ['-- state: all of them\nselect 1', true],
    ['select 1 /* State is meant */', true],
    ["select 'state' where state = 1", false],
    ['select 1\n  -- and t.state = 1', false],
    ['select 1 -- states', false],
  ])('a comment of %s answers for state: %s', (sql, expected) => {
    expect(isAnswered(sql, 'state')).toBe(expected);
  });

  test.each([
    ['select 1 from t where t.state = 1', true],
    ['select 1 from t -- state: all of them', true],
    ['select 1 from t where "State" = 1', true],
    ["select 'open' as state from t", false],
    ["select 'open' as state from t where state = 'x'", true],
    ['select 1 from t\nwhere true\n  -- and t.state = 1', false],
    ['select 1 from t\r\nwhere true\r\n  --AND t.state = 1\r\n', false],
    ['select 1 from t\nwhere true\n  -- and t.state = 1\n  -- state: not needed', true],
    ['select 1 from t\nwhere true\n  and t.state = 1 -- and more', true],
    ['select 1 from t -- andere: state', true],
    ['select 1 from t where states', false],
  ])('%s mentions state: %s', (sql, expected) => {
    expect(mentions(sql, 'state')).toBe(expected);
  });

  test('questions of a draft are open until their condition stands there, or they are deleted', () => {
    const draft = `select
  -- decide: a record may have several rows;
  -- this takes the first
  x as title,
  y as about, -- decide: is this for everybody?
  -- decide: where else does a record say where it is?
  coalesce(
    cast(t.town as text),
    'x') as "region_id"
from t
where true
  -- decide: which rows are published? state: 'live' 3 ·
  -- 'draft' 2
  -- and t.state in ('live', 'draft')
  -- decide: leave out what is over?
  and t.ends > now()
  -- a comment`;
    expect(openDecisions(draft)).toEqual([
      { question: 'a record may have several rows; this takes the first', line: 2, isOffered: false },
      { question: 'is this for everybody?', line: 5, isOffered: false },
      { question: 'where else does a record say where it is?', line: 6, isOffered: false },
      { question: "which rows are published? state: 'live' 3 · 'draft' 2", line: 12, isOffered: true },
    ]);
    expect(openDecisions('select 1 -- decided: nothing')).toEqual([]);
  });
});
