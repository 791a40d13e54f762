import type { EntityName } from '../../domain/entity-name.js';
import type { State } from '../../ports/state.js';
import { dayAt } from '../run/day-at.js';
import type { EntityPlan } from '../entity-plan.js';

/** A record that ends by itself soon, while it is still open in the source. */
export interface ExpiringRecord {
  readonly entity: EntityName;
  readonly key: string;
  /** `YYYY-MM-DD` */
  readonly lastDay: string;
}

const WEEK_MS = 7 * 86_400_000;

/** How many are listed of one entity. */
const LISTED = 100;

/** What runs out within seven days, the soonest first. `now`: milliseconds since the Unix epoch. */
export async function readExpiring(
  state: Pick<State, 'records'>,
  plans: readonly EntityPlan[],
  now: number,
  timeZone: string,
): Promise<readonly ExpiringRecord[]> {
  const [from, to] = [dayAt(now, timeZone), dayAt(now + WEEK_MS, timeZone)];
  const found = await Promise.all(
    plans.map(async ({ entity: { name, lastDay, statusField }, closedStatus }) => {
      if (lastDay === null) return [];
      const records = await state.records.expiring(name, {
        lastDay,
        statusField,
        closedStatus,
        from,
        to,
        limit: LISTED,
      });
      return records.map((record) => ({ entity: name, ...record }));
    }),
  );
  return found.flat();
}
