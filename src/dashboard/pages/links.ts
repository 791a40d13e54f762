import type { RecordStatus } from '../../domain/record-status.js';

export const RUNS_PATH = '/runs';
export const INBOX_PATH = '/inbox';

function link(path: string, query: Readonly<Record<string, string>>): string {
  const words = new URLSearchParams(query).toString();
  return words === '' ? path : `${path}?${words}`;
}

/** Address of a record's page; a key may contain any character. */
export function recordLink(entity: string, key: string): string {
  return link('/record', { entity, key });
}

/** Address of a list; `after`: the key before its first. */
export function listLink(entity: string, status: RecordStatus, after?: string): string {
  return link('/records', { entity, status, ...(after === undefined ? {} : { after }) });
}

/** Address of a run's page. */
export function runLink(runId: string): string {
  return `${RUNS_PATH}/${runId}`;
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
