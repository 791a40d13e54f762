import { describe, expect, test, vi } from 'vitest';
import { DAILY } from '../../slow.js';
import { createDoctorWorld, type DoctorWorld, type Examined } from './doctor-world.js';
import { words } from '../../words.js';

describe('parents', () => {
  vi.setConfig({ testTimeout: 60_000 });

  const COURSES = `select o.id as key, o.name as title, o.body as description, o.employer_id as institution_key
from hr.opening o
where o.is_published
`;

  /** The openings are courses, and the employers hold them. */
  async function createTrainingWorld(): Promise<DoctorWorld> {
    const world = await createDoctorWorld();
    world.write('openings.sql', COURSES);
    world.write(
      'employers.sql',
      'select e.id as key, e.label as name, e.town as region_id from hr.employer e where e.is_active',
    );
    world.change('placement-sync.yaml', 'companies:', 'institutions:');
    world.change('placement-sync.yaml', 'vacancies:', 'trainings:');
    world.change('placement-sync.yaml', ', onVanished: close', '');
    world.change('placement-sync.yaml', '  jobs:', '  training:');
    return world;
  }

  test('trainings whose query does not name the institution are sent without one, and that does not pass', async () => {
    const world = await createTrainingWorld();
    world.change('openings.sql', ', o.employer_id as institution_key', '');
    const found = (await world.doctor('--entity', 'trainings')).of('parents');
    expect(found).toMatchObject([
      {
        level: 'warn',
        message: '60 trainings are sent without an institution: the query has no column institution_key',
        hint: expect.stringMatching(/^Return the column of trainings .* as institution_key/) as string,
        count: 60,
      },
    ]);
  });

  test('trainings without institution are counted apart from those whose institution is missing', async () => {
    const world = await createTrainingWorld();
    await world.sql(`update hr.opening set employer_id = null where id in (7, 8, 9);
    update hr.employer set is_active = false where id = 5`);
    const { of } = await world.doctor('--entity', 'trainings');
    expect(of('parents')).toMatchObject([
      {
        level: 'warn',
        message: '3 of 60 trainings are sent without an institution: institution_key is null',
        count: 3,
        sample: ['7', '8', '9'],
      },
      {
        level: 'warn',
        message: expect.stringMatching(/^3 trainings without institutions: no such/) as string,
      },
    ]);
  });

  test('where the parent is required, a record without one fails, and it is said once', async () => {
    const world = await createDoctorWorld();
    await world.sql('update hr.opening set employer_id = null where id in (7, 8)');
    const { of, exitCode } = await world.doctor('--entity', 'vacancies');
    expect(of('parents')).toMatchObject([
      {
        level: 'fail',
        message: '2 of 60 job vacancies cannot be sent without a company: company_key is null',
        count: 2,
        sample: ['7', '8'],
      },
    ]);
    expect(of('invalid')).toMatchObject([{ level: 'pass' }]);
    expect(exitCode).toBe(2);

    await world.sql('update hr.opening set employer_id = null');
    expect((await world.doctor('--entity', 'vacancies')).of('parents')).toMatchObject([
      { level: 'fail', message: '60 job vacancies cannot be sent without a company: company_key is null' },
    ]);
  });

  test('a parent that the configuration requires fails too', async () => {
    const world = await createTrainingWorld();
    world.change(
      'placement-sync.yaml',
      'query: openings.sql',
      'query: openings.sql, required: [institution_key]',
    );
    await world.sql('update hr.opening set employer_id = null where id = 7');
    expect((await world.doctor('--entity', 'trainings')).of('parents')).toMatchObject([
      {
        level: 'fail',
        message: expect.stringMatching(/^1 of 60 trainings cannot be sent without an inst/) as string,
      },
    ]);
  });
});

describe('contradictions', () => {
  vi.setConfig({ testTimeout: 60_000 });

  /** What is wrong, and the checks that may not pass then, as `entity check`. */
  const CASES: readonly (readonly [string, (world: DoctorWorld) => unknown, readonly string[]])[] = [
    [
      'a required column that some rows do not fill',
      (world) => world.sql('update hr.employer set town = null where id < 4'),
      ['companies invalid'],
    ],
    [
      'a required column whose code has no id',
      (world) => world.sql(`update hr.employer set town = 'SBY' where id < 4`),
      ['companies codes'],
    ],
    [
      'a last day without zone',
      (world) => world.change('openings.sql', 'o.closes as', 'o.closes_at as'),
      ['vacancies zone'],
    ],
    [
      'a last day that is a text without zone',
      (world) => world.change('openings.sql', 'o.closes as', 'o.closes_at::text as'),
      ['vacancies zone'],
    ],
    [
      'a query without rows',
      (world) => world.change('openings.sql', 'where o.is_published', 'where false and o.is_published'),
      words(`
        keys parents codes invalid doubtful html placeholders columns`).map((id) => `vacancies ${id}`),
    ],
    [
      'a query from a function, whose table is not known',
      (world) =>
        world.write(
          'openings.sql',
          `select n as key, 1 as company_key, 'Name' as title from generate_series(1, 3) n`,
        ),
      ['vacancies kept'],
    ],
  ];

  const passing = ({ at }: Examined) => at('pass');

  test('no check passes beside another one that says the opposite', async ({ skip }) => {
    skip(DAILY);
    for (const [title, make, silent] of CASES) {
      const world = await createDoctorWorld();
      await make(world);
      const found = await world.doctor();
      expect(
        passing(found).filter((id) => silent.includes(id)),
        `${title}\n${JSON.stringify(found.checks, null, 1)}`,
      ).toEqual([]);
    }
  });

  test('codes are only said to have ids where rows have codes', async () => {
    const world = await createDoctorWorld();
    await world.sql('update hr.employer set town = null');
    expect((await world.doctor('--entity', 'companies')).of('codes')).toMatchObject([
      { level: 'pass', message: 'no row has a code' },
    ]);
  });
});
