import { platformTimestamp } from '../../contract/platform-timestamp.js';
import type { Delivery } from '../../domain/delivery/delivery.js';
import { SyncError } from '../../domain/errors.js';
import type { DeliveryParent } from '../../domain/delivery/report.js';
import type { Deliveries, DeliveryDays, DeliveryPosition } from '../../ports/deliveries.js';
import { csvLine } from './csv-line.js';
import { writeAndWait } from './write.js';

/** Requests that are in memory at a time. */
const PAGE_SIZE = 5_000;

const HEAD = [
  ...['day', 'time', 'entity', 'key', 'parent_entity', 'parent_key', 'parent_name', 'kind', 'operation'],
  ...['outcome', 'status_code', 'reason', 'request_id', 'platform_id', 'payload_hash', 'run_id'],
  ...['claimed_at', 'answered_at'],
];

/**
 * Every request of these days as CSV on standard output, the oldest first. Errors: SyncError `interrupted` when the
 * signal aborts.
 */
export async function writeDeliveryCsv(
  deliveries: Pick<Deliveries, 'ofDays' | 'parents'>,
  days: DeliveryDays,
  signal: AbortSignal,
): Promise<void> {
  // Standard output may be slower than the database; when nobody reads it any more, the rest is not read either.
  let read = await writeAndWait(csvLine(HEAD));
  let after: DeliveryPosition | null = null;
  do {
    const page = await deliveries.ofDays(days, { after, limit: PAGE_SIZE });
    const parents = await deliveries.parents([
      ...new Set(page.deliveries.map(({ parentPlatformId, platformId }) => parentPlatformId ?? platformId)),
    ]);
    read = await writeAndWait(
      page.deliveries.map((one) => csvLine(cells(one, parents, days.timeZone))).join(''),
    );
    after = page.next;
    if (read && after !== null && signal.aborted) throw stopped();
  } while (read && after !== null);
}

function stopped(): SyncError {
  return new SyncError('interrupted', 'A signal stopped the report before its end.', { scope: 'run' });
}

function cells(
  delivery: Delivery,
  parents: ReadonlyMap<string, DeliveryParent>,
  timeZone: string,
): readonly (string | number | null)[] {
  const [day = '', time = ''] = platformTimestamp(delivery.answeredAt.getTime(), timeZone).split(' ');
  const parent = parents.get(delivery.parentPlatformId ?? delivery.platformId);
  return [
    ...[day, time, delivery.entity, delivery.key],
    ...[parent?.entity ?? null, parent?.key ?? null, parent?.name ?? null],
    ...[delivery.kind, delivery.operation, delivery.outcome, delivery.statusCode, delivery.reason],
    ...[delivery.requestId, delivery.platformId, delivery.payloadHash, delivery.runId],
    ...[delivery.claimedAt.toISOString(), delivery.answeredAt.toISOString()],
  ];
}
