import { SyncError } from '../../core/domain/errors.js';
import type { Emit } from '../../core/domain/events.js';
import type { EndedAction, Operator } from '../../core/domain/operator-action.js';
import type { AskedAction } from './asked-action.js';
import type { OperatorActions } from './action-store.js';

/** Where an action is written down, and who hears of it. */
export interface ActionBook {
  readonly actions: Pick<OperatorActions, 'begin' | 'end'>;
  readonly emit: Emit;
}

/** What became of the work: its result, and how its row ends. Left out: `done`, and nothing was counted. */
export interface Done<T> extends Partial<EndedAction> {
  readonly result: T;
}

/**
 * Does what a person asked for, with a row that says so: written before the work begins, and ended after it, also when it
 * fails. `work` gets the number of the row, for a change that ends it in its own transaction.
 * Errors: those of `work`, and SyncError `state-unavailable` before it.
 */
export async function asNoted<T>(
  { actions, emit }: ActionBook,
  operator: Operator,
  asked: AskedAction,
  work: (id: string) => Promise<Done<T>>,
): Promise<T> {
  const id = await actions.begin(operator, asked);
  const end = async (ended: EndedAction) => {
    emit({
      type: 'operator-action',
      ...operator,
      action: asked.action,
      entity: asked.entity,
      keys: asked.keys?.length ?? 0,
      ...ended,
    });
    // The work is done or has failed already; a row without an end says that its outcome is not known.
    await actions.end(id, ended).catch(() =>
      emit({
        type: 'warning',
        message: `The end of "${asked.action}" could not be written to operator_action.`,
      }),
    );
  };
  try {
    const { result, outcome = 'done', counts = {} } = await work(id);
    await end({ outcome, counts });
    return result;
  } catch (error) {
    await end({ outcome: `failed: ${error instanceof SyncError ? error.code : 'unexpected'}`, counts: {} });
    throw error;
  }
}

/** How a row ends that a command's exit code decides. */
export function exitOutcome(exitCode: number): string {
  return exitCode === 0 ? 'done' : `exit ${exitCode}`;
}
