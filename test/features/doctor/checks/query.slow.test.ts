import { describe, expect, test, vi } from 'vitest';
import { createDoctorWorld } from '../doctor-world.js';

describe('joins', () => {
  vi.setConfig({ testTimeout: 60_000 });

  const COLUMNS = 'e.id as key, e.label as name, e.town as region_id';
  const LOST = { level: 'warn', count: 2, sample: ['4', '6'] };

  /** Employers 4 and 6 have no town, and 8 is not active. */
  const QUERIES = [
    [
      'a list of tables',
      `select ${COLUMNS} from hr.employer e, hr.town w where w.code = e.town and e.is_active`,
      'the join of hr.town loses 2 rows of hr.employer that have no match there',
      LOST,
    ],
    [
      'a list in which the table of the key comes last',
      `select ${COLUMNS} from hr.town w, hr.employer e where e.town = code and is_active and w.label <> ''`,
      'the join of hr.town loses 2 rows of hr.employer that have no match there',
      LOST,
    ],
    [
      'CROSS JOIN with a condition',
      `select ${COLUMNS} from hr.employer e cross join hr.town w where w.code = e.town and e.is_active`,
      'the join of hr.town loses 2 rows of hr.employer that have no match there',
      LOST,
    ],
    [
      'an inner join to the table of the key',
      `select ${COLUMNS} from hr.town w join hr.employer e on e.town = w.code where e.is_active`,
      'the join of hr.employer loses 2 rows of hr.employer that have no match there',
      LOST,
    ],
    [
      'USING, after a left join',
      `select ${COLUMNS} from hr.employer e left join hr.opening o on o.id = -1 join hr.places w using (town) where is_active`,
      'the join of hr.places loses 2 rows of hr.employer that have no match there',
      LOST,
    ],
    [
      'NATURAL',
      `select ${COLUMNS} from hr.employer e natural join hr.places where e.is_active`,
      'the join of hr.places loses 2 rows of hr.employer that have no match there',
      LOST,
    ],
    [
      'a join of a CTE',
      `with active as (select * from hr.employer where is_active)
     select ${COLUMNS} from active e join hr.town w on w.code = e.town`,
      'the join of hr.town loses 2 rows of e that have no match there',
      { ...LOST, sample: [] },
    ],
    [
      'a join within the CTE that is the base',
      `with active as (select x.* from hr.employer x, hr.town w where x.town = w.code and x.is_active)
     select ${COLUMNS} from active e`,
      'the join of hr.town loses 2 rows of hr.employer that have no match there',
      LOST,
    ],
    [
      'a join within a subquery',
      `select ${COLUMNS} from (select x.* from hr.employer x join hr.places using (town) where x.is_active) as e`,
      'the join of hr.places loses 2 rows of hr.employer that have no match there',
      LOST,
    ],
    [
      'a list whose tables all match',
      `select ${COLUMNS} from hr.employer e, hr.town w where w.code = e.town and e.is_active and e.town is not null`,
      'no rows are lost by an inner join, but where a comment of the query names it',
      { level: 'pass' },
    ],
    [
      'joins that cannot be looked at',
      `(select ${COLUMNS} from hr.employer e join hr.town w on w.code = e.town)`,
      'not checked: the query could not be taken apart',
      { level: 'warn' },
    ],
  ] as const;

  test('rows that joins lose are found in whatever way the query is written, and what is not looked at is named', async () => {
    const world = await createDoctorWorld();
    await world.sql(`update hr.employer set town = null where id in (4, 6); update hr.employer set is_active = false where id = 8;
    create table hr.places (town text primary key, mayor text); insert into hr.places select code from hr.town;
    grant select on hr.places to ${world.role}`);
    for (const [title, sql, message, finding] of QUERIES) {
      world.write('employers.sql', sql);
      const found = (await world.doctor('--entity', 'companies')).of('joins');
      expect(found, title).toMatchObject([{ message, ...finding }]);
    }
  });

  test('a condition on the joined table is a filter, and its rows are not lost by the join', async () => {
    const world = await createDoctorWorld();
    await world.sql(`update hr.employer set town = null where id = 4;
    insert into hr.town values ('OLD', null); update hr.employer set town = 'OLD' where id in (9, 10)`);
    world.write(
      'employers.sql',
      `select ${COLUMNS} from hr.employer e join hr.town w on w.code = e.town and w.label is not null and e.is_active`,
    );
    expect((await world.doctor('--entity', 'companies')).of('joins')).toMatchObject([
      {
        message: 'the join of hr.town loses 1 row of hr.employer that have no match there',
        hint: expect.stringMatching(/^Write left join hr\.town\. .*: -- join hr\.town$/) as string,
        count: 1,
        sample: ['4'],
      },
    ]);
  });

  test('a comment that names the join says that it is meant', async () => {
    const world = await createDoctorWorld();
    await world.sql('update hr.employer set town = null where id in (4, 6)');
    const sql = `select ${COLUMNS} from hr.employer e join hr.town w on w.code = e.town`;
    for (const comment of ['-- join hr.town: on purpose', '/* the inner JOIN w */', '-- join town']) {
      world.write('employers.sql', `${comment}\n${sql}`);
      expect((await world.doctor('--entity', 'companies')).of('joins'), comment).toMatchObject([
        {
          level: 'pass',
        },
      ]);
    }
    world.write('employers.sql', `-- join hr.towns, town\n${sql}`);
    expect((await world.doctor('--entity', 'companies')).of('joins')).toMatchObject([{ level: 'warn' }]);
  });
});

describe('zone', () => {
  vi.setConfig({ testTimeout: 60_000 });

  test('a day that is made in the zone of the session is named, until the query or a setting names a zone', async () => {
    const world = await createDoctorWorld();
    world.change('openings.sql', 'o.closes as', 'o.closes_on::date as');
    expect((await world.doctor('--entity', 'vacancies')).of('zone')).toMatchObject([
      {
        level: 'warn',
        message: expect.stringMatching(/^expire_at is a day in the time zone of the session/) as string,
      },
    ]);
    world.change('openings.sql', 'o.closes_on::date', `(o.closes_on at time zone 'Asia/Jakarta')::date`);
    expect((await world.doctor('--entity', 'vacancies')).of('zone')).toMatchObject([{ level: 'pass' }]);
    world.change(
      'openings.sql',
      `(o.closes_on at time zone 'Asia/Jakarta')::date`,
      'to_timestamp(o.places * 1e9)::date',
    );
    world.change('placement-sync.yaml', "URL}' }", "URL}', sessionTimeZone: Asia/Jakarta }");
    expect((await world.doctor('--entity', 'vacancies')).of('zone')).toMatchObject([{ level: 'pass' }]);
  });
});
