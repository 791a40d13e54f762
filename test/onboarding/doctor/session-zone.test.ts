import { expect, test, vi } from 'vitest';
import { createDoctorWorld } from './doctor-world.js';

vi.setConfig({ testTimeout: 60_000 });

/** Openings 1 to 5 end at midnight in Jakarta, the others at noon; as seconds since 1970. */
const EPOCHS = `alter table hr.opening add ends bigint;
  update hr.opening set ends = extract(epoch from timestamp '2031-05-04 00:00' at time zone 'Asia/Jakarta')
    + case when id <= 5 then 0 else 43200 end`;

test('a day that is made in the zone of the session is named, with its rows', async () => {
  const world = await createDoctorWorld();
  await world.sql(EPOCHS);
  world.change('openings.sql', 'o.closes as', 'to_timestamp(o.ends)::date as');
  const { of, exitCode } = await world.doctor('--entity', 'vacancies');
  expect(of('session-zone')).toMatchObject([
    {
      level: 'warn',
      message:
        'expire_at depends on the time zone of the session: 5 rows differ between UTC and Asia/Jakarta',
      hint: expect.stringContaining(`(to_timestamp(…) at time zone 'Asia/Jakarta')::date`) as string,
      count: 5,
      sample: ['1', '2', '3', '4', '5'],
    },
  ]);
  expect(of('last-day')).toEqual([]);
  expect(exitCode).toBe(0);

  world.change(
    'openings.sql',
    'to_timestamp(o.ends)::date',
    `(to_timestamp(o.ends) at time zone 'Asia/Jakarta')::date`,
  );
  expect((await world.doctor('--entity', 'vacancies')).of('session-zone')).toMatchObject([{ level: 'pass' }]);
});

test.each([
  [
    'current_date',
    'o.closes >= current_date',
    `update hr.opening set closes = current_date + id - 4 where id between 3 and 5`,
  ],
  [
    'a time without zone beside now()',
    'o.closes_at >= now()',
    `update hr.opening set closes_at = now() at time zone 'UTC' + interval '2 hours' where id = 4`,
  ],
  [
    'now() without its zone',
    'o.closes_at >= now()::timestamp',
    `update hr.opening set closes_at = now() at time zone 'UTC' + interval '2 hours' where id = 4`,
  ],
])('rows that %s leaves out in some zones', async (_, condition, change) => {
  const world = await createDoctorWorld();
  await world.sql(change);
  world.change('openings.sql', 'where', `where ${condition} and`);
  const [found] = (await world.doctor('--entity', 'vacancies')).of('session-zone');
  expect(found).toMatchObject({
    level: 'warn',
    message: expect.stringMatching(
      /^which rows the query returns depends on the time zone of the session: /,
    ) as string,
    hint: expect.stringContaining('source.sessionTimeZone') as string,
  });
});

test('moments do not depend on the zone, and a zone that is set decides', async () => {
  const world = await createDoctorWorld();
  world.change('openings.sql', 'o.closes as', 'o.closes_on as');
  expect((await world.doctor('--entity', 'vacancies')).of('session-zone')).toMatchObject([{ level: 'pass' }]);

  world.change('openings.sql', 'o.closes_on as', 'o.closes_on::date as');
  world.change('placement-sync.yaml', "URL}' }", "URL}', sessionTimeZone: Asia/Jakarta }");
  expect((await world.doctor('--entity', 'vacancies')).of('session-zone')).toMatchObject([
    {
      level: 'pass',
      message: expect.stringMatching(/^expire_at depends on .*which is Asia\/Jakarta/) as string,
    },
  ]);
});
