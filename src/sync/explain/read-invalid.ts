import type { EntityName } from '../../domain/names.js';
import type { Issue } from '../../domain/issue.js';
import { isAboutApplications } from '../../entities/index.js';
import type { RecordLists } from '../../ports/record-lists.js';

/** What `status --invalid --json` prints of a record: public interface. */
export interface InvalidRecord {
  readonly entity: EntityName;
  /** Of `recordName`. */
  readonly key: string;
  /** Without values where the record is about an application: they are personal. */
  readonly issues: readonly Issue[];
}

/** Records that are in memory at once. */
const PAGE_SIZE = 500;

/** Every invalid record of these entities, in the order of their keys, page by page. */
export async function* readInvalid(
  lists: Pick<RecordLists, 'page'>,
  entities: readonly EntityName[],
): AsyncGenerator<readonly InvalidRecord[]> {
  const selection = {
    status: 'invalid',
    reason: null,
    search: null,
    sort: 'key',
    descending: false,
  } as const;
  for (const entity of entities) {
    let after: Parameters<RecordLists['page']>[2]['after'] = null;
    do {
      const { records, next } = await lists.page(entity, selection, { after, limit: PAGE_SIZE });
      const personal = isAboutApplications(entity);
      yield records.map(({ key, issues }) => ({
        entity,
        key,
        issues: personal ? issues.map(({ value: _, ...issue }) => issue) : issues,
      }));
      after = next;
    } while (after !== null);
  }
}
