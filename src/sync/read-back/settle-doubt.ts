import type { EntityName } from '../../domain/entity-name.js';
import type { RunContext } from '../run-context.js';
import { timeoutOf, type RunSettings } from '../run-settings.js';
import { withWork } from '../run/with-work.js';

/** The doubt of one entity while everything of it is compared, or sent again. */
export interface DoubtSettlement {
  /** Everything was compared, and marked where it differs. */
  finish(): Promise<void>;
}

/**
 * Begins to settle the doubt that a state database leaves which went back in time; null: there is none. What cannot be
 * read back is believed no longer, before and after, because a record may become invalid while others are compared.
 */
export async function beginSettlement(
  { state, emit, settings }: Pick<RunContext, 'state' | 'emit' | 'settings'>,
  entity: EntityName,
): Promise<DoubtSettlement | null> {
  const { inDoubtSince, readAt } = await state.entityStates.read(entity);
  if (inDoubtSince === null) return null;
  const timeoutMs = timeoutOf(settings, entity);
  await state.entityStates.distrust(entity, timeoutMs);
  const graceMs = doubtGraceMs(settings, entity);
  return {
    async finish() {
      await state.entityStates.distrust(entity, timeoutMs);
      if (await state.entityStates.endDoubt(entity, readAt, graceMs)) return;
      emit({
        type: 'warning',
        code: 'state-went-back',
        message: `${entity}: this began too soon after the state database was found to have gone back. A request of before may have come later.`,
        hint: `Do the same again. It counts when it begins ${Math.ceil(graceMs / 1_000)} s or more after ${inDoubtSince.toISOString()}.`,
      });
    },
  };
}

/**
 * Waits until what is sent from now on settles the doubt of these entities: it would be sent once more otherwise,
 * because a request of before may still arrive after it. Does nothing where there is no doubt.
 */
export async function outlastDoubt({
  state,
  settings,
  entities,
  clock,
  emit,
  signal,
}: RunContext): Promise<void> {
  let waitMs = 0;
  for (const { name } of entities) {
    const { inDoubtSince, readAt } = await state.entityStates.read(name);
    if (inDoubtSince === null) continue;
    const since = new Date(readAt).getTime() - inDoubtSince.getTime();
    waitMs = Math.max(waitMs, doubtGraceMs(settings, name) - since);
  }
  if (waitMs > 0)
    await withWork(emit, 'Waiting for requests from before the restore', () => clock.sleep(waitMs, signal));
}

/**
 * How long after a doubt was noted a request of before may still arrive, milliseconds: so long its process may go on,
 * and its last request be on its way.
 */
function doubtGraceMs(settings: RunSettings, entity: EntityName): number {
  return settings.state.leaseTtlMs + 2 * timeoutOf(settings, entity);
}
