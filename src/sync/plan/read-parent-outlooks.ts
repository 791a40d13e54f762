import type { EntityName } from '../../domain/names.js';
import type { Forecasts } from '../../ports/forecasts.js';
import { parentOutlook, type ParentOutlook, type PlannedParents } from './parent-outlook.js';

/** Whether these parents are there when their children are sent, by platform id. `planned`: as in `parentOutlook`. */
export async function readParentOutlooks(
  forecasts: Pick<Forecasts, 'standings'>,
  entity: EntityName,
  ids: readonly string[],
  planned: PlannedParents | null,
): Promise<ReadonlyMap<string, ParentOutlook>> {
  const platformIds = [...new Set(ids)];
  const standings = await forecasts.standings(entity, { keys: [], platformIds });
  const known = new Map(standings.map((standing) => [standing.platformId, standing]));
  return new Map(platformIds.map((id) => [id, parentOutlook(id, known.get(id) ?? null, planned)]));
}
