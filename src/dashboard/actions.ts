import type { EntityName } from '../domain/entity-name.js';
import { recordName } from '../entities/record-name.js';
import { refuseOtherEnvironment } from '../sync/environment/check-environment.js';
import { requestSweep } from '../sync/run/request-sweep.js';
import type { RunContext } from '../sync/run-context.js';
import { timeoutOf } from '../sync/run-settings.js';

export type Retried = 'rejected' | 'deferred';

/** What the buttons do. Each only marks records; the process that holds the leases does the work. */
export interface Actions {
  run(): Promise<void>;
  /** Gives the number of records. */
  retry(entity: EntityName, status: Retried): Promise<number>;
  /** False: it was not held. */
  approve(entity: EntityName): Promise<boolean>;
  /** Those of these records that were rejected or deferred. Gives their number. */
  retrySelected(entity: EntityName, keys: readonly string[]): Promise<number>;
  /** Gives the number of records; the others cannot be sent. */
  resync(entity: EntityName, keys: readonly string[]): Promise<number>;
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
    async approve(entity) {
      await checked();
      const { sweep, push, rearmed } = await state.entityStates.approve(entity);
      emit({ type: 'operator-action', action: 'approve', entity, key: null, count: rearmed });
      return sweep !== null || push !== null;
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
