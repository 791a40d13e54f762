import type { EntityName } from '../domain/names.js';
import type { HoldCounts } from '../domain/guard.js';
import { recordName } from '../entities/index.js';
import { refuseOtherEnvironment } from '../sync/environment.js';
import { requestSweep } from '../sync/run/resync.js';
import { type RunContext, timeoutOf } from '../sync/run-context.js';

export type Retried = 'rejected' | 'deferred';

/** What the buttons do. Each only marks records; the process that holds the leases does the work. */
export interface Actions {
  run(): Promise<void>;
  /** Gives the number of records. */
  retry(entity: EntityName, status: Retried): Promise<number>;
  /** Those of these records that were rejected or deferred. Gives their number. */
  retrySelected(entity: EntityName, keys: readonly string[]): Promise<number>;
  /** Gives the number of records; the others cannot be sent. */
  resync(entity: EntityName, keys: readonly string[]): Promise<number>;
  /** `seen`: the counts that the page showed; null: it showed none. */
  approve(entity: EntityName, seen: HoldCounts | null): Promise<'approved' | 'not-held' | 'grown'>;
}

/** Errors of all: SyncError `environment-changed`, `state-unavailable`, `state-failed`. */
export function createActions({
  state,
  settings,
  emit,
}: Pick<RunContext, 'state' | 'settings' | 'emit'>): Actions {
  const checked = () => refuseOtherEnvironment({ state, settings });
  return {
    async run() {
      await checked();
      await requestSweep(state);
      emit({ type: 'operator-action', action: 'run', entity: null, key: null, count: null });
    },
    async retry(entity, status) {
      await checked();
      const count = await state.resendRequests.retry(entity, { preview: false, status, sinceMs: null });
      emit({ type: 'operator-action', action: 'retry', entity, key: null, count });
      return count;
    },
    async retrySelected(entity, keys) {
      await checked();
      let count = 0;
      for (const status of ['rejected', 'deferred'] as const)
        count += await state.resendRequests.retry(entity, { preview: false, status, sinceMs: null, keys });
      emit({ type: 'operator-action', action: 'retry', entity, key: null, count });
      return count;
    },
    async approve(entity, seen) {
      await checked();
      const { sweep, push, rearmed, grown } = await state.entityStates.approve(entity, seen);
      if (!grown || push) {
        emit({ type: 'operator-action', action: 'approve', entity, key: null, count: rearmed });
      }
      if (grown) return 'grown';
      return sweep || push ? 'approved' : 'not-held';
    },
    async resync(entity, keys) {
      await checked();
      const marked = await state.resendRequests.resync(entity, keys, timeoutOf(settings, entity));
      // Without a sweep soon, a change in the source would be sent late.
      await requestSweep(state);
      emit({
        type: 'operator-action',
        action: 'resync',
        entity,
        key: keys.length === 1 ? recordName(entity, keys[0] ?? '', null) : null,
        count: marked,
      });
      return marked;
    },
  };
}
