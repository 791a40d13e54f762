import type { Area } from '../../domain/names.js';
import { SyncError } from '../../domain/errors.js';
import type { Emit } from '../../domain/events.js';
import { observe } from '../../domain/compose-notice.js';
import type { NoticeKind } from '../../domain/notice.js';
import type { Clock } from '../../ports/clock.js';
import type { EntityState } from '../../ports/entity-states.js';
import type { ConfiguredEntity } from '../configured-entity.js';
import type { Notifier } from '../../ports/notifier.js';
import type { State } from '../../ports/state.js';
import type { AreaWatch } from '../troubles/area-watch.js';
import { gatherFacts } from '../troubles/gather-facts.js';
import { reviseMemories } from './revise-memories.js';
import { notifyDue } from './notify-due.js';

export interface NoticesOptions {
  readonly state: Pick<State, 'notices' | 'entityStates' | 'runs' | 'records'>;
  readonly notifiers: readonly Notifier[];
  readonly watch: AreaWatch;
  /** All configured entities, not only those of this run. */
  readonly entities: readonly Pick<ConfiguredEntity, 'name' | 'onVanished' | 'closedStatus'>[];
  readonly areas: readonly Area[];
  readonly on: readonly NoticeKind[];
  readonly staleAfterMs: number;
  readonly worker: string;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly newId: () => string;
}

export interface Notices {
  /**
   * Checks everything, and notifies about changes. Never rejects: a failure is a warning in the log, and the next look
   * tries again. Ends soon after the signal aborts. `ending`: aborts when the process is to end, then without a
   * warning; left out: as `signal`.
   */
  look(signal: AbortSignal, ending?: AbortSignal): Promise<void>;
}

/** Notices about troubles, for operators without monitoring: one message per change of state. */
export function createNotices(options: NoticesOptions): Notices {
  const { state, notifiers, areas, watch, clock, emit, worker } = options;
  const entities = options.entities.map(({ name }) => name);

  // Records are not counted: that is too expensive for every look. What is deferred is read only for a stale entity.
  const isStale = ({ lastSuccessAt }: EntityState) =>
    lastSuccessAt !== null && clock.now() - lastSuccessAt.getTime() > options.staleAfterMs;
  const gather = () =>
    gatherFacts(state, {
      now: new Date(clock.now()),
      entities,
      configured: options.entities,
      areas: watch.known(),
      staleAfterMs: options.staleAfterMs,
      deferral: async (entity) => (isStale(entity) ? state.records.deferral(entity.entity) : null),
    });

  return {
    async look(signal, ending = signal) {
      try {
        const observations = observe(await gather());
        if (signal.aborted) return;
        await state.notices.revise((memories, now) =>
          reviseMemories(memories, observations, {
            now,
            newId: options.newId,
            ways: notifiers.map(({ way }) => way),
            on: options.on,
            subjects: [...entities, ...areas],
          }),
        );
        const store = state.notices;
        const results = await Promise.allSettled(
          notifiers.map((notifier) => notifyDue({ store, notifier, worker, clock, emit, signal, ending })),
        );
        const failure = results.find((result) => result.status === 'rejected');
        if (failure) throw failure.reason;
      } catch (error) {
        if (ending.aborted) return;
        const known = error instanceof SyncError;
        emit({
          type: 'warning',
          message: `Notices could not be checked: ${known ? error.message : 'unexpected error'}`,
          hint: known ? error.hint : undefined,
        });
      }
    },
  };
}
