import { areaSettings } from '../../config/schema.js';
import type { LoadedConfig } from '../../config/load.js';
import type { Transport } from '../../config/read-transport.js';
import { chooseSignature } from '../../contract/signature.js';
import type { Area } from '../../domain/names.js';
import type { Platform, RateLimit } from '../../ports/platform.js';
import { createRateLimit } from '../../platform/rate-limit.js';
import { createHttpPlatform } from '../../platform/http-platform.js';
import { configuredOperations } from './configured-operations.js';
import { systemClock } from './system-clock.js';
import { VERSION } from './package-info.js';

export interface OpenedPlatforms {
  platform(area: Area): Platform;
  rateLimit(area: Area, notBefore: number): RateLimit;
  /** `verify.sharePercent` of the area's rate, taken from `within` if given. */
  readBackRateLimit(area: Area, within?: RateLimit): RateLimit;
  close(): Promise<void>;
}

/** HTTP clients of the configured areas, made at first use. */
export function openPlatforms({ settings, transport }: LoadedConfig): OpenedPlatforms {
  const clients = new Map<Area, Platform>();
  const configured = (area: Area) => {
    const found = areaSettings(settings.platform, area);
    if (!found) throw new TypeError(`platform.${area} is not configured`);
    return found;
  };
  const operations = configuredOperations(settings);

  return {
    platform(area) {
      const open = clients.get(area);
      if (open) return open;
      const { signature, ...settings } = configured(area);
      const client = createHttpPlatform({
        ...settings,
        ...signature,
        signatureProfile: chooseSignature(signature),
        ...travelling(transport[area]),
        clock: systemClock,
        operations,
        version: VERSION,
      });
      clients.set(area, client);
      return client;
    },
    rateLimit(area, notBefore) {
      const { ratePerSecond, concurrency } = configured(area);
      return createRateLimit({ ratePerSecond, concurrency, clock: systemClock, notBefore });
    },
    readBackRateLimit(area, within) {
      const { ratePerSecond, concurrency } = configured(area);
      return createRateLimit({
        ratePerSecond: ratePerSecond === null ? null : (ratePerSecond * settings.verify.sharePercent) / 100,
        concurrency,
        clock: systemClock,
        within,
      });
    },
    async close() {
      await Promise.all([...clients.values()].map((client) => client.close()));
    },
  };
}

/** A list of certificates replaces what Node trusts otherwise, so what the environment adds to that comes along. */
function travelling(transport: Transport | undefined) {
  const { proxy, certificates, inherited } = transport ?? { proxy: null, certificates: [], inherited: [] };
  return { proxy, certificates: certificates.length === 0 ? [] : [...certificates, ...inherited] };
}
