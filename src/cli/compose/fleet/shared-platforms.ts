import { isDeepStrictEqual } from 'node:util';
import type { LoadedConfig } from '../../../config/load.js';
import { openPlatforms, type OpenedPlatforms } from '../open-platforms.js';

type Platforms = Pick<OpenedPlatforms, 'platform' | 'close'>;
type How = Pick<LoadedConfig, 'settings' | 'transport'>;

interface Open {
  readonly of: { readonly platform: How['settings']['platform']; readonly transport: How['transport'] };
  readonly platforms: OpenedPlatforms;
  users: number;
}

/**
 * The HTTP clients of a replica's tenants. Tenants that reach the platform in the same way, with the same credential, use
 * the same connections: each alone sends so seldom that nearly every request would open one, and arrive later by that.
 * The clients are closed with the last tenant that uses them. `tenants`: most at a time.
 */
export function createSharedPlatforms(tenants: number): (config: LoadedConfig) => Platforms {
  const all = new Set<Open>();
  return (config) => {
    const of = { platform: config.settings.platform, transport: config.transport };
    let found = [...all].find((open) => isDeepStrictEqual(open.of, of));
    if (!found) {
      found = { of, platforms: openPlatforms(forSeveral(config, tenants)), users: 0 };
      all.add(found);
    }
    const open = found;
    open.users += 1;
    return {
      platform: (area) => open.platforms.platform(area),
      async close() {
        open.users -= 1;
        if (open.users > 0) return;
        all.delete(open);
        await open.platforms.close();
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
