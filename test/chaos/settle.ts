import { setTimeout as wait } from 'node:timers/promises';
import { checkCounts, checkLedger } from './check-ledger.js';
import { checkPlatform } from './check-platform.js';
import type { ChaosWorld, Running } from './chaos-world.js';

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
