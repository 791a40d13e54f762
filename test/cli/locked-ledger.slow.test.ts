import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { plantTraps, sprungTraps } from '../postgres/plant-traps.js';
import { createTestDatabase } from '../postgres/test-database.js';
import { createCliWorld } from './cli-world.js';
import { createLockedWorld } from './locked-world.js';

describe('locked ledger', () => {
  const RECORD = '/record?entity=companies&key=c001';
  const PAGES = ['/', '/records?entity=companies&status=synced', RECORD];

  const PROBES = ['/metrics', '/readyz'];
  const PATHS = [...PAGES, ...PROBES];

  /** Null: the signal aborted before there was an answer. */
  async function ask(address: string, signal: AbortSignal) {
    const answer = await fetch(address, { signal }).catch(() => null);
    return answer && `${answer.status} ${answer.headers.get('retry-after')} ${await answer.text()}`;
  }

  /** Connections for looking: two for pages, one each for metrics, probes and buttons. */
  const LOOKING = 5;

  test('behind a lock on the ledger pages use few connections, say so, and take none from the sync', async () => {
    const { world, worker, admin, lock, unlock, waiting } = await createLockedWorld();
    const before = await fetch(admin + RECORD);
    const [, form = ''] = /name="form"\s+value="([^"]*)"/.exec(await before.text()) ?? [];
    const cookie = before.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const backends = async () => {
      const [row] = await world.sql<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and application_name = 'placement-sync'`,
      );
      return row?.count ?? 0;
    };
    const press = () => {
      const body = new URLSearchParams({ form, entity: 'companies', status: 'rejected' });
      const signal = AbortSignal.timeout(500);
      return fetch(`${admin}/actions/retry`, { method: 'POST', headers: { cookie }, body, signal }).catch(
        () => null,
      );
    };
    const pressed = () => worker.stderr().split('"action":"retry"').length - 1;

    await lock('placement_sync.sync_state');
    const presses = Array.from({ length: 12 }, press);
    const answers = new Map(PATHS.map((path) => [path, new Set<string>()]));
    const leaving = new AbortController();
    const asked: Promise<unknown>[] = [];
    let most = 0;
    const until = performance.now() + 5_000;
    const answered = () => [...answers.values()].every(({ size }) => size > 0);
    for (; performance.now() < until || !answered(); await wait(100)) {
      for (const [path, texts] of answers)
        asked.push(ask(admin + path, leaving.signal).then((text) => text && texts.add(text)));
      most = Math.max(most, await backends());
    }
    leaving.abort();
    await Promise.all(asked);
    // The sync has eight of the ledger and four of the source at most.
    expect(most).toBeLessThanOrEqual(8 + 4 + LOOKING);
    for (const [path, texts] of answers) {
      const expected = PROBES.includes(path)
        ? /^200 null /
        : /^503 (?:5 [\s\S]*The database is busy|1 Too many requests)/;
      for (const text of texts) expect(text, path).toMatch(expected);
    }
    expect(pressed(), 'what a button began waits for the lock').toBe(0);
    await Promise.all(presses);

    await unlock();
    await expect.poll(async () => (await fetch(admin)).status, { timeout: 60_000 }).toBe(200);
    await expect.poll(pressed, { timeout: 60_000, message: 'it is done although clients left' }).toBe(12);
    await expect.poll(waiting, { timeout: 60_000 }).toBe(0);
    expect(worker.stderr()).not.toContain('lease-lost');
    worker.child.kill('SIGTERM');
    expect((await worker.done).exitCode, worker.stderr()).toBe(0);
  }, 90_000);
});

describe('search path', () => {
  const CITY = '8a4c0d52-3a52-4f0e-9f0c-6d8f6f8f1c11';

  test('no command calls anything that somebody put into the schema public of source or state', async () => {
    const world = await createCliWorld({ migrated: false });
    const source = await createTestDatabase();
    await source.query(`create table company (id text, name text, city text);
    insert into company select 'c' || n, 'Company ' || n, '${CITY}' from generate_series(1, 3) n;
    create table vacancy (id text, company_id text, title text, expire_at timestamp);
    insert into vacancy select 'v' || n, 'c1', 'Vacancy ' || n, '2030-01-01' from generate_series(1, 3) n;
    create table hiring (application text, state text);
    insert into hiring values ('1edd9893-f1a3-45dd-89d4-bc4dc9a071d0', 'accepted')`);
    const { strictUrl } = await plantTraps(source);
    world.configure(
      '  vacancies:',
      '  application-statuses: { query: hiring.sql, requireInbox: false }\n  vacancies:',
    );
    world.write('companies.sql', 'select id as key, name, city as region_id from company');
    world.write(
      'vacancies.sql',
      'select id as key, company_id as company_key, title, expire_at from vacancy',
    );
    world.write('hiring.sql', 'select application as key, state as status from hiring');
    world.env.SOURCE_DATABASE_URL = strictUrl;

    expect((await world.cli('migrate')).exitCode).toBe(0);
    expect((await world.cli('plan', '--diff')).exitCode).toBe(0);
    const report = await world.run();
    expect(report.entities).toMatchObject({ companies: { accepted: 3 }, vacancies: { accepted: 3 } });
    expect((await world.cli('explain', 'vacancies', 'v1')).stdout).toContain('Vacancy 1');
    expect((await world.cli('verify', '--repair')).stdout).toContain('companies');
    expect((await world.cli('status')).stdout).toContain('companies');
    expect(await sprungTraps(source)).toEqual([]);
  });

  /** What a partner of many years has: texts as varchar and char, amounts as numeric, links without foreign keys. */
  const GROWN = `
  create table company (code varchar(20) primary key, company_name varchar(80), city varchar(40), website varchar(80),
    employees numeric(8), active char(1), created_at timestamp default now(), updated_at timestamptz default now());
  insert into company select 'C' || n, 'PT Maju ' || n, 'Kota Depok', 'maju.co.id', 10 * n, 'Y' from generate_series(1, 30) n;
  create table vacancy (id numeric(10) primary key, company_code varchar(20), title varchar(80), description varchar(200),
    quota numeric(4), salary_min numeric(12), salary_max numeric(12), city varchar(40), status varchar(10), published char(1),
    apply_url varchar(80), attributes jsonb, closes_at timestamp, valid_until bigint);
  insert into vacancy select n, 'C' || 1 + n % 30, 'Kasir ' || n, '<p>Melayani pelanggan</p>', 2, 4000000, 6000000,
    'Kota Depok, Indonesia', 'open', 'Y', 'https://maju.co.id/' || n, '{"shift": "pagi"}', '2030-01-01', 1893456000
    from generate_series(1, 60) n;
  create table vacancy_tag (vacancy_id numeric(10), tag varchar(20));
  insert into vacancy_tag select n, 'retail' from generate_series(1, 60) n;
  create table address (owner_type varchar(20), owner_id varchar(20), city varchar(40), street varchar(80));
  insert into address select 'company', 'C' || n, 'Kota Depok', 'Jalan ' || n from generate_series(1, 30) n`;

  test('init and doctor call nothing that somebody put into the schema public of the source', async () => {
    const world = await createCliWorld();
    const source = await createTestDatabase();
    await source.query(GROWN);
    const { strictUrl } = await plantTraps(source, { closer: true });
    // Planted views are tables of the source like others: `init` would read them, and for nothing else would be time.
    await source.query(`begin; set local search_path = pg_catalog;
    do $$ declare planted name; begin
      for planted in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v' loop
        execute format('drop view public.%I', planted);
      end loop;
    end $$; commit`);
    // Of both ways to find the trap: as by default, where its types fit better, and with `public` in front.
    for (const url of [source.url, strictUrl]) {
      world.env.SOURCE_DATABASE_URL = url;
      const drafted = await world.cli(
        'init',
        '--yes',
        '--out',
        join(world.folder, url === strictUrl ? 'strict' : 'usual'),
      );
      expect(drafted.stderr).toBe('');
      expect(drafted.exitCode).toBe(0);
      expect(await sprungTraps(source)).toEqual([]);
      expect(drafted.stdout).toContain('vacancies: vacancy (60 rows)');
      expect(drafted.stdout).not.toContain('in time');
    }

    world.write('companies.sql', 'select code as key, company_name as name, city as region_id from company');
    world.write(
      'vacancies.sql',
      `select id as key, company_code as company_key, v.title, v.quota, v.closes_at as expire_at
     from vacancy v join company c on c.code operator(pg_catalog.=) v.company_code`,
    );
    for (const url of [source.url, strictUrl]) {
      world.env.SOURCE_DATABASE_URL = url;
      const { stdout } = await world.cli('doctor');
      expect(stdout).toContain('rights');
      expect(stdout).not.toContain('could not');
      expect(await sprungTraps(source)).toEqual([]);
    }
  });
});
