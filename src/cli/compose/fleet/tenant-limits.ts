import { areaSettings } from '../../../config/schema.js';
import type { LoadedConfig } from '../../../config/load.js';
import { type Area, AREAS } from '../../../domain/names.js';
import type { Emit } from '../../../domain/events.js';
import { credentialText, platformCredential } from '../../../domain/platform-credential.js';
import { SLICE_MS } from '../../../domain/fleet.js';
import { createSharedRateLimit, type Opening, type SharedClock } from '../../../fleet/shared-rate-limit.js';
import { createRateLimit } from '../../../platform/rate-limit.js';
import type { RateLimit } from '../../../ports/platform.js';
import type { SharedRates } from '../../../ports/tenants.js';
import { systemClock } from '../system-clock.js';

export interface TenantLimits {
  rateLimit(area: Area): RateLimit;
  /** `verify.sharePercent` of the rate, from the same slots. */
  readBackRateLimit(area: Area, within?: RateLimit): RateLimit;
  /** Notifies all replicas of a pause that the platform asked for. */
  readonly emit: Emit;
  /**
   * After the run. A pause that it did not wait for is shared only now: what had a place in it is handed back at once, and
   * would wait for its slot otherwise.
   */
  end(): Promise<void>;
  /** Milliseconds for which the platform asked to wait before anything of this tenant may be sent; 0: free. */
  pauseLeft(): Promise<number>;
}

export interface TenantLimitsOptions {
  readonly shared: SharedRates;
  /** Of this process. */
  readonly databaseClock: SharedClock;
  /** Of this process and a credential (`credentialText`). */
  readonly openingOf: (credential: string) => Opening;
  /** By client id, from `fleet.rateLimits`; at each platform it has that rate. */
  readonly rates: Readonly<Record<string, number>>;
  readonly log: Emit;
}

/**
 * Longest time for which all wait because one of them was asked to, when that is longer than a run waits. Then one of them
 * asks again, and all learn the answer. A platform that says a day by mistake stops them for no longer than a slice.
 */
const LONGEST_PAUSE_MS = SLICE_MS;

/**
 * The limits of one tenant's run: of each credential there is one for the whole fleet. A credential that has no rate in
 * `rates` keeps that of the tenant's file, and shares it.
 */
export function tenantLimits(
  { settings }: LoadedConfig,
  { shared, databaseClock, openingOf, rates, log }: TenantLimitsOptions,
): TenantLimits {
  const configured = (area: Area) => {
    const found = areaSettings(settings.platform, area);
    if (!found) throw new TypeError(`platform.${area} is not configured`);
    const { clientId, concurrency } = found;
    const credential = credentialText(platformCredential(found));
    return { credential, concurrency, ratePerSecond: rates[clientId] ?? found.ratePerSecond };
  };
  const rateLimit = (area: Area): RateLimit => {
    const { credential, concurrency, ratePerSecond } = configured(area);
    if (ratePerSecond === null) return createRateLimit({ ratePerSecond, concurrency, clock: systemClock });
    return createSharedRateLimit({
      ...{ rates: shared, credential, ratePerSecond, concurrency },
      ...{ clock: systemClock, databaseClock, opening: openingOf(credential) },
    });
  };
  const long = new Map<Area, number>();
  const pause = (area: Area, ms: number): Promise<void> =>
    shared.pause(configured(area).credential, ms).catch(() => undefined);
  return {
    rateLimit,
    readBackRateLimit(area, within = rateLimit(area)) {
      const { ratePerSecond, concurrency } = configured(area);
      const share = ratePerSecond === null ? null : (ratePerSecond * settings.verify.sharePercent) / 100;
      return createRateLimit({ ratePerSecond: share, concurrency, clock: systemClock, within });
    },
    emit(event) {
      log(event);
      // Without an answer the tenant itself still waits; the others learn it from their own 429.
      if (event.type === 'area-paused') void pause(event.area, event.delayMs);
      if (event.type === 'area-stopped' && event.delayMs !== undefined) long.set(event.area, event.delayMs);
    },
    async end() {
      await Promise.all([...long].map(([area, delayMs]) => pause(area, Math.min(delayMs, LONGEST_PAUSE_MS))));
    },
    async pauseLeft() {
      const areas = AREAS.filter((area) => areaSettings(settings.platform, area) !== undefined);
      const left = await Promise.all(areas.map((area) => shared.pauseLeft(configured(area).credential)));
      return areas.length === 0 ? 0 : Math.min(...left);
    },
  };
}
