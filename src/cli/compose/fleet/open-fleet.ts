import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import type { LoadedFleet } from '../../../features/fleet/config/load-fleet.js';
import { type FleetLedgers, fleetLedgers } from '../../../features/fleet/config/fleet-ledgers.js';
import { warnOfShortTokens } from '../../../dashboard/access.js';
import { createSharedReading } from '../../../dashboard/read-overview.js';
import { SyncError } from '../../../core/domain/errors.js';
import type { Emit } from '../../../core/domain/events.js';
import { engineSchema, OWN_LEDGER } from '../../../features/fleet/fleet.js';
import { groupBy } from '../../../core/domain/group-by.js';
import { OPERATIONS } from '../../../core/entities/index.js';
import {
  fleetReport,
  type FleetReport,
  type JobCounts,
  type TenantReport,
} from '../../../features/fleet/fleet-report.js';
import type { JobQueue } from '../../../features/fleet/job-queue.js';
import { createFleetDashboard } from '../../../dashboard/fleet/create-fleet-dashboard.js';
import { warnSeldom } from '../../../features/fleet/keep-engine.js';
import { openJobQueue } from '../../../features/fleet/open-job-queue.js';
import { untilAvailable } from '../../../features/fleet/work-jobs.js';
import { createHttpPlatform } from '../../../core/platform/http-platform.js';
import { listen } from '../../../features/http/listener.js';
import { untilAborted, withinTime } from '../../../core/runtime/time.js';
import { type RunningAdmin, startAdminListeners } from '../../../dashboard/start-admin.js';
import { pendingMigrations } from '../../../core/ledger/database/migrate.js';
import {
  createStateDatabase,
  type StateDatabase,
  type StateDatabaseOptions,
} from '../../../core/ledger/database/state-database.js';
import { FLEET_SETTINGS, LEDGER_SETTINGS } from '../../../core/ledger/database/translate-state-error.js';
import { countJobs } from '../../../features/fleet/state/job-counts.js';
import { ledgerSizes } from '../../../features/fleet/state/ledger-sizes.js';
import { createTenants, FLEET_SCHEMA, type Tenants } from '../../../features/fleet/state/tenants.js';
import { createSharedRates, type SharedRates } from '../../../features/fleet/state/shared-rates.js';
import type { FleetMetrics } from '../../../features/metrics/metrics.js';
import { FLEET_TIME_ZONE } from '../../output/local-time.js';
import { SHOWN_VERSION, systemClock, VERSION } from '../package-info.js';
import { createLedgerPools, type LedgerPools } from './ledger-pools.js';

/*
 * What a command of the fleet opens: the fleet's database with a pool for each purpose, and what a replica has beside it:
 * its listener, the engine, a reading of the fleet's state that all share, and a first request that warms it up.
 */

/**
 * Transactions of one connection. Its server process remembers every table that it used, of every tenant, and forgets none:
 * a third of a megabyte for each ledger (`npm run bench -- --only fleet` shows the largest connection).
 */
const MAX_USES = 2_000;

/** Connections of one ledger at a time: its lease is renewed beside one long statement. */
const LEDGER_SHARE = 2;

/**
 * Connections for ledgers beyond one for each slot. `fleet migrate` may lock four ledgers at once, and the statements of each
 * keep two connections then; the other tenants still have one each.
 */
const LEDGERS_EXTRA = 4;

/** A reading is made once for all who look, so it needs one connection. */
const READERS = { poolMax: 1, statementTimeoutMs: 10_000, lockTimeoutMs: 3_000 } as const;

/**
 * The fleet's database. Each part has connections of its own, opened when needed: neither a ledger that is locked nor
 * somebody who looks may hold up the others.
 */
export interface OpenedFleet {
  readonly database: StateDatabase;
  readonly tenants: Tenants;
  /** For the ledgers of tenants. */
  readonly ledgers: LedgerPools;
  /** Which databases they are in. */
  readonly places: FleetLedgers;
  /** The tables of tenants, of pauses and of jobs, for probes, metrics and pages. */
  readonly readers: FleetReaders;
}

type FleetReaders = Pick<Tenants, 'list'> &
  Pick<SharedRates, 'pauses'> & { readonly jobs: () => Promise<JobCounts> };

/** How long a replica that starts waits for its database, milliseconds: a restart of it is over by then. */
const START_WAIT_MS = 60_000;

/**
 * Does `work` again while the database is not there, for a minute at most: whoever starts a replica that ends would wait
 * longer with each try. The signal ends the wait at once. Errors: the last one of `work`; SyncError `interrupted`.
 */
export async function untilThere<T>(
  work: () => Promise<T>,
  { emit, signal, waitMs = START_WAIT_MS }: { emit: Emit; signal: AbortSignal; waitMs?: number },
): Promise<T> {
  let failure: unknown = new SyncError('interrupted', 'The wait for the fleet’s database ended.', {
    scope: 'run',
  });
  const tried = () =>
    work().catch((error: unknown) => {
      failure = error;
      throw error;
    });
  const found = await withinTime(waitMs, signal, (ends) => {
    const trying = untilAvailable({ clock: systemClock, warn: warnSeldom(systemClock, emit) }, ends, tried);
    return Promise.race([trying, untilAborted(ends).then(() => null)]);
  });
  if (found === null) throw failure;
  return found.value;
}

/**
 * Opens the fleet's database, checks its tables, does `work`, and closes it again. `waits`: for a database that is away, as of
 * `untilThere`; default: not. Errors: SyncError `schema-not-migrated`, `state-unavailable`.
 */
export async function withFleet<T>(
  { settings }: LoadedFleet,
  work: (fleet: OpenedFleet) => Promise<T>,
  waits?: Parameters<typeof untilThere>[1],
): Promise<T> {
  const { database: at, schema, slots, largeSlots } = settings.fleet;
  const open = (limits: Partial<StateDatabaseOptions>) =>
    createStateDatabase({ ...at, schema, maxUses: MAX_USES, settings: FLEET_SETTINGS, ...limits });
  const database = open({});
  const places = fleetLedgers(settings.fleet);
  const ledgers = createLedgerPools({ own: at.url, others: settings.fleet.ledgers }, (url) =>
    open({
      ...{ url, poolMax: slots + largeSlots + LEDGERS_EXTRA, poolShare: LEDGER_SHARE },
      settings: url === at.url ? FLEET_SETTINGS : LEDGER_SETTINGS,
    }),
  );
  const ledgerAt = (ledger: string, tenant: string) =>
    ledger === OWN_LEDGER ? null : ledgers.at(places.urlOf(ledger, tenant));
  const readers = open(READERS);
  try {
    await (waits ? untilThere(() => checkTables(database), waits) : checkTables(database));
    return await work({
      database,
      ledgers,
      places,
      tenants: createTenants(database, ledgerAt),
      readers: {
        list: createTenants(readers).list,
        pauses: createSharedRates(readers).pauses,
        jobs: () => countJobs(readers.inSchema(engineSchema(schema))),
      },
    });
  } finally {
    await Promise.all([database, ledgers, readers].map((each) => each.close()));
  }
}

async function checkTables(database: StateDatabase): Promise<void> {
  const pending = await pendingMigrations(database, FLEET_SCHEMA);
  if (pending.length === 0) return;
  throw new SyncError(
    'schema-not-migrated',
    `The fleet's schema "${database.schema}" is not up to date: ${pending.join(', ')}.`,
    { scope: 'usage', hint: 'Run: placement-sync fleet migrate' },
  );
}

/** Probes, metrics and pages of a replica. Errors: SyncError `config-invalid` when it cannot listen on an address. */
export async function openFleetListener(
  { settings }: LoadedFleet,
  options: {
    readonly read: () => Promise<FleetReport>;
    readonly metrics: FleetMetrics;
    readonly replica: string;
    readonly emit: Emit;
  },
): Promise<RunningAdmin> {
  const { read, metrics, replica, emit } = options;
  const { http } = settings;
  const dashboard = createFleetDashboard({
    ...http.admin,
    clock: systemClock,
    timeZone: FLEET_TIME_ZONE,
    version: SHOWN_VERSION,
    holder: replica,
    emit,
    read,
  });
  const serves = {
    metrics: () => metrics.render(),
    dashboard,
    // Anybody may read it, so it names no host, port or role of the database.
    notReady: () =>
      read()
        .then(() => null)
        .catch(() => 'The fleet’s database cannot be used.'),
  };
  warnOfShortTokens(http.admin, emit);
  return startAdminListeners(http, serves, emit);
}

const POOL_MAX = 3;

/** The engine of a fleet, in a schema of its own beside the fleet's. Errors: as of `openJobQueue`. */
export function openEngine({ settings }: LoadedFleet, emit: Emit): Promise<JobQueue> {
  const { database, schema } = settings.fleet;
  const at = { url: database.url, poolMax: POOL_MAX, schema: engineSchema(schema) };
  return openJobQueue({ ...at, clock: systemClock, emit });
}

/** Longest wait for the counts of jobs, milliseconds: whoever scrapes or probes waits for five seconds. */
const JOBS_MS = 4_000;

/** The state of the fleet. Without the jobs when their table cannot be read, or not in time. Errors: as of `Tenants` and `SharedRates`. */
export async function readFleetReport(fleet: FleetReaders, jobsMs = JOBS_MS): Promise<FleetReport> {
  // It is as old as its oldest part.
  const began = new Date(systemClock.now());
  const counts = Promise.race([fleet.jobs().catch(() => null), wait(jobsMs, null, { ref: false })]);
  const [all, pauses, jobs] = await Promise.all([fleet.list(), fleet.pauses(), counts]);
  return fleetReport(all, began, jobs, pauses);
}

/** The report with the sizes of ledgers, of those databases of the fleet that say it in time. */
export async function withLedgerSizes(
  { database, ledgers, places }: Pick<OpenedFleet, 'database' | 'ledgers' | 'places'>,
  report: FleetReport,
): Promise<FleetReport> {
  const sizes = new Map<string, number>();
  const readPlace = async ([place, its]: readonly [
    string | null,
    readonly TenantReport[],
  ]): Promise<void> => {
    const [first] = its;
    if (place === null || first === undefined) return;
    const at = place === OWN_LEDGER ? database : ledgers.at(places.urlOf(place, first.name));
    const schemas = its.map(({ schema }) => schema);
    for (const [schema, bytes] of at ? await ledgerSizes(at, schemas) : []) sizes.set(schema, bytes);
  };
  const reading = [...groupBy(report.tenants, ({ ledger }) => ledger)].map(readPlace);
  await Promise.race([Promise.allSettled(reading), wait(JOBS_MS, null, { ref: false })]);
  const tenants = report.tenants.map((one) => ({ ...one, ledgerBytes: sizes.get(one.schema) ?? null }));
  return { ...report, tenants };
}

/**
 * The state of the fleet, for all who look at a replica: one reading at a time, which lives for a second, and up to ten if it
 * took long. Anybody may ask for `/readyz`, as often as he likes. Errors: as of `readFleetReport`.
 */
export function shareFleetReport(...of: Parameters<typeof readFleetReport>): () => Promise<FleetReport> {
  const reading = createSharedReading(() => readFleetReport(...of), systemClock.monotonic);
  return async () => (await reading.read()).value;
}

/** The first loads and compiles what sends; the second takes the connection of the first. */
const REQUESTS = 3;
const TIMEOUT_MS = 500;

/**
 * Sends some requests to a server of its own on this machine. Without it the first request to the platform leaves up to a
 * quarter of a second after its time in the shared rate, and so arrives together with later ones. Never rejects: a
 * replica that cannot do it is late once, and no worse.
 */
export async function warmUp(): Promise<void> {
  const server = createServer((request, response) => {
    request.resume();
    response.end('{}');
  });
  try {
    await listen(server, 0, '127.0.0.1');
    const { port } = server.address() as AddressInfo;
    const platform = createHttpPlatform({
      baseUrl: `http://127.0.0.1:${port}`,
      clientId: 'warm-up',
      clientSecret: 'warm-up',
      signatureProfile: 'digest-lines',
      timeoutMs: TIMEOUT_MS,
      concurrency: 1,
      clock: systemClock,
      operations: OPERATIONS,
      version: VERSION,
    });
    for (let sent = 0; sent < REQUESTS; sent += 1) {
      const [platformId, requestId] = [randomUUID(), randomUUID()];
      await platform.send({ operation: 'putCompany', platformId, requestId, body: {} });
    }
    await platform.close();
    // Reads the certificates that are trusted, which the first connection over TLS would do.
    createSecureContext();
  } catch {
    // It shows in nothing but the first request.
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
