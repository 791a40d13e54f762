import { type EntityName, RECORD_STATUSES, type RecordStatus } from '../../core/domain/names.js';
import type { DeliveryOutcome } from '../../core/domain/delivery.js';
import type { DeliveryPosition } from '../../features/report/deliveries.js';
import type { ListPosition, RecordSelection } from '../../features/look/record-lists.js';

export const RUNS_PATH = '/runs';
export const INBOX_PATH = '/inbox';
export const ACTIONS_PATH = '/actions';
export const FIND_PATH = '/find';
/** A list as a file; its query is that of the list. */
export const RECORDS_CSV_PATH = '/records.csv';
export const REPORT_PATH = '/report';
/** The report by record, as a page and as a file. */
export const REPORTED_PATH = '/report/records';
export const REPORTED_CSV_PATH = '/report/records.csv';

/** An address with its query; what is null is left out. */
export function link(path: string, query: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== null);
  const words = new URLSearchParams(given).toString();
  return words === '' ? path : `${path}?${words}`;
}

/** Address of a record's page; a key may contain any character. */
export function recordLink(entity: string, key: string): string {
  return link('/record', { entity, key });
}

/** Address of a list from its beginning; null: records of any status. */
export function listLink(
  entity: EntityName,
  status: RecordStatus | null,
  more: Partial<Omit<ListQuery, 'entity' | 'status'>> = {},
): string {
  const { search, reason, order = 'key', after = null, selected = false } = more;
  return link('/records', {
    entity,
    status,
    find: search ?? null,
    reason: reason ?? null,
    order: order === 'key' ? null : order,
    after: after === null ? null : after.key,
    at: typeof after?.attemptedUs === 'number' ? String(after.attemptedUs) : null,
    select: selected ? 'all' : null,
  });
}

/** Address of a run's page; `after`: the request before the first of its list. */
export function runLink(
  runId: string,
  {
    outcome = null,
    after,
  }: { readonly outcome?: DeliveryOutcome | null; readonly after?: DeliveryPosition } = {},
): string {
  return link(`${RUNS_PATH}/${runId}`, {
    outcome,
    after: after === undefined ? null : positionText(after),
  });
}

const positionText = ({ micros, requestId }: DeliveryPosition): string => `${micros}.${requestId}`;

interface ReportQuery {
  readonly from: string;
  readonly to: string;
  readonly entity: EntityName | null;
  readonly company?: string | null;
  /** The place before the first record of the page; left out: its beginning. */
  readonly after?: DeliveryPosition;
}

/** Address of a report, in one of its forms. */
export function reportLink(
  path: typeof REPORT_PATH | typeof REPORTED_PATH | typeof REPORTED_CSV_PATH,
  { from, to, entity, company = null, after }: ReportQuery,
): string {
  return link(path, { from, to, entity, company, after: after === undefined ? null : positionText(after) });
}

export function runsLink({ outcome, all, before }: RunsQuery): string {
  return link(RUNS_PATH, { outcome, quiet: all ? 'show' : null, before });
}

export interface RunsQuery {
  /** Only runs that ended so; null: every run. */
  readonly outcome: string | null;
  /** Quiet runs are shown one by one. */
  readonly all: boolean;
  /** Id of the run before the first of the page; null: from the latest on. */
  readonly before: string | null;
}

/** The same address in another language. `path`: path and query. */
export function languageLink(path: string, language: string): string {
  const { pathname, searchParams } = new URL(path, 'http://dashboard');
  searchParams.set('lang', language);
  return link(pathname, Object.fromEntries(searchParams));
}

/** Orders of a list by the word in its address. */
export const ORDERS = {
  key: { sort: 'key', descending: false },
  'key-last': { sort: 'key', descending: true },
  newest: { sort: 'attempt', descending: true },
  oldest: { sort: 'attempt', descending: false },
} as const satisfies Readonly<Record<string, Pick<RecordSelection, 'sort' | 'descending'>>>;

export type ListOrder = keyof typeof ORDERS;

export interface ListQuery extends Pick<RecordSelection, 'status' | 'search' | 'reason'> {
  readonly entity: EntityName;
  readonly order: ListOrder;
  /** The record before the first of the page; null: from the beginning. */
  readonly after: ListPosition | null;
  readonly selected: boolean;
}

const LONGEST = 200;

/** Reads an address; without an entity the first one. Null: it names something that does not exist. */
export function readListQuery(query: URLSearchParams, entities: readonly EntityName[]): ListQuery | null {
  const text = (name: string) => (query.get(name) ?? '').replaceAll('\0', '');
  const asked = text('entity') || entities[0];
  const entity = entities.find((name) => name === asked);
  const status = RECORD_STATUSES.find((name) => name === text('status')) ?? null;
  const order = text('order') || 'key';
  if (entity === undefined || !Object.hasOwn(ORDERS, order) || (status === null && text('status') !== ''))
    return null;
  const after = text('after');
  const attempted = text('at');
  if (!/^\d{0,16}$/.test(attempted)) return null;
  return {
    entity,
    status,
    search: text('find').trim().slice(0, LONGEST) || null,
    reason: text('reason').trim().slice(0, LONGEST) || null,
    order: order as ListOrder,
    after: after === '' ? null : { key: after, attemptedUs: attempted === '' ? null : Number(attempted) },
    selected: text('select') === 'all',
  };
}
