import { readdirSync, readFileSync } from 'node:fs';
import type { CliWorld } from '../cli/cli-world.js';

/** Numbers from 0 to 1 that are the same in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    // Mulberry32: enough for choosing what to change.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface SourceChanges {
  /** One change of one kind, chosen by the seed. */
  change(): Promise<void>;
  /** How often each kind was made. */
  readonly made: Readonly<Record<string, number>>;
}

/** Edits, inserts, deletes and returns of rows, in a database that stays about as large as it is. */
export function sourceChanges(world: CliWorld, random: () => number): SourceChanges {
  const made: Record<string, number> = {};
  let next = 1_000;
  const gone: string[] = [];

  const insertVacancy = (id: string) =>
    world.sql(
      `insert into vacancy (id, company_id, title)
       select $1, id, 'Vacancy ' || $1 from company order by md5(id || $1) limit 1 on conflict do nothing`,
      [id],
    );
  const kinds: Record<string, () => Promise<unknown>> = {
    'company edited': () =>
      world.sql(
        `update company set about = $1 where id = (select id from company order by md5(id || $1) limit 1)`,
        [`edition ${next++}`],
      ),
    'vacancy edited': () =>
      world.sql(
        `update vacancy set title = 'Vacancy ' || id || ' ' || $1
         where id in (select id from vacancy order by md5(id || $1) limit 3)`,
        [String(next++)],
      ),
    'vacancy moved': () =>
      world.sql(
        `update vacancy set company_id = (select id from company order by md5(id || $1) limit 1)
         where id = (select id from vacancy order by md5($1 || id) limit 1)`,
        [String(next++)],
      ),
    'vacancy inserted': () => insertVacancy(`v${next++}`),
    'vacancy deleted': async () => {
      const rows = await world.sql<{ id: string }>(
        `delete from vacancy where id = (select id from vacancy order by md5(id || $1) limit 1) returning id`,
        [String(next++)],
      );
      gone.push(...rows.map(({ id }) => id));
    },
    'vacancy returned': async () => {
      const id = gone.splice(Math.floor(random() * gone.length), 1)[0];
      if (id !== undefined) await insertVacancy(id);
    },
    'company inserted': () =>
      world.sql(`insert into company (id, name) values ($1, 'Company ' || $1)`, [`c${next++}`]),
    'company deleted': () =>
      world.sql(
        `delete from company where id =
           (select id from company c where id >= 'c1000'
            and not exists (select from vacancy v where v.company_id = c.id) order by id limit 1)`,
      ),
  };
  const names = Object.keys(kinds);

  return {
    made,
    async change() {
      const name = names[Math.floor(random() * names.length)] ?? '';
      await kinds[name]?.();
      made[name] = (made[name] ?? 0) + 1;
    },
  };
}

/** What the sandbox holds and what the source wants of it, as sorted lines; equal when nothing was lost. */
export async function comparePlatform(
  world: CliWorld,
): Promise<{ readonly held: readonly string[]; readonly wanted: readonly string[] }> {
  const companies = world.sandbox.records('jobs', 'companies').map(({ reference, body }) => ({
    reference,
    ...(body as { name: string; about?: string }),
  }));
  const nameOf = new Map(companies.map(({ reference, name }) => [reference, name]));
  const vacancies = world.sandbox
    .records('jobs', 'vacancies')
    .map(({ body }) => body as { title: string; employer: { id: string } });
  const held = [
    ...companies.map(({ name, about }) => `${name}: ${about ?? ''}`),
    ...vacancies.map(({ title, employer }) => `${title} at ${nameOf.get(employer.id) ?? 'nobody'}`),
  ];
  const wanted = await world.sql<{ line: string }>(
    `select name || ': ' || coalesce(about, '') as line from company
     union all
     select v.title || ' at ' || c.name from vacancy v join company c on c.id = v.company_id`,
  );
  return { held: held.sort(), wanted: wanted.map(({ line }) => line).sort() };
}

interface ProcessMeasure {
  /** Resident memory, MiB. */
  readonly memory: number;
  /** Open file descriptors. */
  readonly descriptors: number;
}

/** Of a running process, as Linux tells it; fails elsewhere, because a check that is left out proves nothing. */
export function measureProcess(pid: number): ProcessMeasure {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    memory: Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
  };
}

/** What was measured again and again while one process ran, in the order of time. */
export interface Trend {
  /** Median of the second third of the samples. */
  readonly before: number;
  /** Median of the last third. */
  readonly after: number;
  readonly max: number;
  readonly samples: number;
}

/** The first third is left out: a process that has just begun grows. Throws when there are fewer than nine samples. */
export function trendOf(samples: readonly number[]): Trend {
  if (samples.length < 9) throw new Error(`only ${samples.length} samples: let it run longer`);
  const third = Math.floor(samples.length / 3);
  return {
    before: median(samples.slice(third, 2 * third)),
    after: median(samples.slice(2 * third)),
    max: Math.max(...samples),
    samples: samples.length,
  };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0;
}

/** What is older than the retention of its table allows, by table: what should have been pruned. */
const OVERDUE = `
  select 'runs' as what, count(*)::int as count from placement_sync.sync_run
   where coalesce(finished_at, started_at) < now() - $1 * interval '1 second'
  union all
  select 'vanished rows', count(*)::int from placement_sync.sync_state
   where vanished_at < now() - $1 * interval '1 second'
  union all
  select 'applications', count(*)::int from placement_sync.job_application
   where received_at < now() - $1 * interval '1 second'
  union all
  select 'staged findings', count(*)::int from placement_sync.staged_finding
  union all
  select 'answers of past hours', count(*)::int from placement_sync.push_hour
   where hour < now() - $1 * interval '1 second' - interval '1 hour'
  union all
  select 'requests in the journal', count(*)::int from placement_sync.delivery
   where answered_at < now() - $1 * interval '1 second'`;

const SEEN = `
  select 'runs' as what, run_id::text as id from placement_sync.sync_run
  union all
  select 'vanished rows', entity || ' ' || key from placement_sync.sync_state where vanished_at is not null
  union all
  select 'applications', id::text from placement_sync.job_application`;

interface TableWatch {
  /** Notes which rows there are, so that it shows at the end that rows came and went. */
  look(): Promise<void>;
  /** Connections of the worker to this database. */
  connections(): Promise<number>;
  /** How many rows of each kind were ever seen. */
  seen(): Readonly<Record<string, number>>;
  /** How many are older than their retention and a margin, both in seconds. */
  overdue(retention: number, margin: number): Promise<Readonly<Record<string, number>>>;
}

export function watchTables(world: CliWorld): TableWatch {
  const seen = new Map<string, Set<string>>();
  return {
    async look() {
      for (const { what, id } of await world.sql<{ what: string; id: string }>(SEEN)) {
        const ids = seen.get(what) ?? new Set();
        seen.set(what, ids.add(id));
      }
    },
    async connections() {
      const [row] = await world.sql<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity
         where datname = current_database() and application_name = 'placement-sync'`,
      );
      return row?.count ?? 0;
    },
    seen: () => Object.fromEntries([...seen].map(([what, ids]) => [what, ids.size])),
    async overdue(retention, margin) {
      const rows = await world.sql<{ what: string; count: number }>(OVERDUE, [retention + margin]);
      return Object.fromEntries(rows.map(({ what, count }) => [what, count]));
    },
  };
}
