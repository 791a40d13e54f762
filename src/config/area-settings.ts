import type { Area } from '../domain/names.js';
import type { OwnBlocks } from '../domain/reply/reply-rules.js';
import type { Settings } from './schema.js';

type PlatformSettings = Settings['platform'];
type Dialect = Pick<
  PlatformSettings,
  'replies' | 'absent' | 'operations' | 'signature' | 'proxy' | 'ca' | 'headers'
>;

/** One configured area with everything that counts for it. */
export type AreaSettings = Omit<NonNullable<PlatformSettings[Area]>, keyof Dialect> &
  Dialect & { readonly own: OwnBlocks };

/** How the platform of an area speaks: each of its own settings replaces the common one as a whole. */
export function dialectOf(platform: PlatformSettings, area: Area): Dialect {
  const own = platform[area];
  return {
    replies: own?.replies ?? platform.replies,
    // Null is a value of these.
    absent: own?.absent === undefined ? platform.absent : own.absent,
    proxy: own?.proxy === undefined ? platform.proxy : own.proxy,
    ca: own?.ca === undefined ? platform.ca : own.ca,
    operations: own?.operations ?? platform.operations,
    signature: own?.signature ?? platform.signature,
    headers: own?.headers ?? platform.headers,
  };
}

/** The settings of an area; undefined when it is not configured. */
export function areaSettings(platform: PlatformSettings, area: Area): AreaSettings | undefined {
  const own = platform[area];
  if (own === undefined) return undefined;
  const dialect = dialectOf(platform, area);
  const blocks = (Object.keys(dialect) as (keyof Dialect)[]).filter((name) => own[name] !== undefined);
  return { ...own, ...dialect, own: { area, blocks } };
}
