import { setTimeout as wait } from 'node:timers/promises';
import { type ChaosWorld, CLAIM_LIMIT, LEASE_TTL_MS } from './chaos-world.js';
import { isAccepted } from './witness.js';

/**
 * Outcomes are written in groups of 200 ms (or 100 records, which are more here). So many are answered at this rate
 * meanwhile, three times over: a group is being written while the next one gathers, and the machine may be busy.
 */
const MOST_UNWRITTEN = 3 * Math.ceil(CLAIM_LIMIT * 4 * 0.2);

interface Entry extends Record<string, unknown> {
  readonly entity: 'companies' | 'vacancies';
  readonly key: string;
  readonly claimed: boolean;
  readonly requestId: string | null;
  readonly acknowledgedHash: string | null;
  readonly confirming: boolean;
}

const PATHS = {
  companies: (id: string) => `/api/v1/employers/${id}/company`,
  vacancies: (id: string) => `/api/v1/jobs/${id}/industrial-vacancy`,
};

/** Nothing that a dead process began is still carried out in the database or on its way to the platform. */
async function atRest(world: ChaosWorld, standby: boolean): Promise<void> {
  await world.platform.quiet();
  // The other one's connections are idle.
  const busy = standby ? `and state <> 'idle'` : '';
  for (;;) {
    const open = await world.database.query(
      `select 1 from pg_stat_activity where datname = current_database() and application_name like 'placement-sync%' ${busy}`,
    );
    if (open.length === 0) return;
    await wait(10);
  }
}

/**
 * What must hold whenever nobody is at work, whatever happened before; claims that are open now were cut off, and are
 * noted. Gives what does not hold, one sentence each.
 *
 * @param standby whether another process stands by, which does nothing yet
 */
export async function checkLedger(world: ChaosWorld, standby = false): Promise<string[]> {
  const { database, witness, sandbox, cutOff } = world;
  await atRest(world, standby);
  const entries = await database.query<Entry>(
    `select entity, key, claim_token is not null as claimed, last_request_id as "requestId",
       acknowledged_hash as "acknowledgedHash", confirm_at is not null as confirming
     from placement_sync.sync_state`,
  );
  const problems: string[] = [];
  const open = entries.filter(({ claimed }) => claimed);
  for (const { key, requestId } of open) {
    if (requestId === null || cutOff.requestIds.has(requestId)) continue;
    cutOff.times.set(key, (cutOff.times.get(key) ?? 0) + 1);
    cutOff.requestIds.add(requestId);
  }
  const answered = new Set(
    witness.requests.filter(({ passedOn }) => passedOn).map(({ requestId }) => requestId),
  );
  const unanswered = open.filter(({ requestId }) => !answered.has(requestId ?? '')).length;
  if (unanswered > CLAIM_LIMIT)
    problems.push(`${unanswered} records were claimed at once, more than ${CLAIM_LIMIT}`);
  if (open.length - unanswered > MOST_UNWRITTEN)
    problems.push(`${open.length - unanswered} outcomes were not written, more than ${MOST_UNWRITTEN}`);

  const held = new Map(
    (['companies', 'vacancies'] as const).flatMap((kind) =>
      sandbox
        .records('jobs', kind)
        .map((record) => [PATHS[kind](record.id), record.body as Record<string, unknown>] as const),
    ),
  );
  for (const { entity, key, claimed, acknowledgedHash, confirming } of entries) {
    const path = PATHS[entity](key);
    if (acknowledgedHash === null) continue;
    if (!witness.accepted(path).has(acknowledgedHash))
      problems.push(`${entity} ${key}: the acknowledged payload was never accepted`);
    if (claimed || confirming) continue;
    const body = held.get(path) ?? null;
    if (witness.hashOf(body) !== acknowledgedHash)
      problems.push(`${entity} ${key}: the platform holds something else than what is acknowledged`);
  }

  const leases = await database.query<{ name: string; left: number }>(
    `select name, cast(extract(epoch from expires_at - clock_timestamp()) * 1000 as double precision) as left
     from placement_sync.lease`,
  );
  for (const { name, left } of leases)
    if (left > LEASE_TTL_MS) problems.push(`the ${name} lease blocks for ${left} ms`);
  return problems;
}

/** Of every run that came to its end, and of every record: how often it was sent without need. */
export async function checkCounts(world: ChaosWorld): Promise<string[]> {
  const runs = await world.database.query<{
    run_id: string;
    outcome: string | null;
    finished: boolean;
    counters: Record<string, Record<string, number>> | null;
  }>(`select run_id, outcome, finished_at is not null as finished, counters from placement_sync.sync_run`);
  const problems = runs.flatMap(({ run_id, outcome, finished, counters }) => {
    if (!finished) return [`run ${run_id} never ended`];
    return Object.entries(counters ?? {}).flatMap(([entity, count]) => {
      const {
        read = 0,
        unchanged = 0,
        invalid = 0,
        sent = 0,
        accepted = 0,
        rejected = 0,
        deferred = 0,
      } = count;
      const told = `run ${run_id} (${String(outcome)}), ${entity}`;
      return [
        ...(read === unchanged + (count.new ?? 0) + (count.changed ?? 0) + invalid ? [] : [`${told}: read`]),
        ...(sent === accepted + rejected + deferred ? [] : [`${told}: sent`]),
      ].map((what) => `${what} does not balance: ${JSON.stringify(count)}`);
    });
  });
  return [...problems, ...needlessRepeats(world)];
}

/**
 * The same payload twice in a row needs a reason: a claim that was cut off, or an attempt without reply, is sent once
 * more and confirmed once; so is a reply that came late, on a busy machine. What was deferred or refused is sent once more.
 */
function needlessRepeats({ witness, cutOff, sandbox }: ChaosWorld): string[] {
  const byPath = new Map<string, typeof witness.requests>();
  for (const one of witness.requests) byPath.set(one.path, [...(byPath.get(one.path) ?? []), one]);
  const problems: string[] = [];
  for (const [path, requests] of byPath) {
    const id = requests[0]?.id ?? '';
    let repeats = 0;
    let allowed = 2 * (cutOff.times.get(id) ?? 0);
    requests.forEach((one, index) => {
      const before = requests[index - 1];
      if (before?.method === one.method && witness.hashOf(before.body) === witness.hashOf(one.body))
        repeats += 1;
      if (cutOff.requestIds.has(one.requestId) || (one.passedOn && !one.slow && isAccepted(one))) return;
      const known = one.passedOn && one.json && one.status !== 200;
      allowed += known ? 1 : 2;
    });
    if (repeats > allowed)
      problems.push(`${path} was sent ${repeats} times without need, of which ${allowed} have a reason`);
  }
  const journal = sandbox.requests().length;
  const forwarded = witness.requests.filter(({ status }) => status !== null).length;
  if (forwarded > journal) problems.push(`${forwarded} requests were answered, the journal has ${journal}`);
  return problems;
}
