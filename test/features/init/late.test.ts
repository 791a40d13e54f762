import { beforeAll, describe, expect, it } from 'vitest';
import { platformReferences } from '../../../src/cli/compose/configured-entities.js';
import { draft } from '../../../src/features/init/draft.js';
import { lateLines, noteLate } from '../../../src/features/init/late.js';
import { look } from '../../../src/features/init/look.js';
import { rank } from '../../../src/features/init/rank.js';
import { withReadOnly } from '../../../src/features/catalog/with-read-only.js';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { draftFrom, filledBy, type Tried } from './draft-world.js';

describe('late', () => {
  it('a text that could not be counted is still a question, and what was not begun is counted', async () => {
    const database = await createTestDatabase();
    await database.query(`
    create table company (id int primary key, name text not null);
    create table vacancy (id int primary key, company_id int not null references company, title text not null, status text,
      is_live boolean);
    insert into company values (1, 'PT Satu');
    insert into vacancy values (1, 1, 'Kasir', 'live', true)`);
    const options = { url: database.url, statementTimeoutMs: 60_000 };
    const catalog = await withReadOnly(options, look);
    const ranking = rank(catalog);
    const chosen = new Map(
      [...ranking].flatMap(([entity, [first]]) => (first ? [[entity, first.table]] : [])),
    );
    const late = { stopped: 0, unbegun: 0 };
    const drafted = await withReadOnly({ ...options, attemptForMs: -1 }, (read) =>
      draft(noteLate(read, late), catalog, { chosen, ranking, references: platformReferences() }),
    );
    const query = drafted.files.get('queries/vacancies.sql');
    expect(query).toContain('-- decide: which rows are published? status: not counted');
    expect(query).toContain('-- decide: which rows are published? is_live: not counted');
    // It did not refuse the query, it was not asked.
    expect(drafted.report.filter((line) => line.includes('takes the query'))).toEqual([
      '  - whether the server takes the query could not be seen in time',
      '  - whether the server takes the query could not be seen in time',
    ]);
    expect(drafted.report.filter((line) => line.includes('does not take'))).toEqual([]);
    expect(late.unbegun).toBeGreaterThan(4);
    expect(late.stopped).toBe(0);
  });

  it('counts what the server stopped, and nothing that it refused', async () => {
    const database = await createTestDatabase();
    const late = { stopped: 0, unbegun: 0 };
    await withReadOnly({ url: database.url, statementTimeoutMs: 50 }, async (read) => {
      const noting = noteLate(read, late);
      await noting.attempt('select pg_sleep(60)');
      await noting.attempt('select 1 / 0');
      expect(await noting.attempt('select 1 as one')).toEqual({ rows: [{ one: 1 }] });
    });
    expect(late).toEqual({ stopped: 1, unbegun: 0 });
  });

  it('says in plain words what was too late, and nothing where nothing was', () => {
    const limits = { statementMs: 10_000, wholeMs: 300_000 };
    expect(lateLines({ stopped: 0, unbegun: 0 }, limits)).toEqual([]);
    expect(lateLines({ stopped: 1, unbegun: 1_200 }, limits)).toEqual([
      '',
      'The database did not answer everything in time, so this draft lacks what was not seen: values, counts, codes, lookups.',
      '  - statements stopped after 10 seconds: 1; not begun within 5 minutes: 1,200',
      'Draft again into another folder (--out DIR) when the database has less to do, or from a replica.',
    ]);
  });
});

describe('slow view', () => {
  it('a view that takes too long is named without its rows, and everything else is drafted', async () => {
    const database = await createTestDatabase();
    await database.query(`
    create table employer (id int primary key, name text not null, city text);
    insert into employer select g, 'PT ' || g, 'Kota Depok' from generate_series(1, 20) g;
    create table job (id int primary key, employer_id int not null references employer, title text not null);
    insert into job select g, 1 + g % 20, 'Kasir ' || g from generate_series(1, 40) g;
    create view company_profile as select e.*, pg_sleep(60)::text as logo from employer e`);
    const draft = await draftFrom(database.url, 1_000);
    expect(draft.tables).toMatchObject({ companies: 'employer', vacancies: 'job' });
    expect(draft.said('other tables')).toEqual(['  - other tables: company_profile (rows not counted)']);
    expect(draft.file('queries/vacancies.sql')).toContain('v.title');
  });
});

describe('draft empty columns', () => {
  let database: TestDatabase;
  let draft: Tried;

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query(`
    create table firm (id int primary key, legal_name text not null, logo_path text, homepage text);
    create table vacancy (id int primary key, firm_id int not null references firm, title text not null, salary text, closing text,
      apply_link text, city text, occupation text, gender text);
    insert into firm select g, 'PT ' || g, '/files/' || g || '.png', case g % 2 when 0 then 'https://a' || g || '.example' else 'www.b' || g || '.example' end
      from generate_series(1, 20) g;
    insert into vacancy select g, 1 + g % 20, 'Kasir ' || g, 'Rp 5 - 6 juta', '31/12/2030', 'jobs/' || g, null, null, 'male'
      from generate_series(1, 40) g`);
    draft = await draftFrom(database.url);
  });

  it('has null for a required column that nothing fills, with the way out, so that all the rest can be checked', async () => {
    const query = draft.file('queries/companies.sql');
    expect(filledBy(query, 'region_id')).toBe('cast(null as text)');
    expect(query.replaceAll(/\s+--\s+/g, ' ')).toContain(
      'decide: the company has no region_id here. None is sent before it has one, unless required: [] of companies in placement-sync.yaml',
    );
    expect(draft.said('not found: region_id')).toHaveLength(1);
    const rows = await database.query<{ region_id: unknown }>(`select * from (${query}) q`);
    expect(new Set(rows.map(({ region_id }) => region_id))).toEqual(new Set([null]));
  });

  it.each([
    ['companies', 'logo_uri', `-- 'https://…' || c.logo_path`],
    ['vacancies', 'client_url', `-- 'https://…' || v.apply_link`],
    ['vacancies', 'min_salary_amount', `-- substring(v.salary from '[0-9]+')`],
    ['vacancies', 'expire_at', `-- regexp_replace(v.closing, '^(\\d\\d)/(\\d\\d)/(\\d{4})$', '\\3-\\2-\\1')`],
    ['vacancies', 'job_function', '-- v.occupation'],
  ])('of %s only offers %s, which would be null in all rows', async (entity, target, offered) => {
    const query = draft.file(`queries/${entity}.sql`);
    expect(filledBy(query, target)).toBe(offered);
    const [row] = await database.query<Record<string, unknown>>(`select * from (${query}) q limit 1`);
    expect(Object.keys(row ?? {})).not.toContain(target);
    await database.query(query.replace(`${offered} as ${target}`, () => `${offered.slice(3)} as ${target}`));
  });

  it('has a lookup for each column of codes that it drafts', () => {
    const config = draft.file('placement-sync.yaml');
    expect(filledBy(draft.file('queries/vacancies.sql'), 'gender')).toBe('v.gender');
    expect(config).toContain('gender: reference/gender.csv');
    expect(config).not.toContain('region_id: reference');
  });

  it('puts https:// before addresses that begin with a host', async () => {
    const rows = await database.query<{ website: string }>(
      `select website from (${draft.file('queries/companies.sql')}) q order by key limit 2`,
    );
    expect(rows).toEqual([{ website: 'https://www.b1.example' }, { website: 'https://a2.example' }]);
  });
});
