import { SyncError } from '../domain/errors.js';
import type { RunContext } from './run-context.js';

/**
 * Deletes what is past its retention. A run does it at its end, also one that failed at the source. `start` does it by a
 * clock of its own too (`keepRetention`), so that no applicant's data waits for a sweep: a worker whose source is away,
 * one that stands by, and one that sweeps once a week.
 */

type Pruning = Pick<RunContext, 'state' | 'settings'>;

/** Errors: SyncError `state-unavailable`, `state-failed`. */
export async function pruneState({ state, settings }: Pruning): Promise<void> {
  const { retentionMs, deliveryRetentionMs, statusRetentionMs = null } = settings.state;
  await state.runs.prune(retentionMs);
  await state.ledger.prune(retentionMs);
  await state.inbox.prune(settings.webhook.retentionMs);
  // After the applications: a status leaves only after its application did.
  if (statusRetentionMs !== null) await state.ledger.pruneStatuses(statusRetentionMs);
  await state.deliveries.prune(deliveryRetentionMs);
}

/** Errors that say that the state database, or this process, cannot do more. */
const ENDED: readonly string[] = ['state-unavailable', 'state-failed', 'interrupted', 'lease-lost'];

/** The same after a run that failed: what the state database then says adds nothing. */
export async function pruneAfterFailure(context: Pruning, failure: SyncError): Promise<void> {
  if (failure.scope !== 'usage' && !ENDED.includes(failure.code))
    await pruneState(context).catch(() => undefined);
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
