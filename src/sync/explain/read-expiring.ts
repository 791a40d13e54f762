import type { EntityName } from '../../domain/names.js';
import { platformDay } from '../../contract/time.js';
import type { State } from '../../ports/state.js';
import type { ConfiguredEntity } from '../configured-entity.js';

/** A record that ends by itself soon, while it is still open in the source. */
export interface ExpiringRecord {
  readonly entity: EntityName;
  readonly key: string;
  /** `YYYY-MM-DD` */
  readonly lastDay: string;
}

const WEEK_MS = 7 * 86_400_000;

/** Most records listed of one entity. */
const LISTED = 100;

/** Records that end within seven days, the soonest first. `now`: milliseconds since the Unix epoch. */
export async function readExpiring(
  state: Pick<State, 'records'>,
  entities: readonly ConfiguredEntity[],
  now: number,
  timeZone: string,
): Promise<readonly ExpiringRecord[]> {
  const [from, to] = [platformDay(now, timeZone), platformDay(now + WEEK_MS, timeZone)];
  const found = await Promise.all(
    entities.map(async (entity) => {
      const records = await state.records.expiring(entity, { from, to, limit: LISTED });
      return records.map((record) => ({ entity: entity.name, ...record }));
    }),
  );
  return found.flat();
}
