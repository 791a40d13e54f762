import type { RecordStatus } from '../../domain/record-status.js';

function link(path: string, query: Readonly<Record<string, string>>): string {
  return `${path}?${new URLSearchParams(query).toString()}`;
}

/** Address of a record's page; a key may contain any character. */
export function recordLink(entity: string, key: string): string {
  return link('/record', { entity, key });
}

/** Address of a list; `after`: the key before its first. */
export function listLink(entity: string, status: RecordStatus, after?: string): string {
  return link('/records', { entity, status, ...(after === undefined ? {} : { after }) });
}

/** The same address in another language. `path`: path and query. */
export function languageLink(path: string, language: string): string {
  const { pathname, searchParams } = new URL(path, 'http://dashboard');
  searchParams.set('lang', language);
  return link(pathname, Object.fromEntries(searchParams));
}
