import type { Emit, SyncEvent, WebhookOutcome } from '../domain/events.js';

/** A line of the log for each webhook was most of the log. */
const WINDOW_MS = 60_000;

/**
 * Passes events on, and after each minute in which a webhook came an event with how many there were of each outcome.
 * `close` reports those since.
 */
export function countOutcomes(emit: Emit): { readonly emit: Emit; close(): void } {
  let counts = new Map<WebhookOutcome, number>();
  let timer: NodeJS.Timeout | undefined;
  const report = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (counts.size === 0) return;
    const reported = Object.fromEntries(counts);
    counts = new Map();
    emit({ type: 'webhooks-received', counts: reported });
  };
  return {
    emit(event: SyncEvent) {
      if (event.type === 'webhook-event') {
        counts.set(event.outcome, (counts.get(event.outcome) ?? 0) + 1);
        timer ??= setTimeout(report, WINDOW_MS).unref();
      }
      emit(event);
    },
    close: report,
  };
}
