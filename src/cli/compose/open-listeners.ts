import type { LoadedConfig } from '../../config/load.js';
import { chooseSignature } from '../../contract/signature-profiles.js';
import { SyncError } from '../../domain/errors.js';
import { startAdmin } from '../../service/start-admin.js';
import type { RunDependencies } from '../../sync/run-dependencies.js';
import type { Metrics } from '../../telemetry/create-metrics.js';
import { startWebhook } from '../../webhook/start-webhook.js';

/**
 * Opens the admin listener, and the public one when webhooks can be verified.
 * Errors: SyncError `config-invalid` when an address cannot be listened on, or the statement of `webhook.sql` fails.
 */
export async function openListeners(
  { settings }: LoadedConfig,
  { state, clock, emit }: RunDependencies,
  metrics: Metrics['render'],
): Promise<{ close(): Promise<void> }> {
  const { http, webhook, platform } = settings;
  await state.inbox.checkStatement();
  const admin = await startAdmin({
    ...http.admin,
    metrics,
    notReady: async () => {
      try {
        await state.environments.read();
        return null;
      } catch (error) {
        return error instanceof SyncError ? error.message : 'the state database cannot be used';
      }
    },
  });
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
