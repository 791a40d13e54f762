import type { EntityName } from '../../domain/names.js';
import type { ReadBackRecord, ReadBacks, ReadBackSet } from '../../ports/read-backs.js';

/** Records in memory at a time. */
const PAGE_SIZE = 500;

/** Every record of a set, page by page in constant memory; what leaves or joins the set meanwhile may be left out. */
export async function* allRecords(
  readBacks: Pick<ReadBacks, 'page'>,
  entity: EntityName,
  set: ReadBackSet,
): AsyncGenerator<ReadBackRecord> {
  for (let after: string | null = null; ;) {
    const page: readonly ReadBackRecord[] = await readBacks.page(entity, set, after, PAGE_SIZE);
    yield* page;
    if (page.length < PAGE_SIZE) return;
    after = page.at(-1)?.key ?? null;
  }
}

/** So many settled records picked at random. */
export async function* sampledRecords(
  readBacks: Pick<ReadBacks, 'sample'>,
  entity: EntityName,
  count: number,
): AsyncGenerator<ReadBackRecord> {
  yield* await readBacks.sample(entity, count);
}
