import { expect, test } from 'vitest';
import { queryShape } from '../../../../src/onboarding/doctor/sql/query-shape.js';

const only = (sql: string) => queryShape(sql).selects[0];

test('base table, joins and conditions of a SELECT', () => {
  const shape = only(`select extract(year from j.day) as y, j.id is distinct from 2 as d
    from ONLY hr."Job" as j -- the base
    inner join hr.firm f on f.id = j.firm_id and f.open
    left outer join lateral (select count(*) as n from hr.tag where job = j.id) t on true
    where j.a between 1 and 2 and (j.b or j.c) and case when j.d and j.e then true end
    order by 1;`);
  expect(shape?.base).toEqual({ sql: 'hr."Job"', schema: 'hr', name: 'Job', alias: 'j' });
  expect(shape?.joins.map(({ kind, alias, lateral, table }) => [kind, alias, lateral, table?.name])).toEqual([
    ['inner', 'f', false, 'firm'],
    ['left', 't', true, undefined],
  ]);
  expect(shape?.joins[0]?.sql).toBe('inner join hr.firm f on f.id = j.firm_id and f.open');
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
  expect(only('select * from job')?.base).toMatchObject({ alias: 'job', schema: null });
  expect(only('select * from job where x')?.base?.alias).toBe('job');
});

test('CTEs are known, and no base table', () => {
  const shape = queryShape(
    'with recursive a as (select 1 from x), b (n) as materialized (select 2) select * from a join b on true',
  );
  expect([...shape.ctes]).toEqual([
    ['a', 'select 1 from x'],
    ['b', 'select 2'],
  ]);
  expect(shape.selects[0]?.base).toBeNull();
  expect(shape.prefix).toMatch(/^with recursive .*\(select 2\) $/);
});

test('each part of a UNION is a SELECT', () => {
  const { selects } = queryShape('select 1 from a union all select 2 from b where c union select 3 from d');
  expect(selects.map(({ base }) => base?.name)).toEqual(['a', 'b', 'd']);
});

test('of a list with commas, the table of the key is the base and the others are joined', () => {
  const shape = only(
    'select f.id as key from town t, firm f join z using (y), lateral (select 1) x where t.c = f.t',
  );
  expect(shape?.base?.name).toBe('firm');
  expect(shape?.joins.map(({ kind, alias, lateral }) => [kind, alias, lateral])).toEqual([
    ['inner', 'z', false],
    ['list', 't', false],
    ['list', 'x', true],
  ]);
  expect(only('select 1 from a, b where a.x = b.x')?.base?.name).toBe('a');
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
  expect(only(`select 1 from a ${join}`)?.joins[0]?.kind).toBe(kind);
});

test('a subquery or a function is no base table', () => {
  expect(only('select 1 from (select 2 from x) y')?.base).toBeNull();
  expect(only('select 1 from generate_series(1, 2) n')?.base).toBeNull();
});
