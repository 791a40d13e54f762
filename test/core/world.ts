import { randomUUID } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import { entity as entityNamed, OPERATIONS } from '../../src/core/entities/index.js';
import type { Area, EntityName } from '../../src/core/domain/names.js';
import type { SyncEvent } from '../../src/core/domain/events.js';
import { absentColumns } from '../../src/core/entities/absent.js';
import { queryColumns } from '../../src/core/entities/columns.js';
import { readLookup } from '../../src/core/entities/lookup.js';
import { systemClock as clock } from '../../src/cli/compose/package-info.js';
import { AdapterDoor } from '../../src/core/platform/adapter.js';
import { createHttpPlatform } from '../../src/core/platform/http-platform.js';
import { createRateLimit } from '../../src/core/platform/rate-limit.js';
import type { Intercept, SandboxOptions } from '../../src/features/sandbox/sandbox-options.js';
import { type RunningSandbox, startSandbox } from '../../src/features/sandbox/start-sandbox.js';
import { createPostgresSource } from '../../src/core/source/postgres-source.js';
import { type AppContext, createState, type State } from '../../src/features/create-state.js';
import { troubleWarning } from '../../src/features/troubles/describe-trouble.js';
import { createLeases } from '../../src/core/ledger/lease.js';
import { createStateDatabase } from '../../src/core/ledger/database/state-database.js';
import { adoptRecords, type AdoptResult } from '../../src/features/verify/adopt-records.js';
import { adoptEnvironment } from '../../src/features/verify/adopt-environment.js';
import type { ConfiguredEntity, RunSettings } from '../../src/core/context.js';
import { explainRecord, type Explanation } from '../../src/features/look/explain-record.js';
import { mappingFingerprint } from '../../src/cli/compose/mapping-fingerprint.js';
import { planSync, type PlanFindings } from '../../src/features/plan/plan-sync.js';
import { readStatus, type StatusReport } from '../../src/features/look/read-status.js';
import { resync } from '../../src/features/actions/resync.js';
import type { RunReport, RunResult } from '../../src/core/run/end.js';
import { runSync } from '../../src/core/run/run.js';
import { runWorker, type WorkerSchedule } from '../../src/core/run/run-worker.js';
import {
  type VerifyOptions,
  verifyRecords,
  type VerifyResult,
} from '../../src/features/verify/verify-records.js';
import { failuresIn, noteForFailure } from '../failure-notes.js';
import { createMigratedDatabase } from '../postgres/test-database.js';
import { planted, secretsIn, secretsInTables } from '../security/planted.js';
import {
  block,
  CITY,
  defaultSettings,
  type AreaOptions,
  type Block,
  type WorldSettings,
} from './world-settings.js';

export { block, CITY, FARMING, MINING, type Block } from './world-settings.js';

/** A partner with a database, a platform over HTTP, and every use case between them. */
export interface World {
  readonly sandbox: RunningSandbox;
  readonly state: State;
  readonly blocks: Record<EntityName, Block>;
  readonly settings: WorldSettings;
  /** Events of the last use case that ran. */
  readonly events: readonly SyncEvent[];
  intercept: Intercept | null;
  /** The file of the partner's adapter, if there is one. */
  adapter: string | null;
  /** Of the partner's database, which has the ledger too. */
  readonly url: string;
  sql<Row extends Record<string, unknown>>(text: string, params?: readonly unknown[]): Promise<Row[]>;
  run(options?: {
    only?: EntityName[];
    pushOnly?: boolean;
    holder?: string;
    signal?: AbortSignal;
    pushUntil?: AbortSignal;
    onEvent?: (event: SyncEvent) => unknown;
  }): Promise<RunResult>;
  /** Begins to work as `start` does. */
  work(options?: { schedule?: Partial<WorkerSchedule>; holder?: string }): RunningWorker;
  resync(keys?: string[] | null, only?: EntityName[]): Promise<RunReport>;
  plan(limit?: number, diff?: boolean, invalidFirst?: boolean): Promise<PlanFindings>;
  explain(entity: EntityName, key: string): Promise<Explanation>;
  status(): Promise<StatusReport>;
  adopt(how: 'keep' | 'reset'): Promise<string>;
  adoptRecords(options?: { only?: EntityName[]; signal?: AbortSignal }): Promise<AdoptResult>;
  verify(
    options?: Partial<VerifyOptions> & { only?: EntityName[]; signal?: AbortSignal },
  ): Promise<VerifyResult>;
  /** Requests since the last call, as `PUT /path`. */
  requests(): string[];
  /** Platform ids of the requests since the last call, in the order of arrival. */
  sentIds(): string[];
  /** What the platform holds: bodies by path id. */
  held<Body = Record<string, unknown>>(kind: string): Record<string, Body>;
  /** The platform id of a key. */
  idOf(entity: EntityName, key: string): Promise<string>;
}

/** A worker in this process. */
export interface RunningWorker {
  /** Events since it began. */
  readonly events: readonly SyncEvent[];
  /** Ends it as SIGTERM does; rejects with what ended it before. */
  stop(): Promise<void>;
}

/** A schedule that never comes in a test. */
const NEVER = '0 0 29 2 *';

const COMPANIES_SQL = `select id as key, name, city as region_id, industry, about from company`;
const VACANCIES_SQL = `select id as key, company_id as company_key, title, quota, expire_at from vacancy`;

/** Blocks of the training area, for a world that wants them. */
export const TRAINING_BLOCKS = {
  institutions: () => block(`select id as key, name, '${CITY}' as region_id from institution`),
  trainings: () =>
    block('select id as key, institution_id as institution_key, title, seats as quota from training'),
};

const SECRET = planted('client');

/** A new world for one test, with empty tables `company` and `vacancy`; it ends with the test. */
export async function createWorld(options: Pick<SandboxOptions, 'strict'> = {}): Promise<World> {
  const database = await createMigratedDatabase();
  await database.query(`create table company (
    id text primary key, name text, city text default '${CITY}', industry text, about text, version text)`);
  await database.query('create table institution (id text primary key, name text)');
  await database.query(
    'create table training (id text primary key, institution_id text, title text, seats int, certified boolean)',
  );
  await database.query(
    'create table vacancy (id text primary key, company_id text, title text, quota text, expire_at timestamptz)',
  );
  const stateDatabase = createStateDatabase({ url: database.url, poolMax: 6, schema: 'placement_sync' });
  const state = createState(stateDatabase);
  let intercept: Intercept | null = null;
  let adapter: string | null = null;
  const workers: (() => Promise<void>)[] = [];
  const client = { clientId: 'sandbox-client', secret: SECRET };
  const everSeen: SyncEvent[][] = [];
  noteForFailure(() => failuresIn(everSeen.flat()));
  const sandbox = await startSandbox({
    clients: { jobs: client, training: client },
    intercept: (request) => intercept?.(request),
    ...options,
  });
  onTestFinished(async () => {
    await Promise.allSettled(workers.map((stop) => stop()));
    await sandbox.close();
    await stateDatabase.close();
    const found = [...secretsIn(JSON.stringify(everSeen)), ...(await secretsInTables(database.query))];
    expect(found, 'secrets in events or in the state schema').toEqual([]);
  });

  const blocks: Record<EntityName, Block> = {
    companies: block(COMPANIES_SQL),
    vacancies: block(VACANCIES_SQL),
  };
  const settings = defaultSettings(sandbox.url);
  let events: SyncEvent[] = [];

  const configured = (only?: EntityName[]): ConfiguredEntity[] =>
    Object.entries<Block>(blocks)
      .filter(([name]) => only === undefined || only.includes(name))
      .map(([name, { sql, lookups, onVanished, plainText, required, extraFields, absent }]) => {
        const entity = entityNamed(name);
        const columns = queryColumns(entity, required, extraFields);
        const zones = { source: settings.sourceTimeZone, platform: 'Asia/Jakarta' };
        const chosen = {
          ...entity,
          query: { entity: name, sql, file: `queries/${name}.sql`, columns },
          onVanished,
          closedStatus: 'closed',
          requireInbox: settings.requireInbox,
          refreshAfterMs: settings.refreshAfterMs,
          mapContext: {
            lookups: Object.fromEntries(
              Object.entries(lookups).map(([column, csv]) => [
                column,
                readLookup(csv, `reference/${column}.csv`),
              ]),
            ),
            plainText,
            required,
            extraFields,
            absent: absentColumns(entity, extraFields, 'omit', absent),
            zones,
            namespace: settings.namespace,
          },
        };
        const session = settings.sessionTimeZone;
        return { ...chosen, fingerprint: mappingFingerprint(chosen, { ...zones, session }) };
      });

  const runSettings = (): RunSettings => ({
    guards: settings.guards,
    sweep: { fullEveryMs: settings.fullEveryMs },
    retry: settings.retry,
    platform: { timeZone: 'Asia/Jakarta' },
    areas: areasOf(Object.keys(blocks), settings.jobs),
    ids: { namespace: settings.namespace },
    state: { leaseTtlMs: settings.leaseTtlMs, retentionMs: 86_400_000, deliveryRetentionMs: 86_400_000 },
    webhook: { retentionMs: 86_400_000 },
  });

  /** Opens what a process would open, and closes it again. */
  const session = async <T>(
    work: (context: AppContext) => Promise<T>,
    {
      only,
      holder = 'test',
      signal = new AbortController().signal,
      onEvent = () => undefined,
    }: {
      only?: EntityName[] | undefined;
      holder?: string;
      signal?: AbortSignal;
      onEvent?: (event: SyncEvent) => unknown;
    } = {},
  ): Promise<T> => {
    const source = createPostgresSource({
      url: database.url,
      poolMax: 2,
      statementTimeoutMs: 60_000,
      timeZone: settings.sourceTimeZone,
      sessionTimeZone: settings.sessionTimeZone,
      platformTimeZone: 'Asia/Jakarta',
      rowSecurity: 'refuse',
    });
    const { baseUrl, clientId, timeoutMs, concurrency, ratePerSecond } = settings.jobs;
    const platform = createHttpPlatform({
      baseUrl,
      clientId,
      clientSecret: SECRET,
      signatureProfile: 'digest-lines',
      timeoutMs,
      concurrency,
      clock,
      operations: OPERATIONS,
      version: 'test',
      adapter: adapter === null ? null : new AdapterDoor(adapter, [SECRET]),
    });
    const seen: SyncEvent[] = [];
    events = seen;
    everSeen.push(seen);
    try {
      return await work({
        settings: runSettings(),
        entities: configured(only),
        source,
        // A process knows of the leases what it has seen itself.
        state: { ...state, leases: createLeases(stateDatabase) },
        describe: troubleWarning,
        platform: () => platform,
        rateLimit: (_area: Area, notBefore) =>
          createRateLimit({ ratePerSecond, concurrency, clock, notBefore }),
        readBackRateLimit: (_area, within) =>
          createRateLimit({ ratePerSecond: settings.readBackPerSecond, concurrency, clock, within }),
        clock: { ...clock, now: () => clock.now() + settings.clockAheadMs },
        emit(event) {
          seen.push(event);
          onEvent(event);
        },
        holder,
        signal,
        random: () => 0.5,
        newId: randomUUID,
      });
    } finally {
      await source.close();
      await platform.close();
    }
  };

  const requests = (): string[] => {
    const found = sandbox.requests().map(({ method, path }) => `${method} ${path}`);
    sandbox.clearRequests();
    return found;
  };

  return {
    sandbox,
    state,
    blocks,
    settings,
    get events() {
      return events;
    },
    get intercept() {
      return intercept;
    },
    set intercept(value) {
      intercept = value;
    },
    get adapter() {
      return adapter;
    },
    set adapter(value) {
      adapter = value;
    },
    url: database.url,
    sql: (text, params) => database.query(text, params),
    run: ({ only, pushOnly = false, holder, signal, pushUntil, onEvent } = {}) =>
      session(
        (context) => runSync(context, { trigger: 'manual', pushOnly, ...(pushUntil && { pushUntil }) }),
        {
          only,
          ...(holder === undefined ? {} : { holder }),
          ...(signal === undefined ? {} : { signal }),
          ...(onEvent === undefined ? {} : { onEvent }),
        },
      ),
    work({ schedule = {}, holder = 'worker' } = {}) {
      const stopping = new AbortController();
      const done = session(
        (context) =>
          runWorker(context, {
            sync: NEVER,
            verify: null,
            timeZone: 'Asia/Jakarta',
            ...schedule,
          }),
        { holder, signal: stopping.signal },
      );
      const seen = events;
      const stop = () => {
        stopping.abort();
        return done;
      };
      workers.push(stop);
      // Met by `stop`; until then nobody listens.
      done.catch(() => undefined);
      return { events: seen, stop };
    },
    resync: (keys = null, only) => session((context) => resync(context, keys, only !== undefined), { only }),
    plan: (limit = 1_000, diff = false, invalidFirst = false) =>
      session((context) => planSync(context, { limit, diff, invalidFirst })),
    explain: (name, key) =>
      session((context) => {
        const [entity] = configured([name]);
        if (!entity) throw new TypeError(`${name} has no block`);
        return explainRecord(context, entity, key);
      }),
    status: () => readStatus(state, Object.keys(blocks)),
    adopt: (how) => session((context) => adoptEnvironment(context, how)),
    adoptRecords: ({ only, signal } = {}) =>
      session((context) => adoptRecords(context, () => true), {
        only,
        ...(signal === undefined ? {} : { signal }),
      }),
    verify: ({ only, signal, ...options } = {}) =>
      session(
        (context) =>
          verifyRecords(context, {
            sample: null,
            repair: false,
            isReadable: () => true,
            ...options,
          }),
        { only, ...(signal === undefined ? {} : { signal }) },
      ),
    requests,
    sentIds: () => requests().map((request) => /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(request)?.[0] ?? request),
    held: <Body>(kind: string) =>
      Object.fromEntries(
        sandbox.records(entityNamed(kind).area, kind).map(({ id, body }) => [id, body as Body]),
      ),
    idOf: async (name, key) => {
      const view = await state.recordViews.find(name, key);
      if (!view) throw new Error(`the ledger has no ${name} "${key}"`);
      return view.platformId;
    },
  };
}

/** Both areas are at the same address; an area counts only where an entity of it is configured. */
function areasOf(names: readonly EntityName[], options: AreaOptions): RunSettings['areas'] {
  const areas = new Set(names.map((name) => entityNamed(name).area));
  return Object.fromEntries([...areas].map((area) => [area, { ...options }]));
}

/** Inserts companies c01, c02, … and gives their keys. */
export async function addCompanies(world: World, count: number): Promise<string[]> {
  const rows = await world.sql<{ id: string }>(
    `insert into company (id, name) select 'c' || lpad(n::text, 2, '0'), 'Company ' || n
     from generate_series(1, $1::int) n returning id`,
    [count],
  );
  return rows.map(({ id }) => id);
}

/** Inserts vacancies v01, v02, … of one company and gives their keys. */
export async function addVacancies(world: World, count: number, company = 'c01'): Promise<string[]> {
  const rows = await world.sql<{ id: string }>(
    `insert into vacancy (id, company_id, title) select 'v' || lpad(n::text, 2, '0'), $2, 'Vacancy ' || n
     from generate_series(1, $1::int) n returning id`,
    [count, company],
  );
  return rows.map(({ id }) => id);
}

/** Both laws that every entity of every run obeys. */
export function unbalanced(report: RunReport): string[] {
  return Object.entries(report.entities).flatMap(([name, counted]) => [
    ...(counted.error === null &&
    counted.read !== counted.unchanged + counted.new + counted.changed + counted.invalid
      ? [`${name}: read`]
      : []),
    ...(counted.sent !== counted.accepted + counted.rejected + counted.deferred ? [`${name}: sent`] : []),
  ]);
}
