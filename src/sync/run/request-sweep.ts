import type { State } from '../../ports/state.js';

/**
 * Asks for a sweep now. The process that holds the sweep lease begins it within a few seconds, with the trigger
 * `manual`; if a sweep is under way, another follows. While no process runs, the next one begins with it.
 */
export async function requestSweep({ schedules }: Pick<State, 'schedules'>): Promise<void> {
  await schedules.setDueNow('sync');
}
