import { doubtGraceMs } from './doubt-grace-ms.js';
import type { Area } from '../../domain/area.js';
import type { EntityName } from '../../domain/entity-name.js';
import type { RunDependencies } from '../run-dependencies.js';
import type { RunSettings } from '../run-settings.js';

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
  { state, emit }: Pick<RunDependencies, 'state' | 'emit'>,
  entity: EntityName,
  area: Area,
  settings: RunSettings,
): Promise<DoubtSettlement | null> {
  const { inDoubtSince, readAt } = await state.entityStates.read(entity);
  if (inDoubtSince === null) return null;
  const timeoutMs = settings.areas[area]?.timeoutMs ?? 0;
  await state.entityStates.distrust(entity, timeoutMs);
  const graceMs = doubtGraceMs(area, settings);
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
