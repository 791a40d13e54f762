import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { addCompanies, block, CITY, createWorld } from './world.js';

describe('journal', () => {
  interface Row extends Record<string, unknown> {
    readonly key: string;
    readonly run_id: string | null;
    readonly request_id: string;
    readonly outcome: string;
    readonly status_code: number | null;
  }

  const JOURNAL = 'select * from placement_sync.delivery order by answered_at, key';

  test('a run writes its requests under its id, and the journal has just those that the platform got', async () => {
    const world = await createWorld();
    await world.sql(`insert into company (id, name) values ('c1', 'One'), ('c2', 'Two')`);
    const { runId } = await world.run();
    const rows = await world.sql<Row>(JOURNAL);
    expect(rows.map(({ key, run_id }) => [key, run_id])).toEqual([
      ['c1', runId],
      ['c2', runId],
    ]);
    const asked = world.sandbox.requests().map(({ requestId }) => requestId);
    expect(rows.map(({ request_id }) => request_id).toSorted()).toEqual(asked.toSorted());
  });

  test('refused credentials are noted as a request that says nothing about the record, what never left is not', async () => {
    const world = await createWorld();
    await world.sql(
      `insert into company (id, name) select 'c' || n, 'Company' from generate_series(1, 30) n`,
    );
    world.intercept = () => ({ status: 401, body: { message: 'no' } });
    await world.run();
    const rows = await world.sql<Row>(JOURNAL);
    expect(rows).toHaveLength(world.sandbox.requests().length);
    expect(new Set(rows.map(({ outcome, status_code }) => `${outcome} ${status_code}`))).toEqual(
      new Set(['handed-back 401']),
    );
  });

  test('the worker’s requests have no run, belong to the page of its last run, and old ones are deleted', async () => {
    const world = await createWorld();
    await world.sql(`insert into company (id, name) values ('c1', 'One')`);
    await world.sql(
      `insert into placement_sync.delivery (entity, key, platform_id, kind, operation, request_id, claimed_at, answered_at, outcome)
     select 'companies', 'old', gen_random_uuid(), 'new', 'putCompany', gen_random_uuid(), at, at, 'accepted'
     from (select now() - interval '25 hours' as at) past`,
    );
    const worker = world.work();
    const until = Date.now() + 30_000;
    let rows: Row[] = [];
    // The first sweep prunes at its end, while the push sends.
    while ((rows.length !== 1 || rows[0]?.key !== 'c1') && Date.now() < until) {
      await wait(50);
      rows = await world.sql<Row>(JOURNAL);
    }
    await worker.stop();
    rows = await world.sql<Row>(JOURNAL);
    expect(rows.map(({ key, run_id, outcome }) => ({ key, run_id, outcome }))).toEqual([
      { key: 'c1', run_id: null, outcome: 'accepted' },
    ]);
    const last = await world.state.runs.last();
    const page = await world.state.deliveries.ofRun(last?.runId ?? '', {
      after: null,
      limit: 10,
      outcome: null,
    });
    expect(page.deliveries.map(({ key }) => key)).toEqual(['c1']);
  });
});

describe('poisoned text', () => {
  /** Each is written by whoever may write a job description, and once ended or stopped the worker. */
  const POISON = [
    '<table><tr><td colspan="Infinity">x</table>',
    '<table><tr><td rowspan="-1">x</table>',
    '<table><tr><td rowspan="20000" colspan="100000000">x</table>',
  ];
  /** The library throws on the first, and the second is too large. */
  const UNCONVERTIBLE = ['<ol type="I" start="99999999">' + '<li>x'.repeat(2), `<p>${'a'.repeat(2_000_000)}`];

  test('a text that cannot be converted is an error of its record, and every other record goes out', async () => {
    const world = await createWorld();
    // Loading the library for HTML may take longer than usual on a busy machine.
    world.settings.leaseTtlMs = 60_000;
    world.settings.jobs.timeoutMs = 30_000;
    await addCompanies(world, 1);
    await world.sql(`create table job (key text, company_key text default 'c01', title text default 'Kasir',
    description text)`);
    for (const [index, text] of [...POISON, ...UNCONVERTIBLE, 'plain'].entries())
      await world.sql('insert into job (key, description) values ($1, $2)', [`v${String(index)}`, text]);
    world.blocks.vacancies = { ...block('select * from job'), plainText: ['description'] };

    const report = await world.run();

    expect(report).toMatchObject({ exitCode: 3, entities: { vacancies: { invalid: 2, accepted: 4 } } });
    expect(report.entities.vacancies?.error).toBeNull();
    for (const [key, message] of [
      ['v3', 'cannot be converted'],
      ['v4', 'is HTML that is too large'],
    ] as const) {
      const { status, issues } = await world.explain('vacancies', key);
      expect(status).toBe('invalid');
      expect(issues).toMatchObject([
        { field: 'description', message: expect.stringContaining(message) as string },
      ]);
    }
  });
});

describe('values as they are', () => {
  test.each([
    ['a whole number', 'integer', '3', 3],
    ['a number with a fraction', 'numeric(6,2)', '2.50', 2.5],
    ['text', 'text', '3', '3'],
    ['jsonb', 'jsonb', '{"min": 2, "unit": "years"}', { min: 2, unit: 'years' }],
    ['a boolean', 'boolean', 'true', true],
  ])(
    'the experience that is asked for reaches the platform as %s, and is read back as that',
    async (_, type, value, sent) => {
      const world = await createWorld();
      await addCompanies(world, 1);
      await world.sql(`create table job (id text, company_id text, experience ${type})`);
      await world.sql(`insert into job values ('v1', 'c01', $1), ('v2', 'c01', null)`, [value]);
      world.blocks.vacancies = block(
        `select id as key, company_id as company_key, 'Kasir' as title, experience as min_experience from job`,
      );
      expect(await world.run()).toMatchObject({ exitCode: 0, entities: { vacancies: { accepted: 2 } } });
      expect(Object.values(world.held('vacancies'))).toMatchObject([
        { min_experience: sent },
        { min_experience: null },
      ]);
      expect((await world.verify({ only: ['vacancies'] })).report).toMatchObject({
        entities: { vacancies: { checked: 2, same: 2, drifted: 0 } },
      });
      world.requests();
      await world.run();
      expect(world.requests()).toEqual([]);
    },
  );

  test('a country code without a region id is counted and named in the log, beside more frequent warnings', async () => {
    const world = await createWorld();
    await addCompanies(world, 1);
    await world.sql('create table job (id text, country text, region text, salary text)');
    await world.sql(
      `insert into job values ('v1', null, $1, '0'), ('v2', null, $1, '0'), ('v3', 'SG', null, '0'), ('v4', 'SG', $1, '3000000')`,
      [CITY],
    );
    world.blocks.vacancies = block(
      `select id as key, 'c01' as company_key, 'Kasir' as title, region as region_id,
       country as region_country_code, salary as min_salary_amount from job`,
    );
    expect(await world.run()).toMatchObject({ exitCode: 0, entities: { vacancies: { accepted: 4 } } });
    expect(world.events.filter(({ type }) => type === 'mapping-warnings')).toEqual([
      {
        type: 'mapping-warnings',
        entity: 'vacancies',
        field: 'min_salary.amount',
        code: 'doubtful',
        hint: expect.any(String) as string,
        count: 3,
        sample: expect.stringMatching(/^v1: /) as string,
      },
      {
        type: 'mapping-warnings',
        entity: 'vacancies',
        field: 'region.country_code',
        code: 'doubtful',
        hint: expect.any(String) as string,
        count: 1,
        sample:
          'v3: region.country_code is not sent, because the region has no id (column region_country_code)',
      },
    ]);
  });
});
