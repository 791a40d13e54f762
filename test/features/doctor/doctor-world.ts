import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Finding, Level } from '../../../src/features/doctor/finding.js';
import { type RunningSandbox, startSandbox } from '../../../src/features/sandbox/start-sandbox.js';
import { type CliResult, runCli } from '../../cli/run-cli.js';
import { createTestDatabase } from '../../postgres/test-database.js';
import { planted } from '../../security/planted.js';

const SECRET = planted('client');
const PASSWORD = planted('reader');

const TABLES = `
create schema hr;
create table hr.town (code text primary key, label text);
create table hr.employer (
  id int primary key, label text not null, town text references hr.town, mail text, tel text, intro text,
  lat numeric, lon numeric, logo text, is_active boolean not null default true);
create table hr.opening (
  id int primary key, employer_id int references hr.employer, name text not null, body text, sex text,
  pay_from numeric, pay_to numeric, age_from int, age_to int, places numeric, closes date, closes_at timestamp,
  closes_on timestamptz, is_published boolean not null default true);
create table hr.opening_tag (opening_id int references hr.opening, tag text not null);
create index on hr.opening_tag (opening_id);
insert into hr.town values ('BDG', 'Bandung'), ('SBY', 'Surabaya');
insert into hr.employer (id, label, town, mail, tel, intro, lat, lon, logo)
  select n, 'Employer ' || n, 'BDG', 'hr' || n || '@employer' || n || '.co.id', '+62 22 10' || n, 'Intro ' || n,
    -6.9 + n / 100.0, 107.6, 'https://cdn.employer.co.id/' || n || '.png' from generate_series(1, 20) n;
insert into hr.opening (id, employer_id, name, body, sex, pay_from, pay_to, age_from, age_to, places, closes,
    closes_at, closes_on)
  select n, 1 + n % 20, 'Opening ' || n, 'Work ' || n, 'female', 5000000, 7000000, 20, 40, 2, current_date + 30,
    current_date + 30 + time '12:00', (current_date + 30)::timestamp at time zone 'Asia/Jakarta' + interval '12 hours'
  from generate_series(1, 60) n;
insert into hr.opening_tag select n, t from generate_series(1, 60) n, unnest(array['welding', 'first_aid']) t;
analyze hr.employer, hr.opening, hr.opening_tag;
`;

const EMPLOYERS = `select e.id as key, e.label as name, e.town as region_id, e.mail as email, e.tel as phone,
  e.intro as about, e.lat as latitude, e.lon as longitude, e.logo as logo_uri
from hr.employer e
where e.is_active
`;

const OPENINGS = `select o.id as key, o.employer_id as company_key, o.name as title, o.body as description,
  o.sex as gender, o.pay_from as min_salary_amount, o.pay_to as max_salary_amount, o.age_from as min_age,
  o.age_to as max_age, o.places as quota, o.closes as expire_at, t.tags as skills
from hr.opening o
left join (select opening_id, array_agg(tag order by tag) as tags from hr.opening_tag group by opening_id) t
  on t.opening_id = o.id
where o.is_published
`;

const CONFIG = `
source: { url: '\${SOURCE_DATABASE_URL}' }
ids: { namespace: 6f1de0a2-6a57-4d1c-9c43-0f5c0b8f7a11 }
platform:
  jobs: { baseUrl: '\${BASE_URL}', clientId: sandbox-client, clientSecret: '\${CLIENT_SECRET}', timeout: 5s }
entities:
  companies: { query: employers.sql, lookups: { region_id: towns.csv } }
  vacancies: { query: openings.sql, onVanished: close }
`;

const FILES = {
  'placement-sync.yaml': CONFIG,
  'employers.sql': EMPLOYERS,
  'openings.sql': OPENINGS,
  'towns.csv': 'code,id\nBDG,8a4c0d52-3a52-4f0e-9f0c-6d8f6f8f1c11\nSBY,\n',
};

type FileName = keyof typeof FILES;

export interface Examined extends CliResult {
  readonly checks: readonly Finding[];
  /** Findings of a check, of one entity if named. */
  of(id: string, entity?: string): readonly Finding[];
  /** Ids with an entity of every finding of this level. */
  at(level: Level): readonly string[];
}

/** A partner's database, configuration and platform, in which nothing is wrong. */
export interface DoctorWorld {
  readonly env: Record<string, string>;
  readonly sandbox: RunningSandbox;
  /** Of the role that may only read. */
  readonly role: string;
  /** As the owner of the tables. */
  sql(text: string): Promise<Record<string, unknown>[]>;
  /** Changes a file: a part of its text for another, or all of it. */
  change(file: FileName, from: string | null, to: string): void;
  write(file: string, text: string): void;
  doctor(...args: string[]): Promise<Examined>;
  cli(...args: string[]): Promise<CliResult>;
}

/** A world for one test. The source's role may do nothing but read; there is no state schema. */
export async function createDoctorWorld(options: { platformNow?: () => number } = {}): Promise<DoctorWorld> {
  const database = await createTestDatabase();
  await database.query(TABLES);
  const role = `doctor_reader_${randomBytes(4).toString('hex')}`;
  await database.query(`create role ${role} login password '${PASSWORD}'`);
  await database.query(
    `grant usage on schema hr to ${role}; grant select on all tables in schema hr to ${role}`,
  );
  const sandbox = await startSandbox({
    clients: { jobs: { clientId: 'sandbox-client', secret: SECRET } },
    ...(options.platformNow ? { clock: { now: options.platformNow } } : {}),
  });
  const folder = mkdtempSync(join(tmpdir(), 'placement-sync-doctor-'));
  onTestFinished(async () => {
    await sandbox.close();
    await database.query(`drop owned by ${role}`);
    await database.query(`drop role ${role}`);
    rmSync(folder, { recursive: true });
  });

  const files: Record<string, string> = { ...FILES };
  const write = (file: string, text: string) => {
    files[file] = text;
    writeFileSync(join(folder, file), text);
  };
  for (const [file, text] of Object.entries(files)) write(file, text);
  const url = new URL(database.url);
  [url.username, url.password] = [role, PASSWORD];
  const env: Record<string, string> = {
    PLACEMENT_SYNC_CONFIG: join(folder, 'placement-sync.yaml'),
    SOURCE_DATABASE_URL: url.href,
    OWNER_DATABASE_URL: database.url,
    BASE_URL: sandbox.url,
    CLIENT_SECRET: SECRET,
  };
  const cli = (...args: string[]) => runCli(args, { env });

  return {
    env,
    sandbox,
    role,
    sql: (text) => database.query(text),
    write,
    change(file, from, to) {
      const text = files[file] ?? '';
      if (from !== null && !text.includes(from)) throw new Error(`${file} has no ${from}`);
      write(file, from === null ? to : text.replace(from, to));
    },
    cli,
    async doctor(...args) {
      const result = await cli('doctor', '--json', ...args);
      const { checks } = JSON.parse(result.stdout || '{"checks":[]}') as { checks: Finding[] };
      return {
        ...result,
        checks,
        of: (id, entity) => checks.filter((each) => each.id === id && (!entity || each.entity === entity)),
        at: (level) =>
          checks
            .filter((each) => each.level === level)
            .map(({ id, entity }) => (entity === null ? id : `${entity} ${id}`)),
      };
    },
  };
}
