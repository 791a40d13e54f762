import { setTimeout as wait } from 'node:timers/promises';
import type { FaultsInput } from '../../src/config/faults.js';
import { createRandom } from '../../src/demo/sample/make-companies.js';
import type { Intercept } from '../../src/sandbox/sandbox-options.js';
import { type ChaosWorld, createChaosWorld, type Running } from './chaos-world.js';
import { checkCounts, checkLedger, checkPlatform } from './checks.js';
import { killRun, killWorkers, type Slots } from './kills.js';
import { REFUSED } from './source-edits.js';

interface ChaosOptions {
  readonly seed: number;
  /** Kills of `run`; every step gets its equal share, the rest goes anywhere. */
  readonly kills: number;
  /** Kills of `start` with a second one standing by. */
  readonly workerKills: number;
  /** Of one request, milliseconds; default: of one half of the partners short, of the other long. */
  readonly timeoutMs?: number;
  /** Of a partner at the start; default a few. */
  readonly vacancies?: number;
  /** Only these steps; default all. */
  readonly steps?: readonly Step[];
  readonly main: string;
  /** Told whenever a world has come to rest. */
  readonly onProgress?: (line: string) => void;
}

interface ChaosReport {
  /** Kills by the name of the step. */
  readonly run: ReadonlyMap<string, number>;
  readonly start: ReadonlyMap<string, number>;
  /** Edits of the source by their kind. */
  readonly edits: ReadonlyMap<string, number>;
  readonly problems: readonly string[];
}

/** Partners side by side, and processes at a time: the one waits for leases while the other works. */
const WORLDS = 4;
const PROCESSES = 2;

/** Kills between two rests. */
const KILLS_BETWEEN_RESTS = 12;

/** Kills the built process at every step, and checks what must hold after each kill and whenever the dust has settled. */
export async function chaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seed, kills, workerKills, main, onProgress = () => undefined } = options;
  const random = createRandom(seed);
  const steps = options.steps ?? STEPS;
  const share = Math.max(1, Math.floor(kills / steps.length));
  const tasks = random.shuffle(steps.flatMap((step) => Array.from({ length: share }, () => step)));
  const anywhere = steps.filter(({ at }) => at === 'random');
  while (tasks.length < kills) tasks.push(random.pick(anywhere.length > 0 ? anywhere : steps));
  tasks.length = kills;

  const run = new Map<string, number>();
  const start = new Map<string, number>();
  const problems: string[] = [];
  const edits = new Map<string, number>();
  const count = (table: Map<string, number>, step: Step) =>
    table.set(step.name, (table.get(step.name) ?? 0) + 1);
  const slots = createSlots(PROCESSES);

  const inWorld = async (index: number, work: (world: ChaosWorld) => Promise<void>): Promise<void> => {
    const world = await createChaosWorld({
      seed: seed * 100 + index,
      vacancies: options.vacancies,
      deletes: index % 2 === 1,
      // The longer one leaves more time for a late request to be overtaken, and takes longer to come to rest.
      timeoutMs: options.timeoutMs ?? (index % 4 < 2 ? 2_500 : 5_000),
      main,
    });
    try {
      world.faulty = true;
      await work(world);
    } finally {
      for (const [kind, times] of world.edits.counts) edits.set(kind, (edits.get(kind) ?? 0) + times);
      await world.close();
    }
  };
  const rest = async (world: ChaosWorld): Promise<void> => {
    problems.push(...(await settle(world, slots)));
    const all = [...run.values(), ...start.values()].reduce((sum, one) => sum + one, 0);
    onProgress(`${world.name}: at rest, ${world.witness.requests.length} requests; ${all} kills in all`);
  };
  const kill = (index: number) =>
    inWorld(index, async (world) => {
      let killed = 0;
      for (let step = tasks.pop(); step && problems.length === 0; step = tasks.pop()) {
        const result = await killRun(world, step, steps, slots);
        result.kills.forEach((one) => count(run, one));
        problems.push(...result.problems);
        killed += 1;
        if (killed % KILLS_BETWEEN_RESTS === 0 && problems.length === 0) await rest(world);
      }
      if (problems.length === 0) await rest(world);
    });
  const onTheWay = steps.filter(
    ({ runOnly, needs }) => !runOnly && needs !== 'open-claims' && needs !== 'confirmation',
  );
  const left = Array.from({ length: workerKills }, (_, index) => onTheWay[index % onTheWay.length]).filter(
    (step) => step !== undefined,
  );
  const killAllWorkers = async () => {
    for (let index = 0; left.length > 0 && problems.length === 0; index += 1) {
      await inWorld(WORLDS + index, async (world) => {
        const now = random.shuffle(left.splice(0, KILLS_BETWEEN_RESTS));
        // One of the two that work takes a place; the other one stands by.
        const result = await slots(() => killWorkers(world, now));
        result.kills.forEach((one) => count(start, one));
        problems.push(...result.problems);
        if (problems.length === 0) await rest(world);
      });
    }
  };
  const worlds = Math.min(WORLDS, Math.ceil(kills / 8));
  await Promise.all([killAllWorkers(), ...Array.from({ length: worlds }, (_, index) => kill(index))]);
  return { run, start, edits, problems };
}

function createSlots(places: number): Slots {
  let free = places;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

/** One statement on its way from the process to a database. */
export interface Statement {
  readonly database: 'state' | 'source';
  readonly text: string;
  /** The parameters as they are on the wire. */
  readonly values: string;
  /** The statements before it in the same transaction, the oldest first; empty outside of one. */
  readonly before: readonly { readonly text: string; readonly values: string }[];
}

/** A statement: killed before the database has got it, or when it was carried out and the process does not know. */
interface StatementStep {
  readonly name: string;
  readonly at: 'database';
  readonly when: 'before' | 'after';
  readonly matches: (statement: Statement) => boolean;
  /** Only a statement that gave rows, or changed some. */
  readonly effective?: true | undefined;
  readonly needs?: Need;
  /** `start` does not come by here. */
  readonly runOnly?: true;
}

/**
 * A request: killed when it has left the process (it never arrives; it arrives; it arrives after a newer one), when
 * the platform has applied it, or when the reply has left the platform.
 */
interface RequestStep {
  readonly name: string;
  readonly at: 'platform';
  readonly when: 'lost' | 'arrives' | 'late' | 'applied' | 'replied';
  readonly confirmation: boolean;
  /** At which request of the process (from 1); default: one of the first. */
  readonly occurrence?: number;
  readonly needs?: Need;
  readonly runOnly?: true;
}

/** Anywhere: so many milliseconds after the start, or at the n-th statement to a database, whichever it is. */
interface RandomStep {
  readonly name: string;
  readonly at: 'random';
  readonly when: 'time' | 'statement';
  readonly needs?: Need;
  readonly runOnly?: true;
}

export type Step = StatementStep | RequestStep | RandomStep;

/**
 * What must be there for the process to come by a step: claims that a dead process left open; a confirmation that is
 * due; a push that is slow enough for the lease to be renewed meanwhile.
 */
export type Need = 'open-claims' | 'confirmation' | 'slow-platform';

const statement = (pattern: RegExp, values?: RegExp) => (one: Statement) =>
  pattern.test(one.text) && (values?.test(one.values) ?? true);
/** The commit of a transaction in which there was such a statement. */
const commitOf = (pattern: RegExp, values?: RegExp) => (one: Statement) =>
  /^commit/i.test(one.text) &&
  one.before.some(({ text, values: given }) => pattern.test(text) && (values?.test(given) ?? true));

type Options = Pick<StatementStep, 'effective' | 'needs' | 'runOnly'>;

function both(name: string, matches: StatementStep['matches'], options: Options = {}): StatementStep[] {
  return [
    {
      name: `${name}, not yet committed`,
      at: 'database',
      when: 'before',
      matches,
      ...options,
      effective: undefined,
    },
    { name: `${name}, committed`, at: 'database', when: 'after', matches, ...options },
  ];
}

const TAKE = /set token = l\.token \+ 1/;
const release = (name: string) => new RegExp(`set expires_at = clock_timestamp\\(\\) where name = '${name}'`);

/** Every step of a sweep and of a push at which the process is killed. One table: what is missing here is not tested. */
export const STEPS: readonly Step[] = [
  // A `start` that works has taken its leases.
  ...both('sweep: lease taken', commitOf(TAKE, /sweep/), { runOnly: true }),
  ...both('push: lease taken', commitOf(TAKE, /push/), { runOnly: true }),
  ...both('run: row begun', statement(/^insert into .*sync_run/s)),
  ...both('push: take-over of open claims', commitOf(/s\.claim_token is not null returning 1/), {
    needs: 'open-claims',
  }),
  {
    name: 'sweep: ledger digest read',
    at: 'database',
    when: 'after',
    matches: ({ database, text }) => database === 'state' && text.includes('vanished_at is null group by 1'),
  },
  {
    name: 'sweep: rows of the source read',
    at: 'database',
    when: 'after',
    matches: ({ database, text }) => database === 'source' && text.startsWith('fetch'),
  },
  ...both('sweep: page staged', statement(/^insert into .*staged_finding/s)),
  ...both('sweep: findings published', commitOf(/^insert into .*sync_state as s/s)),
  ...both('sweep: mark stored', commitOf(/last_full_sweep_at = coalesce\(excluded/)),
  ...both('push: claim', statement(/set claim_token = \$\d+, attempted_at = now\(\)/), { effective: true }),
  request('push: request sent, never arrives', 'lost'),
  request('push: request sent, arrives', 'arrives'),
  request('push: request sent, arrives after a newer one', 'late'),
  request('push: request applied, no reply', 'applied'),
  request('push: reply sent', 'replied'),
  ...both('push: outcomes', commitOf(/^update .*jsonb_to_recordset.*"requestId" text/s)),
  request('push: confirmation sent', 'arrives', true),
  request('push: reply to a confirmation sent', 'replied', true),
  ...both('lease renewed', statement(/renewals = renewals \+ 1\s+where name = /), {
    effective: true,
    needs: 'slow-platform',
  }),
  ...both('run: row finished', statement(/^update .*sync_run set finished_at = .*where run_id/s)),
  ...both('push: lease released', statement(release('push')), { runOnly: true }),
  ...both('sweep: lease released', statement(release('sweep')), { runOnly: true }),
  { name: 'anywhere: at any statement', at: 'random', when: 'statement' },
  { name: 'anywhere: at any time', at: 'random', when: 'time' },
];

function request(name: string, when: RequestStep['when'], confirmation = false): RequestStep {
  return { name, at: 'platform', when, confirmation, ...(confirmation ? { needs: 'confirmation' } : {}) };
}

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
async function settle(
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

/** Of all requests, to each fault. */
const SHARE = 0.008;

/**
 * Now and then the platform is slow, throttles, fails or breaks the connection. What would end a run (401, a web page
 * with 403) is left out, and so is what only a person can mend.
 *
 * @param timeoutMs of the process; what takes effect late does so before it is confirmed, twice that after its claim
 */
export function platformFaults(seed: number, timeoutMs: number): FaultsInput {
  const share = SHARE;
  return {
    seed,
    rules: [
      { fault: 'latency', delay: '20ms', jitter: '200ms', share: 0.1 },
      { fault: 'retry-after', after: '1s', share: share / 2 },
      { fault: 'retry-after', status: 503, after: '1s', form: 'date', share: share / 2 },
      { fault: 'server-error', share },
      { fault: 'server-error', status: 502, json: false, share },
      { fault: 'server-error', status: 504, json: false, applied: true, share },
      { fault: 'no-reply', applied: true, share: share / 2 },
      { fault: 'drop-before', share },
      { fault: 'drop-after', share },
      { fault: 'apply-late', after: `${String(Math.round(timeoutMs * 0.8))}ms`, share },
      { fault: 'slow-body', over: '300ms', share },
      { fault: 'truncated-reply', share },
      { fault: 'truncated-reply', length: 'kept', share },
      { fault: 'wrong-envelope', share },
      // To a delete this would be a refusal, which only a person can mend.
      { fault: 'duplicate-request-id', operation: ['putCompany', 'putVacancy'], share },
    ],
  };
}

/** What the platform refuses for its content, though the interface allows it. */
export const refuseContent: Intercept = ({ body }) =>
  (body as { title?: string } | undefined)?.title === REFUSED
    ? { status: 422, body: { message: 'Such a title is not allowed' } }
    : undefined;
