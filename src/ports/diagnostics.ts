import type { EntityName } from '../domain/names.js';

/** What support needs to know about a state database. Of records only counts. */
export interface Diagnostics {
  /** As the server reports it. */
  serverVersion(): Promise<string>;
  /** Names of migrations that have run, and of those that this version needs besides. */
  migrations(): Promise<{ readonly applied: readonly string[]; readonly pending: readonly string[] }>;
  /** Rows are the planner's estimate (null: never analysed). */
  tables(): Promise<
    readonly { readonly table: string; readonly rows: number | null; readonly bytes: number }[]
  >;
  leases(): Promise<
    readonly { readonly name: string; readonly holder: string; readonly secondsLeft: number }[]
  >;
  /**
   * Last errors of records that are not settled, by entity, status code and message, the most frequent first. Messages
   * come without quoted text, e-mail addresses, ids and long numbers; application statuses have no message.
   */
  errors(limit: number): Promise<readonly GroupedError[]>;
  /** Why records are invalid, by entity, field and code, the most frequent first. */
  issues(limit: number): Promise<readonly GroupedIssue[]>;
}

export interface GroupedError {
  readonly entity: EntityName;
  readonly statusCode: number | null;
  readonly message: string | null;
  readonly count: number;
  readonly lastAt: Date | null;
}

export interface GroupedIssue {
  readonly entity: EntityName;
  readonly field: string | null;
  readonly code: string | null;
  readonly count: number;
}
