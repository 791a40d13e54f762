import type { EntityName } from '../../domain/names.js';
import { isAboutApplications } from '../../entities/index.js';
import type { State } from '../../ports/state.js';
import { changedFields, type FieldChange } from '../plan/changed-fields.js';

/**
 * What differs between the payload that the platform accepted last and the desired one. The ledger keeps both while they
 * differ. None of a record about an application: its payload is dropped once it is accepted.
 */
export async function unsentChanges(
  { ledger }: Pick<State, 'ledger'>,
  entity: EntityName,
  key: string,
): Promise<readonly FieldChange[]> {
  if (isAboutApplications(entity)) return [];
  const known = (await ledger.payloads(entity, [key])).get(key);
  if (!known?.acknowledged || !known.desired || known.deleted) return [];
  return changedFields(known.acknowledged, known.desired);
}
