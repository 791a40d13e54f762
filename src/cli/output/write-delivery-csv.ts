import { platformTimestamp } from '../../contract/time.js';
import type { Delivery, DeliveryParent, JournalCoverage, JournalGap } from '../../domain/report.js';
import { SyncError } from '../../domain/errors.js';
import type { Deliveries, DeliveryDays, DeliveryPosition } from '../../ports/queue.js';
import { journalCoverage } from '../../sync/read-report.js';
import { csvLine } from './csv-line.js';
import { unknownLines } from './print-report.js';
import { writeAndWait } from './write.js';

/** Requests that are in memory at a time. */
const PAGE_SIZE = 5_000;

const HEAD = [
  ...['day', 'time', 'entity', 'key', 'parent_entity', 'parent_key', 'parent_name', 'kind', 'operation'],
  ...['outcome', 'status_code', 'reason', 'request_id', 'platform_id', 'payload_hash', 'run_id'],
  ...['claimed_at', 'answered_at', 'known_from'],
];

/**
 * Every request of these days as CSV on standard output, the oldest first. `known_from` is the time from which the journal
 * has every request. A row of the kind `not-known` stands for what it lacks: a stretch in the middle, and the beginning
 * in a file that has no request, which would else look like days on which nothing was sent. Errors: SyncError `interrupted` when the
 * signal aborts.
 */
export async function writeDeliveryCsv(
  deliveries: Pick<Deliveries, 'ofDays' | 'parents' | 'gaps'>,
  days: DeliveryDays,
  signal: AbortSignal,
): Promise<void> {
  // Standard output may be slower than the database; when nobody reads it any more, the rest is not read either.
  const coverage = journalCoverage(await deliveries.gaps(), days);
  const knownFrom = coverage.knownFrom?.toISOString() ?? '';
  let read = await writeAndWait(csvLine(HEAD));
  let isEmpty = true;
  let after: DeliveryPosition | null = null;
  do {
    const page = await deliveries.ofDays(days, { after, limit: PAGE_SIZE });
    const parents = await deliveries.parents([
      ...new Set(page.deliveries.map(({ parentPlatformId, platformId }) => parentPlatformId ?? platformId)),
    ]);
    read = await writeAndWait(
      page.deliveries.map((one) => csvLine([...cells(one, parents, days.timeZone), knownFrom])).join(''),
    );
    isEmpty &&= page.deliveries.length === 0;
    after = page.next;
    if (read && after !== null && signal.aborted) throw stopped();
  } while (read && after !== null);
  const lacks = coverage.unknown.filter(({ from }) => isEmpty || from !== null);
  const notes = lacks.map((gap) => csvLine([...noteCells(gap, coverage, days.timeZone), knownFrom]));
  if (read && notes.length > 0) await writeAndWait(notes.join(''));
}

/** A row for what is not known: its end as day and time, and the sentence as the reason. */
function noteCells(
  gap: JournalGap,
  coverage: JournalCoverage,
  timeZone: string,
): readonly (string | number | null)[] {
  const [day = '', time = ''] = platformTimestamp(gap.to.getTime(), timeZone).split(' ');
  const [reason = ''] = unknownLines({ ...coverage, unknown: [gap] }, timeZone);
  const filled = new Map<string, string>([
    ['day', day],
    ['time', time],
    ['kind', 'not-known'],
    ['outcome', 'not-known'],
    ['reason', reason],
    ['claimed_at', gap.from?.toISOString() ?? ''],
    ['answered_at', gap.to.toISOString()],
  ]);
  return HEAD.slice(0, -1).map((name) => filled.get(name) ?? null);
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
