import type { DeliveryOutcome } from '../../domain/delivery/delivery.js';
import type { RecordStatus } from '../../domain/record-status.js';
import type { DeliveryPosition } from '../../ports/deliveries.js';

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
  return Object.keys(query).length === 0 ? `/runs/${runId}` : link(`/runs/${runId}`, query);
}

/** The same address in another language. `path`: path and query. */
export function languageLink(path: string, language: string): string {
  const { pathname, searchParams } = new URL(path, 'http://dashboard');
  searchParams.set('lang', language);
  return link(pathname, Object.fromEntries(searchParams));
}
