import type { DeliveryOutcome } from '../../domain/report.js';
import type { Outcome } from '../../ports/queue.js';
import type { FinishedRequest } from './append-deliveries.js';

type Ending = Pick<FinishedRequest, 'outcome' | 'statusCode' | 'reason'>;

/** What the journal has of outcomes: nothing of a claim that was handed back unsent. Pure. */
export function finishedRequests(outcomes: readonly Outcome[]): readonly FinishedRequest[] {
  return outcomes.flatMap((outcome) => {
    const { entity, key, requestId, sent } = outcome;
    return sent === undefined ? [] : [{ entity, key, requestId, ...sent, ...endingOf(outcome) }];
  });
}

/** A record that used up its attempts is rejected, but its last request failed like those before. */
function endingOf(outcome: Outcome): Ending {
  switch (outcome.kind) {
    case 'accepted':
      return { outcome: 'accepted', statusCode: outcome.statusCode, reason: null };
    case 'refused':
      return ending('rejected', outcome);
    case 'deferred':
      return ending('deferred', outcome);
    case 'handed-back':
      return ending('handed-back', outcome.reply ?? { statusCode: null, error: null });
  }
}

function ending(
  outcome: DeliveryOutcome,
  { statusCode, error }: { readonly statusCode: number | null; readonly error: string | null },
): Ending {
  return { outcome, statusCode, reason: error };
}
