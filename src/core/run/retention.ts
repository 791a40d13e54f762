import { SyncError } from '../domain/errors.js';
import type { RunContext } from '../context.js';

/**
 * Deletes what is past its retention. A run does it at its end, also when its source was away. `start` does it by a clock of
 * its own too (`keepRetention`), so that no applicant's data waits for a sweep: in a worker that stands by, and in one that
 * sweeps once a week.
 */

type Pruning = Pick<RunContext, 'state' | 'settings'>;

/** Errors: SyncError `state-unavailable`, `state-failed`. */
export async function pruneState({ state, settings }: Pruning): Promise<void> {
  const { retentionMs, deliveryRetentionMs, statusRetentionMs = null } = settings.state;
  await state.runs.prune(retentionMs);
  await state.ledger.prune(retentionMs);
  await state.inbox.prune(settings.webhook.retentionMs, deliveryRetentionMs);
  // After the applications: a status leaves only after its application did.
  if (statusRetentionMs !== null) await state.ledger.pruneStatuses(statusRetentionMs);
  await state.deliveries.prune(deliveryRetentionMs);
  await state.operatorActions.prune(deliveryRetentionMs);
}

const PAUSE_MS = 60 * 60 * 1_000;

/** At once, then every hour, until the signal aborts. Never rejects: an error is a warning, and the next hour tries again. */
export async function keepRetention(
  context: Pruning & Pick<RunContext, 'clock' | 'emit'>,
  signal: AbortSignal,
): Promise<void> {
  const { clock, emit } = context;
  while (!signal.aborted) {
    try {
      await pruneState(context);
    } catch (error) {
      const { message } = error as Error;
      const hint = error instanceof SyncError ? error.hint : undefined;
      if (!signal.aborted) emit({ type: 'warning', message: `Old data was not deleted: ${message}`, hint });
    }
    await clock.sleep(PAUSE_MS, signal);
  }
}
