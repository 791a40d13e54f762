import type { EntityName } from '../domain/entity-name.js';
import { recordName } from '../entities/record-name.js';
import type { Emit } from '../domain/events.js';
import type { State } from '../ports/state.js';
import { refuseOtherEnvironment } from '../sync/environment/check-environment.js';
import type { EntityPlan } from '../sync/entity-plan.js';
import { requestSweep } from '../sync/run/request-sweep.js';
import type { RunSettings } from '../sync/run-settings.js';

export type Retried = 'rejected' | 'deferred';

/** What the buttons do. Each only marks: whichever process holds the leases does the work. */
export interface Actions {
  run(): Promise<void>;
  /** Gives the number of records. */
  retry(entity: EntityName, status: Retried): Promise<number>;
  /** False: it was not held. */
  approve(entity: EntityName): Promise<boolean>;
  /** False: nothing of it can be sent. */
  resync(entity: EntityName, key: string): Promise<boolean>;
}

/** Errors of all: SyncError `environment-changed`, `state-unavailable`, `state-failed`. */
export function createActions(
  state: State,
  plans: readonly EntityPlan[],
  settings: RunSettings,
  emit: Emit,
): Actions {
  const checked = () => refuseOtherEnvironment(state.environments, settings);
  return {
    async run() {
      await checked();
      await requestSweep(state);
      emit({ type: 'operator-action', action: 'run', entity: null, key: null, count: null });
    },
    async retry(entity, status) {
      await checked();
      const count = await state.marks.retry(entity, { preview: false, status, sinceMs: null });
      emit({ type: 'operator-action', action: 'retry', entity, key: null, count });
      return count;
    },
    async approve(entity) {
      await checked();
      const { sweep, push, rearmed } = await state.entityStates.approve(entity);
      emit({ type: 'operator-action', action: 'approve', entity, key: null, count: rearmed });
      return sweep !== null || push !== null;
    },
    async resync(entity, key) {
      await checked();
      const area = plans.find((plan) => plan.entity.name === entity)?.entity.area;
      const timeoutMs = (area && settings.areas[area]?.timeoutMs) ?? 0;
      const marked = await state.marks.resync(entity, [key], timeoutMs);
      // The next sweep reads it anew; without one soon, what changed in the source would be sent late.
      await requestSweep(state);
      emit({
        type: 'operator-action',
        action: 'resync',
        entity,
        key: recordName(entity, key, null),
        count: marked,
      });
      return marked > 0;
    },
  };
}
