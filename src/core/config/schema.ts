import { z } from 'zod';
import type { Area, EntityName } from '../domain/names.js';
import type { OwnBlocks } from '../domain/reply/reply-rules.js';
import { tenantSettings } from './tenant-settings.js';
import { idSettings, sourceSettings, stateSettings } from './sections/databases.js';
import { entitySettings } from './sections/entities.js';
import { guardSettings, retrySettings, sweepSettings, verifySettings } from './sections/limits.js';
import { platformSettings } from './sections/platform.js';
import {
  httpSettings,
  loggingSettings,
  notifySettings,
  scheduleSettings,
  webhookSettings,
} from './sections/service.js';

/**
 * Every setting once: type, default, unit, description, environment variable. Validation, the settings table
 * and `.env.example` come from here. Durations come out in milliseconds under names that end in `Ms`. The blocks are in
 * `sections/`. What counts for one area comes from its own block or the common one (`areaSettings`).
 */
export const settingsSchema = z
  .strictObject({
    source: sourceSettings.meta({ description: 'Your database, which is only read.' }),
    state: stateSettings.prefault({}).meta({ description: 'Where the worker remembers what it sent.' }),
    ids: idSettings.meta({ description: 'How platform ids are made.' }),
    platform: platformSettings.meta({ description: 'The platform and your credentials.' }),
    entities: entitySettings.meta({ description: 'What is kept in step.' }),
    guards: guardSettings,
    retry: retrySettings,
    sweep: sweepSettings,
    schedule: scheduleSettings,
    webhook: webhookSettings,
    verify: verifySettings,
    http: httpSettings,
    notify: notifySettings,
    logging: loggingSettings,
    tenant: tenantSettings,
  })
  .transform(({ state, ...rest }) => ({ ...rest, state: { ...state, url: state.url ?? rest.source.url } }));

/** All settings with defaults filled in, durations in milliseconds. */
export type Settings = z.output<typeof settingsSchema>;

export type EntitySettings = NonNullable<Settings['entities'][EntityName]>;

type PlatformSettings = Settings['platform'];
type Dialect = Pick<
  PlatformSettings,
  'absent' | 'operations' | 'signature' | 'proxy' | 'ca' | 'clientCertificate' | 'headers'
>;

/** One configured area with everything that counts for it. */
type AreaSettings = Omit<NonNullable<PlatformSettings[Area]>, keyof Dialect> &
  Dialect & { readonly own: OwnBlocks };

/** How the platform of an area speaks: each of its own settings replaces the common one as a whole. */
export function dialectOf(platform: PlatformSettings, area: Area): Dialect {
  const own = platform[area];
  return {
    // Null is a value of these.
    absent: own?.absent === undefined ? platform.absent : own.absent,
    proxy: own?.proxy === undefined ? platform.proxy : own.proxy,
    ca: own?.ca === undefined ? platform.ca : own.ca,
    clientCertificate:
      own?.clientCertificate === undefined ? platform.clientCertificate : own.clientCertificate,
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
