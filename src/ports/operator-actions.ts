import type { ActionCounts, AskedAction, EndedAction, Operator } from '../domain/operator-action.js';

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

/** What people did by hand. Times are the database's clock. Errors: SyncError `state-unavailable`, `state-failed`. */
export interface OperatorActions {
  /** Before the work begins. Gives the number of its row. */
  begin(operator: Operator, asked: AskedAction): Promise<string>;
  /** Keeps the first end that was written. */
  end(id: string, ended: EndedAction): Promise<void>;
  /** Somebody looks at the inbox: at most one row for each name and clock hour. */
  noteReading(operator: Operator): Promise<void>;
  /** The latest first. `sinceMs`: only those of the last so many milliseconds; `before`: only earlier ones than this. */
  list(query: {
    readonly limit: number;
    readonly sinceMs?: number | null;
    readonly before?: string | null;
  }): Promise<readonly ListedAction[]>;
  prune(retentionMs: number): Promise<void>;
}
