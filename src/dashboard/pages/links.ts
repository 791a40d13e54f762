import type { EntityName, RecordStatus } from '../../domain/names.js';
import type { ListQuery } from '../list-query.js';
import type { DeliveryOutcome } from '../../domain/report.js';
import type { DeliveryPosition } from '../../ports/queue.js';

export const RUNS_PATH = '/runs';
export const INBOX_PATH = '/inbox';
export const COVERAGE_PATH = '/coverage';

function link(path: string, query: Readonly<Record<string, string>>): string {
  const words = new URLSearchParams(query).toString();
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
    ...(status === null ? {} : { status }),
    ...(search ? { find: search } : {}),
    ...(reason ? { reason } : {}),
    ...(order === 'key' ? {} : { order }),
    ...(after === null ? {} : { after: after.key }),
    ...(typeof after?.attemptedUs === 'number' ? { at: String(after.attemptedUs) } : {}),
    ...(selected ? { select: 'all' } : {}),
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
  const query = {
    ...(outcome === null ? {} : { outcome }),
    ...(after === undefined ? {} : { after: `${after.micros}.${after.requestId}` }),
  };
  return Object.keys(query).length === 0 ? `${RUNS_PATH}/${runId}` : link(`${RUNS_PATH}/${runId}`, query);
}

/** Address of a page of the run history. */
export function runsLink({ outcome, all, before }: RunsQuery): string {
  return link(RUNS_PATH, {
    ...(outcome === null ? {} : { outcome }),
    ...(all ? { quiet: 'show' } : {}),
    ...(before === null ? {} : { before }),
  });
}

/** What the address of the run history says. */
export interface RunsQuery {
  /** Only runs that ended so; null: every run. */
  readonly outcome: string | null;
  /** Quiet runs are shown one by one. */
  readonly all: boolean;
  /** Id of the run before the first of the page; null: from the latest on. */
  readonly before: string | null;
}

/** Address of a page of the inbox; `before`: the number of the one before its first. */
export function inboxLink(before: string | null): string {
  return link(INBOX_PATH, before === null ? {} : { before });
}

/** The overview with another range of its chart. */
export function chartLink(range: string): string {
  return `${link('/', { range })}#chart`;
}

/** The same address in another language. `path`: path and query. */
export function languageLink(path: string, language: string): string {
  const { pathname, searchParams } = new URL(path, 'http://dashboard');
  searchParams.set('lang', language);
  return link(pathname, Object.fromEntries(searchParams));
}
