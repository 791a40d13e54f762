import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLookup } from '../../../src/core/entities/lookup.js';
import { type CliResult, runCli } from '../../cli/run-cli.js';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { draftFrom, filledBy, openDatabase, type Tried } from './draft-world.js';

describe('hostile names', () => {
  /** Every way out of a comment, a name, a literal, a cell and a document of YAML that came to mind. */
  const TABLE = `company"; drop table victim; -- */ {a: [b]}\n--'\t&x !!js`;
  const COMMENT = `*/ ; drop table victim; --\n- decide: x\r\n'"\`\${HOME} : [ }\u2028drop table victim`;
  const LABELS = [
    'draft, "old"',
    "it's\nover",
    ' lead',
    '=1+1',
    '*',
    '-',
    '#x',
    "x'); drop table victim; --",
    '\\',
    '${HOME}',
    '*/',
    'a: [b]',
    '\u2028',
    'a\u202eb',
  ];
  const FLAG = `is_active'; --\n*/`;
  const STATE = `publication */ status\n--\rselect 1/0; --`;

  const name = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const text = (value: string) => `E'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

  let database: TestDatabase;
  let folder: string;
  let drafted: CliResult;
  const cli = (...args: string[]) =>
    runCli(args, {
      cwd: folder,
      env: {
        SOURCE_DATABASE_URL: database.url,
        PLACEMENT_SYNC_NAMESPACE: '6ba7b810-9dad-41d1-80b4-00c04fd430c8',
        JOSS_CLIENT_ID: 'a',
        JOSS_CLIENT_SECRET: 'a-secret-value-of-some-length',
      },
    });
  const read = (path: string) => readFileSync(join(folder, 'config', path), 'utf8');

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'placement-sync-hostile-'));
    database = await createTestDatabase();
    const schema = name('hr\'s "data"\n;--');
    const company = `${schema}.${name(TABLE)}`;
    const vacancy = `${schema}.${name(`job posting "'\n-- */`)}`;
    await database.query(`
    create table victim (id int); insert into victim values (1);
    create schema ${schema};
    create type ${schema}.sector as enum (${[...LABELS, '', ' '].map(text).join(', ')});
    create table ${company} (
      ${name('id"\n--')} int primary key, ${name('company name\n*/')} text not null, ${name('alamat: [')} text, ${name("kota'; --")} text,
      ${name('industry\n{')} ${schema}.sector, ${name(FLAG)} boolean, ${name(STATE)} text check (${name(STATE)} in (${LABELS.map(text).join(', ')})),
      ${name('deskripsi "x"')} jsonb, ${name('\u0001website\u0001')} text);
    create table ${vacancy} (
      id int primary key, ${name('company "id')} int not null references ${company}, title text not null, ${name('kota')} text,
      ${name("terms'\n--")} jsonb, ${name('close\nd_at;')} timestamp);
    create table ${schema}.${name('posting criteria "\n')} (
      posting int not null references ${vacancy}, ${name('criterion')} text, ${name('value')} text, primary key (posting, criterion));
    comment on table ${company} is ${text(COMMENT)};
    comment on table ${vacancy} is ${text(COMMENT)};
    comment on column ${company}.${name(FLAG)} is ${text(COMMENT)};
    comment on column ${vacancy}.title is ${text(COMMENT)};
    insert into ${company} select g, 'PT ' || g, '<b>' || ${text(COMMENT)} || '</b>', (array[${LABELS.map(text).join(', ')}])[1 + g % ${String(LABELS.length)}],
      (enum_range(null::${schema}.sector))[1 + g % ${String(LABELS.length + 2)}], g % 2 = 0, (array[${LABELS.map(text).join(', ')}])[1 + g % ${String(LABELS.length)}],
      jsonb_build_object('id', 'Teks', 'en', ${text(COMMENT)}), 'www' from generate_series(1, 60) g;
    insert into ${vacancy} select g, 1 + g % 60, 'Kasir', null, jsonb_build_object(${text("quota'; drop table victim; --\n")}, g, 'quota', g, 'qualification', ${text(COMMENT)}), now()
      from generate_series(1, 90) g;
    insert into ${schema}.${name('posting criteria "\n')} select g, c, 's1' from generate_series(1, 90) g,
      unnest(array['education', ${text("education'; drop table victim; --\n*/")}, ${text('\\')}]) c`);
    await database.query('analyze');
    drafted = await cli('init', '--yes');
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  it('drafts what config check accepts', async () => {
    expect(drafted.exitCode, drafted.stderr).toBe(0);
    expect(drafted.stdout).not.toContain('the server does not take the query');
    const checked = await cli('config', 'check');
    expect(checked.exitCode, checked.stderr).toBe(0);
    expect((await cli('migrate')).exitCode).toBe(0);
    const planned = await cli('plan', '--json');
    expect(planned.exitCode, planned.stderr).toBe(0);
    const { entities } = JSON.parse(planned.stdout) as { entities: Record<string, object> };
    expect(entities).toMatchObject({
      companies: { read: 60, error: null },
      vacancies: { read: 90, error: null },
    });
    expect(await database.query('select * from victim')).toEqual([{ id: 1 }]);
  });

  it('every line of a query is a comment or the query, and every condition it offers is one of SQL', async () => {
    for (const entity of ['companies', 'vacancies']) {
      const query = read(`queries/${entity}.sql`);
      expect(query).not.toMatch(/[^\P{Cc}\n]|[\u2028\u2029\u202e]/u);
      const [, conditions = ''] = query.split('\nwhere true\n');
      const lines = conditions.trimEnd().split('\n');
      expect(lines.filter((line) => !line.startsWith('  -- '))).toEqual([]);
      for (const line of lines.filter((each) => each.startsWith('  -- and '))) {
        const rows = await database.query(`${query.replace(line, line.replace('-- ', ''))}`);
        expect(rows.length, line).toBeLessThanOrEqual(90);
      }
      expect(
        lines.some((line) => line.startsWith('  -- and ')),
        entity,
      ).toBe(true);
    }
    expect(await database.query('select * from victim')).toEqual([{ id: 1 }]);
  });

  it('a lookup has every code, each on a line that a lookup takes, and finds it again', () => {
    const files = readdirSync(join(folder, 'config/reference'));
    expect(files).toEqual(expect.arrayContaining(['industries.csv', 'cities.csv']));
    for (const file of ['industries.csv', 'cities.csv']) {
      const csv = read(`reference/${file}`);
      const { entries } = readLookup(csv, file);
      const plain = (label: string) => label.trim().replace(/\s+/g, ' ').toLowerCase();
      expect([...entries.keys()].sort()).toEqual(
        LABELS.map(plain)
          .filter((label) => label !== '')
          .sort(),
      );
    }
  });

  it('what it prints stays on its line, and moves no cursor', () => {
    expect(drafted.stdout).not.toMatch(/[^\P{Cc}\n]|[\u2028\u202e]/u);
    const lines = drafted.stdout.split('\n');
    expect(lines.filter((line) => /^\W*(drop|select)\b/i.test(line))).toEqual([]);
    expect(
      lines.every((line) =>
        /^(wrote |kept |companies: |vacancies: |not drafted:|lookups |Next: | {2}- | {2}placement-sync |$)/.test(
          line,
        ),
      ),
      drafted.stdout,
    ).toBe(true);
  });

  it('a draft with all conditions taken is still one statement', async () => {
    const path = join(folder, 'config/queries/companies.sql');
    const before = read('queries/companies.sql');
    writeFileSync(path, before.replaceAll('  -- and ', '  and '));
    expect((await cli('config', 'check')).exitCode).toBe(0);
    const planned = await cli('plan', '--json');
    expect([0, 3, 4]).toContain(planned.exitCode);
    expect(planned.stderr).not.toContain('more than one statement');
    writeFileSync(path, before);
  });
});

describe('draft quoted names', () => {
  let database: TestDatabase;
  let draft: Tried;
  let vacancies: string;
  const role = `draft_reader_${String(process.pid)}`;

  beforeAll(async () => {
    database = await openDatabase('careers');
    await database.query(`create role ${role} login password 'pw';
    grant usage on schema careers to ${role};
    grant select on careers."Country", careers."City", careers."OfficeAddress", careers."JobPosting",
      careers."PostingEmployer", careers."Skill", careers."PostingSkill" to ${role};
    grant select ("employerId", "legalName", "addressId", "registrationNumber", sector, "aboutHtml", "homepage", "logoUrl",
      "isActive", "updatedAt") on careers."Employer" to ${role}`);
    draft = await draftFrom(database.url);
    vacancies = draft.file('queries/vacancies.sql');
  });
  afterAll(async () => {
    await database.query(`drop owned by ${role}; drop role ${role}`).catch(() => undefined);
  });

  function asReader(): string {
    const url = new URL(database.url);
    url.username = role;
    url.password = 'pw';
    return url.href;
  }

  it('finds tables of another schema with quoted names', () => {
    expect(draft.tables).toEqual({ companies: 'careers."Employer"', vacancies: 'careers."JobPosting"' });
  });

  it('takes one of several employers by a group, and asks which', () => {
    expect(filledBy(vacancies, 'company_key')).toBe('posting_employer.key');
    expect(vacancies).toContain(
      '(array_agg(pe."employerId" order by pe."isLead" desc nulls last, pe."postingId", pe."employerId"))[1] as key',
    );
    expect(draft.said('several rows in PostingEmployer; this takes the main one by isLead')).toHaveLength(1);
  });

  it('finds the city by way of the address, also of the company', () => {
    expect(filledBy(draft.file('queries/companies.sql'), 'region_id')).toBe('office_address."cityId"');
    expect(vacancies).toContain('-- decide: region_id of its company');
    expect(draft.file('reference/cities.csv')).toContain(
      '1,,Bandung,40,ambiguous: Bandung is a city (Kota) and a regency (Kabupaten)',
    );
  });

  it('opens ranges and lists', async () => {
    expect(filledBy(vacancies, 'min_salary_amount')).toBe('lower(v."salaryRange")');
    expect(filledBy(vacancies, 'max_salary_amount')).toBe('upper(v."salaryRange") - 1');
    expect(filledBy(vacancies, 'max_salary_currency')).toBe('v."salaryCurrency"');
    const rows = await database.query<{ qualification: string; skills: string[] }>(vacancies);
    expect(rows).toHaveLength(90);
    expect(rows[0]).toMatchObject({ qualification: 'one\ntwo', skills: ['c_sharp', 'node_js'] });
  });

  it('lists every value of integer codes without an id', () => {
    expect(draft.file('reference/job-types.csv').split('\n')).toHaveLength(6);
    expect(draft.file('reference/job-types.csv')).toMatch(/^1,,,23,$/m);
  });

  it('drafts the same for a role that may read no column of people, without their columns', async () => {
    const narrow = await draftFrom(asReader());
    expect(narrow.said('the server does not take the query')).toEqual([]);
    expect(narrow.file('queries/vacancies.sql')).toBe(vacancies);
    expect(narrow.said('The role may not read careers.Employer.phoneNumber')).toHaveLength(1);
    const companies = narrow.file('queries/companies.sql');
    expect(companies).not.toMatch(/phoneNumber|contactEmail/);
    expect(filledBy(companies, 'about')).toBe('c."aboutHtml"');
  });

  it('says what hides rows from the role, with the SQL that helps', async () => {
    await database.query(`alter table careers."Employer" enable row level security;
    create policy only_active on careers."Employer" using ("isActive")`);
    const [line] = (await draftFrom(asReader())).said('row-level security');
    expect(line).toContain(`hides rows from ${role} (only_active: "isActive")`);
    expect(line).toContain(`ALTER ROLE ${role} BYPASSRLS`);
  });
});
