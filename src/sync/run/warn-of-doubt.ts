import type { EntityName } from '../../domain/entity-name.js';
import type { RunContext } from '../run-context.js';

/** What to do about it. */
export const DOUBT_HINT =
  'Run: placement-sync verify --all --repair (or, for what cannot be read back: placement-sync resync). Until then a record may count as synced although the platform holds something else.';

/** Warns of entities whose acknowledgements are in doubt, because the state database went back in time. */
export async function warnOfDoubt({
  state,
  emit,
  entities,
}: Pick<RunContext, 'state' | 'emit' | 'entities'>): Promise<void> {
  const doubted: EntityName[] = [];
  for (const { name } of entities)
    if ((await state.entityStates.read(name)).inDoubtSince !== null) doubted.push(name);
  if (doubted.length === 0) return;
  emit({
    type: 'warning',
    code: 'state-went-back',
    message: `The state database was restored or failed over. The platform may hold something else than what counts as acknowledged: ${doubted.join(', ')}.`,
    hint: DOUBT_HINT,
  });
}
