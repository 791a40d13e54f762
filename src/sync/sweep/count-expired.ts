import type { Ledger, LedgerEntry } from '../../ports/ledger.js';
import type { EntityPlan } from '../entity-plan.js';

/** Records that end by themselves name their last day in this column and body field. */
const LAST_DAY = 'expire_at';

/**
 * How many of these records had their last day before `today` (`YYYY-MM-DD`, in the platform's zone). Their leaving
 * the source is what was to be expected, so that guards do not count them.
 */
export async function countExpired(
  plan: EntityPlan,
  ledger: Pick<Ledger, 'payloads'>,
  gone: readonly LedgerEntry[],
  today: string,
): Promise<number> {
  if (gone.length === 0 || !plan.entity.columns.some(({ name }) => name === LAST_DAY)) return 0;
  const payloads = await ledger.payloads(
    plan.entity.name,
    gone.map(({ key }) => key),
  );
  return [...payloads.values()].filter((payload) => {
    const lastDay = payload?.[LAST_DAY];
    return typeof lastDay === 'string' && lastDay < today;
  }).length;
}
