import type { DeliveryOutcome } from '../../domain/report.js';
import type { EntityName } from '../../domain/names.js';
import type { State } from '../../ports/state.js';

/** Requests that are read of one record: twice a day for a year are fewer. */
const MOST = 1_000;

/** One request about a record, as `explain --json` prints it: public interface. */
export interface TimelineEntry {
  readonly requestId: string;
  readonly operation: string;
  readonly claimedAt: string;
  readonly answeredAt: string;
  /** Null: no reply. */
  readonly statusCode: number | null;
  readonly outcome: DeliveryOutcome;
  readonly reason: string | null;
}

/** The requests about a record, the oldest first. `platformId` null: it has none, so nothing was sent. */
export async function readTimeline(
  { deliveries }: Pick<State, 'deliveries'>,
  entity: EntityName,
  platformId: string | null,
): Promise<readonly TimelineEntry[]> {
  if (platformId === null) return [];
  const found = await deliveries.timeline(entity, platformId, MOST);
  return found.map(({ requestId, operation, claimedAt, answeredAt, statusCode, outcome, reason }) => ({
    requestId,
    operation,
    claimedAt: claimedAt.toISOString(),
    answeredAt: answeredAt.toISOString(),
    statusCode,
    outcome,
    reason,
  }));
}
