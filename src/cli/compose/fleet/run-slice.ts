import { randomUUID } from 'node:crypto';
import type { LoadedFleet } from '../../../config/fleet/load-fleet.js';
import { loadTenant } from '../../../config/fleet/load-tenant.js';
import type { EnvironmentVariables } from '../../../config/read-named-config.js';
import type { LoadedConfig } from '../../../config/load.js';
import { AREAS } from '../../../domain/names.js';
import type { Emit } from '../../../domain/events.js';
import { SLICE_MS } from '../../../domain/fleet.js';
import { createOpening, type Opening, type SharedClock } from '../../../fleet/shared-rate-limit.js';
import {
  createSliceTime,
  isSweepFresh,
  pausedRun,
  type RunSlice,
  sliceResult,
  watchPause,
} from '../../../fleet/work-tenant.js';
import type { SharedRates, TenantSummary } from '../../../ports/tenants.js';
import type { State } from '../../../ports/state.js';
import { untilFirstAbort } from '../../../runtime/time.js';
import { runSync } from '../../../sync/run/run.js';
import type { StateDatabase } from '../../../state/database/state-database.js';
import { configuredEntities } from '../configured-entities.js';
import { openSource } from '../open-source.js';
import { prepareNotices } from '../prepare-notices.js';
import { runSettings } from '../run-settings.js';
import { systemClock } from '../system-clock.js';
import { createSharedPlatforms } from './shared-platforms.js';
import { tenantLimits } from './tenant-limits.js';
import { withTenantState } from './tenant-state.js';

/** Longest time that the ledger of a replica that died blocks the next one, milliseconds. */
const LEASE_TTL_MS = 15_000;

export interface SliceOptions {
  readonly fleet: LoadedFleet;
  readonly database: StateDatabase;
  readonly rates: SharedRates;
  /** Of this process. */
  readonly databaseClock: SharedClock;
  readonly env: EnvironmentVariables;
  /** `host pid 123` */
  readonly replica: string;
  readonly logOf: (tenant: string) => Emit;
  /** Default five minutes. */
  readonly sliceMs?: number;
}

/**
 * Runs one tenant as `run` does, with a bound on the time for sending. A run that follows its own slice only sends while
 * its sweep is fresh. Errors: SyncError of scope `usage` for a configuration that cannot be used; `state-unavailable`.
 */
export function createSliceRunner(options: SliceOptions): RunSlice {
  const { fleet, database, rates, databaseClock, env, replica, logOf, sliceMs = SLICE_MS } = options;
  const openings = new Map<string, Opening>();
  const openingOf = (credential: string): Opening => {
    const opening = openings.get(credential) ?? createOpening(systemClock);
    openings.set(credential, opening);
    return opening;
  };
  const shared = {
    ...{ shared: rates, databaseClock, openingOf },
    rates: fleet.settings.fleet.rateLimits,
  };
  const openPlatforms = createSharedPlatforms(fleet.settings.fleet.slots + fleet.settings.fleet.largeSlots);
  return async ({ summary, definition }, signal) => {
    const startedAt = new Date(systemClock.now());
    const { url } = fleet.settings.fleet.database;
    const config = loadTenant(definition, { env, fleetUrl: url, variables: fleet.variables });
    const limits = tenantLimits(config, { ...shared, log: logOf(definition.name) });
    // Longer than a run waits: it would only hold its slot.
    const pausedMs = await limits.pauseLeft();
    if (pausedMs > config.settings.retry.maxPauseMs) return pausedRun(startedAt, pausedMs);
    const notices = prepareNotices(config, limits.emit);
    const { emit } = notices;
    const isNew = summary.lastSuccessAt === null;
    const ledger = { config, shared: database, sharedUrl: url, isNew, emit, signal };
    return withTenantState(ledger, async (state) => {
      const entities = configuredEntities(config);
      const settings = withShortLease(config);
      const source = openSource(config);
      const platforms = openPlatforms(config);
      try {
        const context = {
          ...{ settings, entities, source, state, emit, signal },
          platform: platforms.platform,
          rateLimit: limits.rateLimit,
          readBackRateLimit: limits.readBackRateLimit,
          clock: systemClock,
          holder: `${replica} tenant ${definition.name}`,
          random: Math.random,
          newId: randomUUID,
        };
        const pushOnly = await onlySends(state, summary, entities);
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
        await Promise.allSettled([source.close(), platforms.close()]);
      }
    });
  };
}

function withShortLease(config: LoadedConfig): ReturnType<typeof runSettings> {
  const settings = runSettings(config);
  const { state } = settings;
  return { ...settings, state: { ...state, leaseTtlMs: Math.min(state.leaseTtlMs, LEASE_TTL_MS) } };
}

async function onlySends(
  state: State,
  { lastRun, periodMs }: TenantSummary,
  entities: ReturnType<typeof configuredEntities>,
): Promise<boolean> {
  if (lastRun?.usedUpSlice !== true) return false;
  const [latest] = await state.runs.recent(1);
  const swept = await Promise.all(entities.map(({ name }) => state.entityStates.read(name)));
  return isSweepFresh(latest, swept, periodMs);
}
