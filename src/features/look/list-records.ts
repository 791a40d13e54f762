import type { EntityName } from '../../core/domain/names.js';
import { isTakenDown, stateText } from '../../core/domain/reply/reply.js';
import { issueLine, shownError } from '../../core/entities/index.js';
import type { ListedRecord, RecordLists, RecordSelection } from './record-lists.js';

/** What `records --json` prints of a record: public interface. */
export interface RecordLine {
  readonly entity: EntityName;
  readonly key: string;
  readonly title: string | null;
  readonly status: ListedRecord['status'];
  readonly reason: string | null;
  /** ISO time; null: never. */
  readonly lastAttemptAt: string | null;
}

/** Which records: as the filters of a list. */
export type RecordFilter = Pick<RecordSelection, 'status' | 'reason'> &
  Partial<Pick<RecordSelection, 'search'>>;

const PAGE_SIZE = 500;

/** The records of an entity in the order of their keys, page by page: a ledger of any size takes the same memory. */
export async function* recordPages(
  lists: Pick<RecordLists, 'page'>,
  entity: EntityName,
  { status, reason, search = null }: RecordFilter,
  limit = Infinity,
): AsyncGenerator<readonly ListedRecord[]> {
  const selection = { status, reason, search, sort: 'key', descending: false } as const;
  let after: Parameters<RecordLists['page']>[2]['after'] = null;
  for (let left = limit; left > 0;) {
    const page = await lists.page(entity, selection, { after, limit: Math.min(PAGE_SIZE, left) });
    yield page.records;
    if (page.next === null) return;
    left -= page.records.length;
    after = page.next;
  }
}

/** The records of these entities, one entity after the other, at most `limit`. */
export async function* listRecords(
  lists: Pick<RecordLists, 'page'>,
  entities: readonly EntityName[],
  selection: RecordFilter,
  limit: number,
): AsyncGenerator<readonly RecordLine[]> {
  let left = limit;
  for (const entity of entities) {
    for await (const records of recordPages(lists, entity, selection, left)) {
      left -= records.length;
      if (records.length > 0) yield records.map((record) => lineOf(entity, record));
    }
  }
}

/**
 * The keys of all that match, page by page. Without what the platform took down: only a person who
 * names such a record, or asks for them, sends it again.
 */
export async function* matchingKeys(
  lists: Pick<RecordLists, 'page'>,
  entity: EntityName,
  filter: RecordFilter,
  { withTakenDown = false } = {},
): AsyncGenerator<readonly string[]> {
  for await (const records of recordPages(lists, entity, filter))
    yield records
      .filter(({ atPlatform }) => withTakenDown || !isTakenDown(atPlatform?.state ?? null))
      .map(({ key }) => key);
}

function lineOf(entity: EntityName, record: ListedRecord): RecordLine {
  const { key, title, status, attemptedAt } = record;
  return {
    entity,
    key,
    title,
    status,
    reason: reasonOf(entity, record),
    lastAttemptAt: attemptedAt?.toISOString() ?? null,
  };
}

/** Why it is as it is. The platform's text about an application is personal, so only its status is named. */
function reasonOf(
  entity: EntityName,
  { issues, status, parentKey, expiredOn, atPlatform, lastError, lastStatusCode }: ListedRecord,
): string | null {
  if (issues.length > 0) return issues.map((issue) => issueLine(entity, issue)).join('; ');
  if (status === 'waiting') return parentKey === null ? null : `waits for ${parentKey}`;
  if (expiredOn !== null) return `expired on ${expiredOn}`;
  return (
    shownError(entity, lastError, lastStatusCode) ?? (atPlatform && `the platform ${stateText(atPlatform)}`)
  );
}
