import type { ActionCounts, EndedAction, Operator } from '../../core/domain/operator-action.js';
import { approvalEnd, type AskedAction, KEPT_KEYS } from './asked-action.js';
import type { Approved } from './approve.js';
import type { StateDatabase, Statements } from '../../core/ledger/database/state-database.js';

/**
 * The rows of what people did. A row is written before the work begins, so that no change is without one; its end follows,
 * in the transaction of the change where there is one (`noteApproval`).
 */

/** An action as lists show it. */
export interface ListedAction extends Operator {
  /** Its place in the list: a later action has a greater number. */
  readonly id: string;
  readonly at: Date;
  /** Of this or of another version of the program. */
  readonly action: string;
  readonly entity: string | null;
  readonly keys: readonly string[];
  readonly counts: ActionCounts;
  readonly reason: string | null;
  /** Null: it is under way, or its end was never written. */
  readonly outcome: string | null;
}

interface ActionQuery {
  readonly limit: number;
  /** Only those of the last so many milliseconds. */
  readonly sinceMs?: number | null;
  /** Only earlier ones than this. */
  readonly before?: string | null;
}

/** What people did by hand. Times are the database's clock. Errors: SyncError `state-unavailable`, `state-failed`. */
export type OperatorActions = ReturnType<typeof createOperatorActions>;

export function createOperatorActions(database: StateDatabase) {
  return {
    /** Before the work begins. Gives the number of its row. */
    async begin({ who, via }: Operator, { action, entity, keys = [], reason = null }: AskedAction) {
      const [row] = await database.query<{ id: string }>(
        `insert into :schema:.operator_action (who, via, action, entity, keys, reason)
         values (:who, :via, :action, :entity, cast(:keys as text[]), :reason) returning cast(id as text) as id`,
        { who, via, action, entity, keys: keys.slice(0, KEPT_KEYS), reason },
      );
      return row?.id ?? '';
    },

    /** Keeps the first end that was written. */
    end: (id: string, ended: EndedAction) => endAction(database, id, ended),

    /** Somebody looks at the inbox: at most one row for each name and clock hour. */
    async noteReading({ who, via }: Operator) {
      await database.query(
        `insert into :schema:.operator_action (who, via, action, outcome, ended_at)
         values (:who, :via, 'read-inbox', 'done', clock_timestamp()) on conflict do nothing`,
        { who, via },
      );
    },

    /** The latest first. */
    list: ({ limit, sinceMs = null, before = null }: ActionQuery) =>
      database.query<ListedAction>(
        // `a.id` is the number; `id` alone would be the text of it, which orders 9 after 10.
        `select cast(id as text) as id, at, who, via, action, entity, keys, counts, reason, outcome
         from :schema:.operator_action a
         where ${sinceMs === null ? 'true' : `at >= clock_timestamp() - :since * interval '1 millisecond'`}
           and ${before === null ? 'true' : 'a.id < cast(:before as bigint)'}
         order by a.id desc limit :limit`,
        { since: sinceMs, before, limit },
      ),

    async prune(retentionMs: number) {
      await database.query(
        `delete from :schema:.operator_action where at < clock_timestamp() - :retention * interval '1 millisecond'`,
        { retention: retentionMs },
      );
    },
  };
}

/** Ends the row of who approved, in the transaction of the approval. */
export function noteApproval(id: string) {
  return (statements: Statements, approved: Approved): Promise<void> =>
    endAction(statements, id, approvalEnd(approved));
}

async function endAction(
  statements: Statements,
  id: string,
  { outcome, counts }: EndedAction,
): Promise<void> {
  await statements.query(
    `update :schema:.operator_action
     set outcome = :outcome, counts = cast(:counts as jsonb), ended_at = clock_timestamp()
     where id = cast(:id as bigint) and ended_at is null`,
    { id, outcome, counts: JSON.stringify(counts) },
  );
}
