import type { LoadedConfig } from '../../config/load.js';
import { dialectOf } from '../../config/schema.js';
import { chooseSignature } from '../../contract/signature.js';
import { SyncError } from '../../domain/errors.js';
import { answerInTime } from '../../dashboard/shell.js';
import { type RunningAdmin, startAdmin } from '../../service/start-admin.js';
import { startWebhook } from '../../webhook/start-webhook.js';
import type { AreaWatch } from '../../sync/troubles.js';
import { openDashboard } from './open-dashboard.js';
import { openLooking, type Looking } from './open-looking.js';
import { checkSchema } from './open-state.js';
import type { SessionContext } from './session.js';
import type { createWorkerMetrics } from './worker-metrics.js';

/** How long a probe waits for the state database, milliseconds; the kubelet waits for five seconds. */
const PROBE_MS = 4_000;

/**
 * Opens the admin listener, and the public one if webhook secrets are configured.
 * Errors: SyncError `config-invalid` when it cannot listen on an address, or the statement of `webhook.sql` fails.
 */
export async function openListeners(
  config: LoadedConfig,
  context: SessionContext,
  metrics: ReturnType<typeof createWorkerMetrics>,
  watch: AreaWatch,
): Promise<{ close(): Promise<void> }> {
  const { http, webhook, platform } = config.settings;
  const { state, clock, emit } = context;
  await state.inbox.checkStatement();
  const looking = openLooking(config);
  metrics.use(looking.metrics);
  const dashboard = openDashboard(config, context, looking, watch);
  let check: Promise<string | null> | null = null;
  const listening = startAdmin({
    ...http.admin,
    metrics: metrics.render,
    dashboard: dashboard.app,
    // Requests at the same time share one statement.
    notReady: () =>
      (check ??= whyNotReady(looking).finally(() => {
        check = null;
      })),
  });
  const admin = await closing(listening, async () => {
    await Promise.allSettled([dashboard.close(), looking.close()]);
  });
  emit({ type: 'listening', what: 'admin', url: admin.url });
  if (webhook.secrets.length === 0) {
    emit({
      type: 'warning',
      message: 'webhook.secrets is empty, so the worker receives no job applications.',
      hint: 'Set it to the secret that the platform signs webhooks with.',
    });
    return admin;
  }
  try {
    const receiver = await startWebhook({
      ...http.public,
      ...webhook,
      profile: chooseSignature(dialectOf(platform, 'jobs').signature),
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

/** Anybody may read it, so it names no host, port or role of the database. Null: ready. */
async function whyNotReady({ probes }: Looking): Promise<string | null> {
  try {
    await answerInTime(PROBE_MS, new AbortController().signal, (signal) => checkSchema(probes(signal)));
    return null;
  } catch (error) {
    if (!(error instanceof SyncError) || error.code !== 'schema-not-migrated')
      return 'The state database cannot be used.';
    return [error.message, error.hint ?? ''].join(' ').trim();
  }
}

/** The listener; it closes `also` with itself, or at once when it cannot be opened. */
async function closing(opening: Promise<RunningAdmin>, also: () => Promise<void>): Promise<RunningAdmin> {
  try {
    const { url, close } = await opening;
    return { url, close: async () => void (await Promise.all([close(), also()])) };
  } catch (error) {
    await also();
    throw error;
  }
}
