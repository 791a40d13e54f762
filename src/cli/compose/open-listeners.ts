import type { LoadedConfig } from '../../config/load.js';
import { chooseSignature } from '../../contract/signature-profiles.js';
import { SyncError } from '../../domain/errors.js';
import type { AreaWatch } from '../../service/dashboard/area-watch.js';
import { startAdmin, type RunningAdmin } from '../../service/start-admin.js';
import type { Metrics } from '../../telemetry/create-metrics.js';
import { startWebhook } from '../../webhook/start-webhook.js';
import { openDashboard } from './open-dashboard.js';
import { checkSchema } from './open-state.js';
import type { SessionDependencies } from './session.js';

/**
 * Opens the admin listener, and the public one when webhooks can be verified.
 * Errors: SyncError `config-invalid` when an address cannot be listened on, or the statement of `webhook.sql` fails.
 */
export async function openListeners(
  config: LoadedConfig,
  dependencies: SessionDependencies,
  metrics: Metrics['render'],
  watch: AreaWatch,
): Promise<{ close(): Promise<void> }> {
  const { http, webhook, platform } = config.settings;
  const { state, clock, emit } = dependencies;
  await state.inbox.checkStatement();
  const dashboard = openDashboard(config, dependencies, watch);
  let check: Promise<string | null> | null = null;
  const listening = startAdmin({
    ...http.admin,
    metrics,
    dashboard: dashboard.app,
    // However many ask at a time, it is one statement.
    notReady: () =>
      (check ??= whyNotReady(state.database).finally(() => {
        check = null;
      })),
  });
  const admin = await closing(listening, () => dashboard.close());
  emit({ type: 'listening', what: 'admin', url: admin.url });
  if (webhook.secrets.length === 0) {
    emit({
      type: 'warning',
      message: 'webhook.secrets is empty, so no job applications are received.',
      hint: 'Set it to the secret that the platform signs webhooks with.',
    });
    return admin;
  }
  try {
    const receiver = await startWebhook({
      ...http.public,
      ...webhook,
      profile: chooseSignature(platform.signature),
      inbox: state.inbox,
      clock,
      emit,
    });
    emit({ type: 'listening', what: 'webhook', url: receiver.url });
    return {
      async close() {
        await Promise.all([receiver.close(), admin.close()]);
      },
    };
  } catch (error) {
    await admin.close();
    throw error;
  }
}

/** For everybody, so without host, port and role of the database. Null: ready. */
async function whyNotReady(database: Parameters<typeof checkSchema>[0]): Promise<string | null> {
  try {
    await checkSchema(database);
    return null;
  } catch (error) {
    if (!(error instanceof SyncError) || error.code !== 'schema-not-migrated')
      return 'The state database cannot be used.';
    return [error.message, error.hint ?? ''].join(' ').trim();
  }
}

/** The listener, which closes `also` with itself, and at once when it cannot be opened. */
async function closing(opening: Promise<RunningAdmin>, also: () => Promise<void>): Promise<RunningAdmin> {
  try {
    const { url, close } = await opening;
    return { url, close: async () => void (await Promise.all([close(), also()])) };
  } catch (error) {
    await also();
    throw error;
  }
}
