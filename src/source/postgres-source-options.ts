export interface PostgresSourceOptions {
  readonly url: string;
  readonly poolMax: number;
  /** How many reads may wait for a connection; further reads are refused. Absent: any number. */
  readonly maxWaiting?: number;
  readonly statementTimeoutMs: number;
  /** The client waits this much longer for an answer than the statement time-out; default 30 s. */
  readonly answerGraceMs?: number;
  /** Zone of the source's timestamps without time zone; null: not known, they are handed on as they are. */
  readonly timeZone: string | null;
  /** Zone of the session in which the partner's queries run; null: the server's, the database's or the role's own. */
  readonly sessionTimeZone: string | null;
  /** Zone in which timestamps with time zone are handed on. */
  readonly platformTimeZone: string;
  readonly rowSecurity: 'refuse' | 'allow';
}
