import { z } from 'zod';
import type { EntityName } from '../domain/names.js';
import { tenantSettings } from './fleet/tenant-settings.js';
import { idSettings, sourceSettings, stateSettings } from './sections/databases.js';
import { entitySettings } from './sections/entities.js';
import { guardSettings, retrySettings, sweepSettings, verifySettings } from './sections/limits.js';
import { notifySettings } from './sections/notify.js';
import { platformSettings } from './sections/platform.js';
import { httpSettings, loggingSettings, scheduleSettings, webhookSettings } from './sections/service.js';

/**
 * Every setting once: type, default, unit, description, environment variable. Validation, the settings table
 * and `.env.example` come from here. Durations come out in milliseconds under names that end in `Ms`.
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
