import { covers, type Hold, type HoldCounts, type PushHold } from '../../core/domain/guard.js';
import type { EntityName } from '../../core/domain/names.js';
import type { StateDatabase, Statements } from '../../core/ledger/database/state-database.js';
import { rearm } from '../../core/ledger/resend-requests.js';

export interface Approved {
  /** The hold of the sweep that was approved; null: none. */
  readonly sweep: Hold | null;
  readonly push: PushHold | null;
  /** Rejected records that are pending again. */
  readonly rearmed: number;
  /** The sweep stays held: it found more than what was seen. */
  readonly grown: boolean;
}

/**
 * A person approves what a guard stopped. `seen`: the counts that were shown; a sweep that found more meanwhile stays
 * held. Null, or left out: whatever is held now. `noteIn`: notes in the same transaction who approved.
 */
export function createApprove(database: StateDatabase) {
  return async (
    entity: EntityName,
    seen: HoldCounts | null = null,
    noteIn: (statements: Statements, approved: Approved) => Promise<void> = () => Promise.resolve(),
  ): Promise<Approved> => {
    // Re-arm first: nothing is sent until the hold is lifted, so a kill in between loses nothing.
    const [held] = await database.query<{ push: boolean }>(
      'select push_hold is not null as push from :schema:.entity_state where entity = :entity',
      { entity },
    );
    const rearmed = held?.push ? await rearm(database, entity) : 0;
    return database.transaction(async (statements) => {
      const [before] = await statements.query<{ hold: Hold | null; push: PushHold | null }>(
        'select hold, push_hold as push from :schema:.entity_state where entity = :entity for update',
        { entity },
      );
      const hold = before?.hold ?? null;
      const grown = hold !== null && seen !== null && !covers(seen, hold.counts);
      await statements.query(
        `update :schema:.entity_state
           set approval = case when :grown then approval else coalesce(hold -> 'counts', approval) end, push_hold = null,
             refused_in_a_row = case when push_hold is null then refused_in_a_row else 0 end
           where entity = :entity`,
        { entity, grown },
      );
      const approved = { sweep: grown ? null : hold, push: before?.push ?? null, rearmed, grown };
      await noteIn(statements, approved);
      return approved;
    });
  };
}
