import { timeoutOf, type RunSettings } from '../../core/context.js';
import type { EntityName } from '../../core/domain/names.js';
import { requestSweep } from './resync.js';
import type { CoreState } from '../../core/ledger/core-state.js';
import { matchingKeys, type RecordFilter } from '../look/list-records.js';
import type { RecordLists } from '../look/record-lists.js';

/*
 * What a person asks for by hand, by a command or on a page. Each only marks records, and gives their number; the process
 * that holds the leases does the work.
 */

interface Marking extends Pick<CoreState, 'resendRequests' | 'schedules'> {
  readonly recordLists: RecordLists;
}

/** Which records of an entity: these keys, or all that match the filter. Neither: all of the statuses. */
export interface Meant {
  readonly keys?: readonly string[];
  readonly filter?: RecordFilter;
  /** Of those that match, also what the platform took down. */
  readonly withTakenDown?: boolean;
}

/** Records that a person has named, one by one or by a filter. */
export type Named = { readonly keys: readonly string[] } | { readonly filter: RecordFilter };

export type RetriedStatus = 'rejected' | 'deferred' | 'removed';

/** What a person may send again who names records: rejected, deferred, and what the platform took down. */
export const RETRIED: readonly RetriedStatus[] = ['rejected', 'deferred', 'removed'];

/** Makes records pending again. `preview`: only counts them. `sinceMs`: only those refused within this time. */
export async function retryRecords(
  { recordLists, resendRequests }: Marking,
  entity: EntityName,
  meant: Meant,
  options: {
    readonly statuses?: readonly RetriedStatus[];
    readonly sinceMs?: number | null;
    readonly preview?: boolean;
  } = {},
): Promise<number> {
  const { statuses = RETRIED, sinceMs = null, preview = false } = options;
  let count = 0;
  for await (const keys of meantKeys(recordLists, entity, meant))
    for (const status of statuses)
      count += await resendRequests.retry(entity, { preview, status, sinceMs, ...(keys ? { keys } : {}) });
  return count;
}

/** Marks records to be read and sent again. `marked`: without those that cannot be sent. `named`: with them. */
export async function resyncRecords(
  state: Marking,
  settings: Pick<RunSettings, 'areas'>,
  entity: EntityName,
  named: Named,
): Promise<{ readonly named: number; readonly marked: number }> {
  let [count, marked] = [0, 0];
  for await (const keys of meantKeys(state.recordLists, entity, named)) {
    count += keys?.length ?? 0;
    marked += await state.resendRequests.resync(entity, keys, timeoutOf(settings, entity));
  }
  // Without a sweep soon, a change in the source would be sent late.
  await requestSweep(state);
  return { named: count, marked };
}

/** Page by page: a filter may match very many. Null: all. */
async function* meantKeys(
  lists: RecordLists,
  entity: EntityName,
  { keys, filter, withTakenDown = false }: Meant,
): AsyncGenerator<readonly string[] | null> {
  if (keys) yield keys;
  else if (filter) yield* matchingKeys(lists, entity, filter, { withTakenDown });
  else yield null;
}
