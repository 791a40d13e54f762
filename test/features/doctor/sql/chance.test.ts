import { expect, test } from 'vitest';
import { chanceIn } from '../../../../src/features/doctor/sql/chance.js';

const OF = 'select v.id as key, v.title as title from vacancy v';

test.each([
  [`${OF} limit 100`, ['LIMIT 100 in line 1']],
  [`${OF}\norder by v.id offset 20`, ['OFFSET 20 in line 2']],
  [`${OF}\nfetch first 20 rows only`, ['FETCH first 20 in line 2']],
  ['select distinct on (v.id) v.id as key from vacancy v order by v.id', ['DISTINCT ON in line 1']],
  ['select row_number() over (partition by v.kind) as key from vacancy v', ['row_number() in line 1']],
  [
    'select v.id as key, (select c.name from city c where c.rank > 1 limit 1) as region_id from vacancy v',
    ['LIMIT 1 in line 1'],
  ],
  ['select v.id as key, now() as row_version from vacancy v', ['row_version has now']],
  [
    'select v.id as key, coalesce(v.closes, current_date + 30) as expire_at from vacancy v',
    ['expire_at has current_date'],
  ],
])('%s leaves something to chance', (sql, found) => {
  expect(chanceIn(sql)).toEqual(found);
});

test.each([
  OF,
  `${OF} where v.closes > now() and v.opens <= current_date`,
  'select distinct on (v.id) v.id as key from vacancy v order by v.id, v.created_at desc',
  'select row_number() over (order by v.id) as rank, v.limit as quota from vacancy v',
  `select v.id as key, case when v.closes < now() then 'closed' else 'open' end as status from vacancy v`,
  `select v.id as key, extract(year from age(now(), v.begun)) as min_experience from vacancy v`,
  'select v.id as key from vacancy v left join lateral (select * from place p where p.vacancy_id = v.id order by p.rank, p.id limit 1) p on true',
  'select v.id as key, (select max(c.name) from city c limit 1) as region_id from vacancy v',
])('%s leaves nothing to chance', (sql) => {
  expect(chanceIn(sql)).toEqual([]);
});
