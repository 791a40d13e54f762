import type { State } from '../../ports/state.js';

/**
 * Asks for a sweep now. Whichever process holds the sweep lease begins it within a few seconds, with the trigger
 * `manual`; one that is under way is followed by another. While none runs, the next one to start begins with it.
 */
export async function requestSweep({ schedules }: Pick<State, 'schedules'>): Promise<void> {
  await schedules.setDueNow('sync');
}
