import type { EntityName } from '../domain/names.js';
import { withWork } from '../leases.js';
import { type RunContext, type RunSettings, timeoutOf } from '../context.js';

/** The doubt of one entity while all its records are compared or sent again. */
export type DoubtSettlement = NonNullable<Awaited<ReturnType<typeof beginSettlement>>>;

/**
 * Begins to settle the doubt after the state database went back in time; null: no doubt. Clears the acknowledgement of
 * what cannot be read back, before and after, because a record may become invalid while others are compared.
 */
export async function beginSettlement(
  { state, emit, settings }: Pick<RunContext, 'state' | 'emit' | 'settings'>,
  entity: EntityName,
) {
  const { inDoubtSince, readAt } = await state.entityStates.read(entity);
  if (inDoubtSince === null) return null;
  const timeoutMs = timeoutOf(settings, entity);
  await state.entityStates.distrust(entity, timeoutMs);
  const graceMs = doubtGraceMs(settings, entity);
  return {
    /** Everything was compared; what differs is to be sent again. */
    async finish(): Promise<void> {
      await state.entityStates.distrust(entity, timeoutMs);
      if (await state.entityStates.endDoubt(entity, readAt, graceMs)) return;
      emit({
        type: 'warning',
        code: 'state-went-back',
        message: `${entity}: this check began too soon after the state database went back in time. An earlier request may have arrived later.`,
        hint: `Repeat the command. It counts if it begins ${Math.ceil(graceMs / 1_000)} s or more after ${inDoubtSince.toISOString()}.`,
      });
    },
  };
}

/**
 * Waits until a new request settles the doubt of these entities: an earlier request may still arrive after it, and then
 * all would be sent once more. Does nothing without doubt.
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
 * How long after a doubt was stored an earlier request may still arrive, milliseconds: the time its process may go on,
 * plus the way of its last request.
 */
function doubtGraceMs(settings: RunSettings, entity: EntityName): number {
  return settings.state.leaseTtlMs + 2 * timeoutOf(settings, entity);
}
