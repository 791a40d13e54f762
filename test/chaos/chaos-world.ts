import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FaultsInput } from '../../src/features/sandbox/fault-rules.js';
import type { Intercept } from '../../src/features/sandbox/sandbox-options.js';
import { type RunningSandbox, startSandbox } from '../../src/features/sandbox/start-sandbox.js';
import { migrate } from '../../src/core/ledger/database/migrate.js';
import { createStateDatabase } from '../../src/core/ledger/database/state-database.js';
import { commandFailure, noteForFailure } from '../failure-notes.js';
import { createTestDatabase, type TestDatabase } from '../postgres/test-database.js';
import { createRandom, type Random } from '../random.js';
import { startDatabaseRelay } from './database-relay.js';
import { createKillSwitch, type KillSwitch, type Victim } from './kill-switch.js';
import { type PlatformRelay, startPlatformRelay } from './platform-relay.js';
import { createSourceEdits, REFUSED, seedSource, type SourceEdits } from './source-edits.js';
import { createWitness, type Witness } from './witness.js';

export const BUILT = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
export const LEASE_TTL_MS = 3_000;
/** A quarter second's worth of the rate. */
export const CLAIM_LIMIT = 10;
/** So much earlier than it is confirmed (twice the time-out after its claim) a request arrives at the latest. */
const MARGIN_MS = 500;

const config = ({ deletes, timeoutMs }: WorldOptions) => `
source: { url: '\${SOURCE_URL}', timeZone: Asia/Jakarta }
state: { url: '\${STATE_URL}', leaseTtl: ${LEASE_TTL_MS / 1_000}s }
ids: { namespace: 6f1de0a2-6a57-4d1c-9c43-0f5c0b8f7a11 }
platform:
  jobs:
    baseUrl: \${BASE_URL}
    clientId: sandbox-client
    clientSecret: sandbox-secret
    ratePerSecond: ${CLAIM_LIMIT * 4}
    concurrency: 4
    timeout: ${timeoutMs}ms
  operations: ${deletes ? '{ deleteCompany: { enabled: true }, deleteVacancy: { enabled: true } }' : '{}'}
entities:
  companies: { query: companies.sql, onVanished: ${deletes ? 'delete' : 'report'} }
  vacancies: { query: vacancies.sql, onVanished: ${deletes ? 'delete' : 'close'} }
guards: { maxVanishedPercent: 100, maxVanishedCount: 100000, maxInvalidPercent: 100, maxChangedPercent: 100, maxRejectedInARow: 100000 }
retry: { maxAttempts: 1000, baseDelay: 50ms, maxDelay: 100ms, breakerAfter: 1000, maxPause: 5s, runFor: 0s }
schedule: { sync: '* * * * * *' }
http: { public: { host: 127.0.0.1, port: 0 }, admin: { port: 0 } }
`;

export interface Running extends Victim {
  stdout(): string;
  stderr(): string;
  /** The exit code; null: killed. */
  readonly done: Promise<number | null>;
  stop(): Promise<number | null>;
}

/** One partner: source, state, platform, and everything in between that watches and kills. */
export interface ChaosWorld {
  readonly name: string;
  readonly deletes: boolean;
  readonly timeoutMs: number;
  readonly random: Random;
  readonly database: TestDatabase;
  readonly sandbox: RunningSandbox;
  readonly platform: PlatformRelay;
  /** Whether the platform is faulty now and then. */
  faulty: boolean;
  readonly witness: Witness;
  readonly killSwitch: KillSwitch;
  readonly edits: SourceEdits;
  /** How often a record's claim was open when its process had been killed, by its key; and under which Request-Ids. */
  readonly cutOff: { readonly times: Map<string, number>; readonly requestIds: Set<string> };
  launch(...args: string[]): Promise<Running>;
  close(): Promise<void>;
}

interface WorldOptions {
  readonly seed: number;
  /** Whether what vanishes is deleted, rather than closed. */
  readonly deletes: boolean;
  /** Of one request. Twice that long after its claim a request that was cut off is confirmed. */
  readonly timeoutMs: number;
  /** At the start; default 24. */
  readonly vacancies?: number | undefined;
  /** The command line's main file. */
  readonly main: string;
}

export async function createChaosWorld(options: WorldOptions): Promise<ChaosWorld> {
  const { seed, deletes, timeoutMs, main } = options;
  const random = createRandom(seed);
  const database = await createTestDatabase();
  await seedSource(database, random, options.vacancies ?? 24);
  const state = createStateDatabase({ url: database.url, poolMax: 1, schema: 'placement_sync' });
  await migrate(state);
  await state.close();
  const sandbox = await startSandbox({
    intercept: refuseContent,
  });
  let faulty = false;
  const makeFaults = (wanted: boolean) => {
    sandbox.setFaults(wanted ? platformFaults(seed, timeoutMs) : null);
  };
  const killSwitch = createKillSwitch();
  const witness = createWitness();
  const platform = await startPlatformRelay({
    target: sandbox.url,
    killSwitch,
    witness,
    // A late request must not become later still.
    withoutFaults: async (work) => {
      makeFaults(false);
      await work().finally(() => makeFaults(faulty));
    },
    timeoutMs,
    latestMs: async (requestId) => {
      const [row] = await database.query<{ ms: number }>(
        `select cast(extract(epoch from attempted_at - clock_timestamp()) * 1000 as double precision) as ms
         from placement_sync.sync_state where last_request_id = $1`,
        [requestId],
      );
      return (row?.ms ?? 0) + 2 * timeoutMs - MARGIN_MS;
    },
    isConfirmation: async (requestId) => {
      const rows = await database.query(
        `select 1 from placement_sync.sync_state
         where last_request_id = $1 and confirm_at <= attempted_at`,
        [requestId],
      );
      return rows.length > 0;
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'placement-sync-chaos-'));
  const files = {
    'placement-sync.yaml': config(options),
    'companies.sql': 'select id as key, name, city as region_id, about from company',
    'vacancies.sql': 'select id as key, company_id as company_key, title, quota, status from vacancy',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);

  const launch = async (...args: string[]): Promise<Running> => {
    const one: { running?: Running } = {};
    const victim = () => one.running!;
    const relays = await Promise.all(
      (['state', 'source'] as const).map((kind) =>
        startDatabaseRelay(database.url, kind, killSwitch, victim),
      ),
    );
    const child = spawn(process.execPath, [main, ...args], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        PLACEMENT_SYNC_CONFIG: join(folder, 'placement-sync.yaml'),
        STATE_URL: relays[0]?.url,
        SOURCE_URL: relays[1]?.url,
        BASE_URL: platform.url,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    // Killed ones (null) are as they should be.
    noteForFailure(() =>
      child.exitCode === null ? [] : commandFailure(args.join(' '), child.exitCode, stderr),
    );
    const done = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => {
        relays.forEach((relay) => relay.close());
        resolve(code);
      });
    });
    one.running = {
      stdout: () => stdout,
      stderr: () => stderr,
      done,
      async kill() {
        child.kill('SIGKILL');
        await done;
      },
      async stop() {
        child.kill('SIGTERM');
        return await done;
      },
    };
    running.add(one.running);
    void done.then(() => running.delete(one.running!));
    return one.running;
  };
  const running = new Set<Running>();

  return {
    name: `world ${String(seed)}`,
    deletes,
    timeoutMs,
    random,
    database,
    sandbox,
    platform,
    get faulty() {
      return faulty;
    },
    set faulty(value) {
      faulty = value;
      makeFaults(value);
    },
    witness,
    killSwitch,
    edits: createSourceEdits(database, random, deletes),
    cutOff: { times: new Map(), requestIds: new Set() },
    launch,
    async close() {
      killSwitch.disarm();
      await Promise.all([...running].map((one) => one.kill()));
      await platform.close();
      await sandbox.close();
      await database.drop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Of all requests, to each fault. */
const SHARE = 0.008;

/**
 * Now and then the platform is slow, throttles, fails or breaks the connection. What would end a run (401, a web page
 * with 403) is left out, and so is what only a person can mend.
 *
 * @param timeoutMs of the process; what takes effect late does so before it is confirmed, twice that after its claim
 */
function platformFaults(seed: number, timeoutMs: number): FaultsInput {
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
const refuseContent: Intercept = ({ body }) =>
  (body as { title?: string } | undefined)?.title === REFUSED
    ? { status: 422, body: { message: 'Such a title is not allowed' } }
    : undefined;
