import type { EntityName } from '../domain/names.js';
import type { ListedRecord, RecordLists, RecordPage, RecordSelection } from '../ports/record-lists.js';

/** How long a page goes on searching, milliseconds. */
const SEARCH_MS = 2_000;

/**
 * One page of a list. A search for what is rare ends after a few seconds, with what it has found and the place where it
 * goes on. `now`: milliseconds that never jump.
 */
export async function readList(
  lists: Pick<RecordLists, 'page'>,
  entity: EntityName,
  selection: RecordSelection,
  { after, limit, now }: { after: RecordPage['next']; limit: number; now: () => number },
): Promise<RecordPage> {
  const until = now() + SEARCH_MS;
  const records: ListedRecord[] = [];
  for (let position = after; ;) {
    const page = await lists.page(entity, selection, { after: position, limit: limit - records.length });
    records.push(...page.records);
    if (page.next === null || records.length === limit || now() >= until) return { records, next: page.next };
    position = page.next;
  }
}
