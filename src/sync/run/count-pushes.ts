import type { Emit } from '../../domain/events.js';
import type { State } from '../../ports/state.js';

export interface PushCount {
  /** Counts what each push sent, and passes all events on. */
  readonly emit: Emit;
  /** Resolves when everything so far is stored, as far as it can be. Never rejects. */
  counted(): Promise<void>;
}

/**
 * Adds what the pushes of a worker send to its last run: a push there is no part of a run, and the run that found the
 * records has often ended by then.
 */
export function countPushes({ runs }: Pick<State, 'runs'>, emit: Emit): PushCount {
  let storing = Promise.resolve();
  return {
    emit(event) {
      emit(event);
      if (event.type !== 'push-finished' || Object.keys(event.entities).length === 0) return;
      // The outcomes themselves are stored already; numbers of a run are not worth stopping the work for.
      storing = storing.then(() => runs.addPushed(event.entities)).catch(() => undefined);
    },
    counted: () => storing,
  };
}
