import type { RunFacts } from '../../domain/trouble/trouble.js';
import type { ListedRun } from '../../ports/runs.js';
import type { State } from '../../ports/state.js';

/** How many runs are read to find one that has ended; the newest may be running. */
const LOOKED_AT = 5;

/** The last run that ended; null: none has. Errors: what the state database throws. */
export async function lastEndedRun({ runs }: Pick<State, 'runs'>): Promise<(RunFacts & ListedRun) | null> {
  const ended = (await runs.recent(LOOKED_AT)).find(({ finishedAt }) => finishedAt !== null);
  if (!ended) return null;
  // A signal is not a trouble after the run: the next run continues.
  const error = ended.error?.code === 'interrupted' ? null : ended.error;
  return { ...ended, interrupted: false, error };
}
