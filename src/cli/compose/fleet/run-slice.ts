import { isDeepStrictEqual } from 'node:util';
import type { LoadedFleet } from '../../../features/fleet/config/load-fleet.js';
import { loadTenant } from '../../../features/fleet/config/load-tenant.js';
import type { LoadedConfig } from '../../../core/config/load.js';
import type { EnvironmentVariables } from '../../../core/config/read-named-config.js';
import { areaSettings } from '../../../core/config/schema.js';
import { SyncError } from '../../../core/domain/errors.js';
import type { Emit, SyncEvent } from '../../../core/domain/events.js';
import { SLICE_MS } from '../../../features/fleet/fleet.js';
import { type Area, AREAS } from '../../../core/domain/names.js';
import { credentialText } from '../../../features/fleet/platform-credential.js';
import { SharedRate, type SharedClock } from '../../../features/fleet/shared-rate-limit.js';
import {
  createSliceTime,
  isSweepFresh,
  pausedRun,
  type RunSlice,
  sliceResult,
  watchPause,
} from '../../../features/fleet/work-tenant.js';
import { createRateLimit } from '../../../core/platform/rate-limit.js';
import type { RateLimit } from '../../../core/ports/platform.js';
import type { AnsweredClaim, SharedRates } from '../../../features/fleet/state/shared-rates.js';
import { untilFirstAbort } from '../../../core/runtime/time.js';
import { createState, type State } from '../../../features/create-state.js';
import { appliedMigrations } from '../../../core/ledger/database/migrate.js';
import { createStateDatabase } from '../../../core/ledger/database/state-database.js';
import { runSync } from '../../../core/run/run.js';
import type { ConfiguredEntity } from '../../../core/context.js';
import { prepareNotices } from '../notices.js';
import { configuredArea, type OpenedPlatforms, openPlatforms, shareOfRate } from '../open-platforms.js';
import { openCore } from '../open-run.js';
import { checkSchema, inboxOptions, migrateState } from '../open-state.js';
import { systemClock } from '../package-info.js';
import type { LedgerPools } from './ledger-pools.js';
import type { OpenedFleet } from './open-fleet.js';
import type { TenantSummary } from '../../../features/fleet/state/types.js';
import type { BegunTenant } from '../../../features/fleet/state/tenants.js';

/** Longest time that the ledger of a replica that died blocks the next one, milliseconds. */
const LEASE_TTL_MS = 15_000;

interface SliceOptions extends Pick<OpenedFleet, 'ledgers' | 'places'> {
  readonly fleet: LoadedFleet;
  readonly rates: SharedRates;
  readonly databaseClock: SharedClock;
  readonly env: EnvironmentVariables;
  /** `host pid 123` */
  readonly replica: string;
  readonly logOf: (tenant: string) => Emit;
  /** Default five minutes. */
  readonly sliceMs?: number;
}

/**
 * Runs one slice of a tenant as `run` does, with a bound on the time for sending. It loads the tenant's file, waits for no
 * pause of the platform, opens the ledger, shares HTTP clients and rates with the other tenants of the replica, and syncs
 * until the end or until its time is over. A run that follows its own slice, or one whose replica ended, only sends while its
 * sweep is fresh. Errors: SyncError of scope `usage` for a configuration that cannot be used; `state-unavailable`.
 */
export function createSliceRunner(options: SliceOptions): RunSlice {
  const { fleet, ledgers, places, rates, databaseClock, env, replica, logOf, sliceMs = SLICE_MS } = options;
  const { rateLimits, slots, largeSlots, database: at } = fleet.settings.fleet;
  const shared = { shared: rates, rateOf: createProcessRates(rates, databaseClock), rates: rateLimits };
  const openPlatforms = createSharedPlatforms(slots + largeSlots);
  return async ({ summary, definition, goesOn }, signal, ...steps) => {
    const startedAt = new Date(systemClock.now());
    const { ledger } = summary;
    const fleetUrl = ledger === null ? at.url : places.urlOf(ledger, summary.name);
    const config = loadTenant(definition, { env, fleetUrl, variables: fleet.variables });
    const claims = await claimed(definition.name, config, rates);
    const limits = tenantLimits(config, { ...shared, claims, log: logOf(definition.name) });
    // Longer than a run waits: it would only hold its slot.
    const pausedMs = await limits.pauseLeft();
    if (pausedMs > config.settings.retry.maxPauseMs) return pausedRun(startedAt, pausedMs);
    const notices = prepareNotices(config, limits.emit);
    const emit: Emit = (event) => {
      noteStep(event, ...steps);
      notices.emit(event);
    };
    const isNew = summary.lastSuccessAt === null;
    return withTenantLedger({ config, ledgers, isNew, emit, signal }, async (state) => {
      const holder = `${replica} tenant ${definition.name}`;
      const { rateLimit, readBackRateLimit } = limits;
      const platforms = { ...openPlatforms(config), rateLimit, readBackRateLimit };
      const core = openCore(config, { state, emit, signal, holder, platforms });
      try {
        const { settings, entities } = core.context;
        const leaseTtlMs = Math.min(settings.state.leaseTtlMs, LEASE_TTL_MS);
        const context = {
          ...core.context,
          settings: { ...settings, state: { ...settings.state, leaseTtlMs } },
        };
        const pushOnly = await onlySends(state, { ...summary, goesOn }, entities);
        const sweepIsBounded = summary.lane === 'sync' && summary.laneSetting === 'auto';
        const time = createSliceTime(sliceMs, { sweepIsBounded, emit });
        const endWatch = watchPause(limits.pauseLeft, settings.retry.maxPauseMs, time.cut);
        // In a fleet the pause of the credential counts, which all share, and which was over when this slice began.
        const prepare = async () => void (await state.areaStates.endPauses(AREAS));
        const report = await untilFirstAbort([signal, time.outgrown], (ends) =>
          runSync(
            { ...context, emit: time.emit, signal: ends },
            { trigger: 'cron', prepare, pushOnly, pushUntil: time.over },
          ),
        ).finally(() => {
          time.end();
          endWatch();
        });
        await limits.end();
        if (report.outcome !== 'busy') await notices.notifyOnce(context);
        return sliceResult(report, { startedAt, finishedAt: new Date(systemClock.now()) }, time);
      } finally {
        await core.close();
      }
    });
  };
}

/** What is being read, and what is done that no later run has to do: as of `RunSlice`. */
function noteStep(
  event: SyncEvent,
  progressed: (entity?: string) => void,
  reads: (entity: string | null) => void,
): void {
  if (event.type === 'sweep-started') reads(event.entity);
  if (event.type === 'push-started') reads(null);
  if (event.type === 'sweep-finished' || event.type === 'entity-failed') progressed(event.entity);
  if (event.type === 'record-sent' && event.outcome === 'accepted') progressed();
}

async function onlySends(
  state: State,
  { lastRun, periodMs, goesOn }: TenantSummary & Pick<BegunTenant, 'goesOn'>,
  entities: readonly ConfiguredEntity[],
): Promise<boolean> {
  if (!goesOn && lastRun?.usedUpSlice !== true) return false;
  const [latest] = await state.runs.recent(1);
  const swept = await Promise.all(entities.map(({ name }) => state.entityStates.read(name)));
  return isSweepFresh(latest, swept, periodMs, goesOn);
}

/**
 * The HTTP clients of a replica's tenants. Tenants that reach the platform in the same way, with the same credential, use
 * the same connections: each alone sends so seldom that nearly every request would open one, and arrive later by that.
 * The clients are closed with the last tenant that uses them. `tenants`: most at a time.
 */
export function createSharedPlatforms(
  tenants: number,
): (config: LoadedConfig) => Pick<OpenedPlatforms, 'platform' | 'close'> {
  /** A way to the platform: these settings, this transport. */
  const all = new Set<{ readonly way: object; readonly platforms: OpenedPlatforms; users: number }>();
  return (config) => {
    const way = { platform: config.settings.platform, transport: config.transport };
    const clients = [...all].find((each) => isDeepStrictEqual(each.way, way)) ?? {
      way,
      platforms: openPlatforms(forSeveral(config, tenants)),
      users: 0,
    };
    all.add(clients);
    clients.users += 1;
    return {
      platform: clients.platforms.platform,
      async close() {
        clients.users -= 1;
        if (clients.users > 0) return;
        all.delete(clients);
        await clients.platforms.close();
      },
    };
  };
}

/** No tenant waits for a connection that another one uses: as many as all may need together. */
function forSeveral(config: LoadedConfig, tenants: number): LoadedConfig {
  const { platform } = config.settings;
  const wide = <Area extends { readonly concurrency: number } | undefined>(area: Area): Area =>
    area && { ...area, concurrency: area.concurrency * tenants };
  const areas = { jobs: wide(platform.jobs), training: wide(platform.training) };
  return { ...config, settings: { ...config.settings, platform: { ...platform, ...areas } } };
}

type RateOf = (credential: string, ratePerSecond: number) => SharedRate;

/** The rates of this process, one for each credential (`credentialText`) and rate, as long as it runs. */
export function createProcessRates(rates: SharedRates, databaseClock: SharedClock): RateOf {
  const known = new Map<string, SharedRate>();
  return (credential, ratePerSecond) => {
    const name = `${ratePerSecond} ${credential}`;
    const options = { rates, credential, ratePerSecond, clock: systemClock, databaseClock };
    const rate = known.get(name) ?? new SharedRate(options);
    known.set(name, rate);
    return rate;
  };
}

/** Notes the tenant's credentials. Errors: SyncError `config-invalid` when another tenant would overwrite its records. */
async function claimed(
  tenant: string,
  config: LoadedConfig,
  rates: Pick<SharedRates, 'claim'>,
): Promise<readonly AnsweredClaim[]> {
  const { settings } = config;
  const { namespace } = settings.ids;
  const areas = AREAS.filter((area) => areaSettings(settings.platform, area) !== undefined);
  const answers = await rates.claim(
    tenant,
    areas.map((area) => ({ ...credentialAt(config, area), namespace })),
  );
  const twin = answers.find((answer) => answer.twin !== null)?.twin;
  if (!twin) return answers;
  throw new SyncError(
    'config-invalid',
    `tenant ${tenant}: ids.namespace: with the same credential it is also that of ${twin}, so each would overwrite the records of the other`,
    { scope: 'usage', hint: 'Give this tenant a namespace of its own (uuidgen), or remove one of the two.' },
  );
}

/** Whose rate an area uses, and what its file says of it. */
function credentialAt({ settings, transport }: LoadedConfig, area: Area) {
  const found = configuredArea(settings, area);
  const { proxy = null, certificates = [] } = transport[area] ?? {};
  const way = [proxy?.address, proxy?.authorization, certificates];
  return { credential: credentialText({ ...found, way }), perSecond: found.ratePerSecond };
}

interface TenantLimitsOptions {
  readonly shared: SharedRates;
  readonly rateOf: RateOf;
  /** By client id, from `fleet.rateLimits`; at each platform it has that rate. */
  readonly rates: Readonly<Record<string, number>>;
  /** Of the tenant's credentials. */
  readonly claims: readonly AnsweredClaim[];
  readonly log: Emit;
}

/**
 * Longest time for which all wait because one of them was asked to, when that is longer than a run waits. Then one of them
 * asks again, and all learn the answer. A platform that says a day by mistake stops them for no longer than a slice.
 */
const LONGEST_PAUSE_MS = SLICE_MS;

/**
 * The limits of one tenant's run: of each credential there is one for the whole fleet. A credential that has no rate in
 * `rates` has the least of all files with it.
 */
export function tenantLimits(
  config: LoadedConfig,
  { shared, rateOf, rates, claims, log }: TenantLimitsOptions,
) {
  const { settings } = config;
  const configured = (area: Area) => {
    const { clientId, concurrency } = configuredArea(settings, area);
    const { credential, perSecond } = credentialAt(config, area);
    const least = claims.find((claim) => claim.credential === credential)?.perSecond ?? perSecond;
    return { credential, concurrency, ratePerSecond: rates[clientId] ?? least };
  };
  const rateLimit = (area: Area): RateLimit => {
    const { credential, concurrency, ratePerSecond } = configured(area);
    if (ratePerSecond === null) return createRateLimit({ ratePerSecond, concurrency, clock: systemClock });
    return rateOf(credential, ratePerSecond).limit(concurrency);
  };
  const long = new Map<Area, number>();
  const pause = (area: Area, ms: number): Promise<void> =>
    shared.pause(configured(area).credential, ms).catch(() => undefined);
  return {
    rateLimit,
    /** From the same places. */
    readBackRateLimit: (area: Area, within: RateLimit = rateLimit(area)) =>
      shareOfRate(configured(area), settings, within),
    /** Notifies all replicas of a pause that the platform asked for. */
    emit(event: SyncEvent): void {
      log(event);
      // Without an answer the tenant itself still waits; the others learn it from their own 429.
      if (event.type === 'area-paused') void pause(event.area, event.delayMs);
      if (event.type === 'area-stopped' && event.delayMs !== undefined) long.set(event.area, event.delayMs);
    },
    /**
     * After the run. A pause that it did not wait for is shared only now: what had a place in it is handed back at once, and
     * would wait for its turn otherwise.
     */
    async end() {
      await Promise.all([...long].map(([area, delayMs]) => pause(area, Math.min(delayMs, LONGEST_PAUSE_MS))));
    },
    /** Milliseconds for which the platform asked to wait before anything of this tenant may be sent; 0: free. */
    async pauseLeft() {
      const areas = AREAS.filter((area) => areaSettings(settings.platform, area) !== undefined);
      const left = await Promise.all(areas.map((area) => shared.pauseLeft(configured(area).credential)));
      return areas.length === 0 ? 0 : Math.min(...left);
    },
  };
}

interface TenantLedgerOptions {
  readonly config: LoadedConfig;
  /** Connections that ledgers share. */
  readonly ledgers: LedgerPools;
  /** Whether no run of the tenant has succeeded: otherwise a ledger that is not there is one that was lost. */
  readonly isNew: boolean;
  readonly emit: Emit;
  /** When it aborts, no statement of this tenant may take long; those of others go on. */
  readonly signal: AbortSignal;
}

/**
 * A tenant's ledger: in a database of the fleet a schema on the replica's pool for it, elsewhere a pool of its own for
 * this run. The ledger of a new tenant gets its tables; an older one waits for `fleet migrate`, because its tables may be in
 * use. Errors: SyncError `schema-not-migrated`, `state-unavailable`.
 */
async function withTenantLedger<T>(
  { config, ledgers, isNew, emit, signal }: TenantLedgerOptions,
  work: (state: State) => Promise<T>,
): Promise<T> {
  const { state: settings } = config.settings;
  const database = ledgers.at(settings.url)?.inSchema(settings.schema) ?? createStateDatabase(settings);
  try {
    await ledgers
      .unlessDown(settings.url, () => checkSchema(database))
      .catch(async (error: unknown) => {
        if (!isNew || !(error instanceof SyncError) || error.code !== 'schema-not-migrated') throw error;
        if ((await appliedMigrations(database)).length > 0) throw error;
        await migrateState(config.settings.state, { emit, signal });
        await checkSchema(database);
      });
    database.endAfter(signal);
    return await work(createState(database, inboxOptions(config)));
  } finally {
    await database.close();
  }
}
