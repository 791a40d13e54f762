import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { ChaosWorld, Running } from './chaos-world.js';
import { checkCounts, checkLedger } from './check-ledger.js';

/** Runs of a process that nobody disturbs until nothing is left to do. */
const MOST_RUNS = 10;

interface Report {
  readonly exitCode: number;
  readonly outcome: string;
  readonly entities: Record<string, { readonly sent: number }>;
}

/** Waits until no lease is held, as the next run of a cron job would find it. */
export async function leasesFree(world: ChaosWorld): Promise<void> {
  const [row] = await world.database.query<{ left: number }>(
    `select coalesce(max(cast(extract(epoch from expires_at - clock_timestamp()) * 1000 as double precision)), 0) as left
     from placement_sync.lease`,
  );
  // The database's clock has microseconds.
  if (row && row.left > 0) await wait(row.left + 5);
}

/**
 * Faults off, everything in the source valid, nobody killed: after a few runs the platform must equal the source, and
 * a further run must have nothing to send. Gives what does not hold.
 */
export async function settle(
  world: ChaosWorld,
  process: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<string[]> {
  const { database, platform, edits, witness } = world;
  world.faulty = false;
  platform.delayMs = 0;
  world.killSwitch.disarm();
  await edits.mend();
  for (let runs = 0; ; runs += 1) {
    if (runs === MOST_RUNS)
      return [`${world.name} has not come to rest after ${runs} runs: ${await left(world)}`];
    await leasesFree(world);
    const requestsBefore = witness.requests.length;
    const ended = await process(async () => {
      const running = await world.launch('run', '--json');
      return { running, code: await running.done };
    });
    const report = readReport(ended.running);
    // On a machine that is busy the lease may run out under a run; then nobody was at work, and the next one goes on.
    if (isLeaseLost(ended.running)) continue;
    if (report === null || ended.code !== 0)
      return [
        `a quiet run ended with ${String(ended.code)}: ${ended.running.stderr()} ${ended.running.stdout()} ${await left(world)}`,
      ];
    const [due] = await database.query<{ ms: number | null }>(
      `select cast(extract(epoch from greatest(max(confirm_at), max(next_attempt_at)) - clock_timestamp()) * 1000 as double precision) as ms
       from placement_sync.sync_state where sendable`,
    );
    const sent = Object.values(report.entities).reduce((sum, entity) => sum + entity.sent, 0);
    if (sent === 0 && due?.ms === null && platform.heldBack().length === 0) {
      const idle = witness.requests.length === requestsBefore;
      world.faulty = true;
      return [
        ...(idle ? [] : [`${world.name}: a run with nothing to send made requests`]),
        ...(await checkLedger(world)),
        ...(await checkCounts(world)),
        ...(await checkPlatform(world)),
        ...(await unsettled(world)),
      ];
    }
    await wait(Math.max(0, due?.ms ?? 0) + 5);
    while (platform.heldBack().length > 0) await wait(20);
  }
}

/** Whether the process ended because it had not come to renewing its lease. */
export function isLeaseLost(running: Running): boolean {
  return running.stderr().includes('"code":"lease-lost"');
}

export function readReport(running: Running): Report | null {
  try {
    return JSON.parse(running.stdout()) as Report;
  } catch {
    return null;
  }
}

async function unsettled({ database }: ChaosWorld): Promise<string[]> {
  const rows = await database.query<{ told: string }>(
    `select entity || ' ' || key || ' is ' || status as told from placement_sync.record
     where status not in ('synced', 'vanished')`,
  );
  return rows.map(({ told }) => told);
}

async function left({ database }: ChaosWorld): Promise<string> {
  const rows = await database.query(
    `select entity, key, r.status, claim_token, desired_hash, acknowledged_hash, confirm_at, s.next_attempt_at, refused_hash,
       s.invalid_reason, s.vanished_at, s.last_status_code, s.last_error
     from placement_sync.sync_state s join placement_sync.record r using (entity, key)
     where r.status not in ('synced', 'vanished') or claim_token is not null or confirm_at is not null`,
  );
  return JSON.stringify(rows);
}

interface Vacancy extends Record<string, unknown> {
  readonly employer: { readonly id: string };
  readonly status: string;
}

/**
 * Compares what the platform holds with the source. What is expected is written here from the interface, apart from
 * the product's own maps. Gives the differences, one sentence each.
 */
async function checkPlatform({ database, sandbox, deletes }: ChaosWorld): Promise<string[]> {
  const companies = await database.query<{ id: string; name: string; city: string; about: string | null }>(
    'select * from company',
  );
  const vacancies = await database.query<{ id: string; company_id: string; title: string; status: string }>(
    'select * from vacancy',
  );
  const expected = new Map<string, object>([
    ...companies.map(
      ({ id, name, city, about }) =>
        [
          id,
          {
            name,
            region: { type: 'city', id: city, country_code: null },
            ...(about === null ? {} : { about }),
          },
        ] as const,
    ),
    ...vacancies.map(
      ({ id, company_id, title, status }) =>
        [
          id,
          { title, status, gender: null, marital: null, min_experience: null, company: company_id },
        ] as const,
    ),
  ]);
  const references = new Map(
    sandbox.records('jobs', 'companies').map(({ id, reference }) => [reference, id]),
  );
  const held = new Map<string, object>([
    ...sandbox.records('jobs', 'companies').map(({ id, body }) => [id, body] as const),
    ...sandbox.records('jobs', 'vacancies').map(({ id, body }) => {
      // Of the employer only who it is belongs to the vacancy.
      const { employer, ...rest } = body as Vacancy;
      return [id, { ...rest, company: references.get(employer.id) }] as const;
    }),
  ]);
  const problems: string[] = [];
  for (const [id, want] of expected) {
    const has = held.get(id);
    if (!isDeepStrictEqual(has, want))
      problems.push(`${id} should be ${JSON.stringify(want)}, is ${JSON.stringify(has)}`);
  }
  for (const [id, has] of held) {
    if (expected.has(id)) continue;
    if (deletes) problems.push(`${id} is still there: ${JSON.stringify(has)}`);
    else if ((has as Vacancy).status !== 'closed')
      problems.push(`${id} is not closed: ${JSON.stringify(has)}`);
  }
  return problems;
}
