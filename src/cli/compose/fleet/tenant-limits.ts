import { areaSettings } from '../../../config/area-settings.js';
import type { LoadedConfig } from '../../../config/load.js';
import type { Area } from '../../../domain/area.js';
import type { Emit } from '../../../domain/events.js';
import { createSharedRateLimit } from '../../../fleet/create-shared-rate-limit.js';
import { createRateLimit } from '../../../platform/create-rate-limit.js';
import type { RateLimit } from '../../../ports/rate-limit.js';
import type { SharedRates } from '../../../ports/shared-rates.js';
import { systemClock } from '../system-clock.js';

export interface TenantLimits {
  rateLimit(area: Area): RateLimit;
  /** `verify.sharePercent` of the rate, from the same slots. */
  readBackRateLimit(area: Area, within?: RateLimit): RateLimit;
  /** Tells all replicas of a pause that the platform asked for. */
  readonly emit: Emit;
}

/**
 * The limits of one tenant's run: of each credential there is one for the whole fleet. `rates`: by client id, from
 * `fleet.rateLimits`; a credential that has none keeps the rate in the tenant's file, and shares that.
 */
export function tenantLimits(
  { settings }: LoadedConfig,
  shared: SharedRates,
  rates: Readonly<Record<string, number>>,
  log: Emit,
): TenantLimits {
  const configured = (area: Area) => {
    const found = areaSettings(settings.platform, area);
    if (!found) throw new TypeError(`platform.${area} is not configured`);
    const { clientId, concurrency } = found;
    return { clientId, concurrency, ratePerSecond: rates[clientId] ?? found.ratePerSecond };
  };
  const rateLimit = (area: Area): RateLimit => {
    const { clientId, concurrency, ratePerSecond } = configured(area);
    if (ratePerSecond === null) return createRateLimit({ ratePerSecond, concurrency, clock: systemClock });
    return createSharedRateLimit({
      ...{ rates: shared, credential: clientId, ratePerSecond, concurrency },
      clock: systemClock,
    });
  };
  return {
    rateLimit,
    readBackRateLimit(area, within = rateLimit(area)) {
      const { ratePerSecond, concurrency } = configured(area);
      const share = ratePerSecond === null ? null : (ratePerSecond * settings.verify.sharePercent) / 100;
      return createRateLimit({ ratePerSecond: share, concurrency, clock: systemClock, within });
    },
    emit(event) {
      log(event);
      if (event.type !== 'area-paused') return;
      const { clientId } = configured(event.area);
      // Without an answer the tenant itself still waits; the others learn it from their own 429.
      shared.pause(clientId, event.delayMs).catch(() => undefined);
    },
  };
}
