export interface PostgresSourceOptions {
  readonly url: string;
  readonly poolMax: number;
  /** How many reads may wait for a connection; more are turned away. Absent: any number. */
  readonly maxWaiting?: number;
  readonly statementTimeoutMs: number;
  /** Answers are waited for this much longer than the server is told to work on them; default 30 s. */
  readonly answerGraceMs?: number;
  /** Zone of the source's timestamps without time zone; null: as `platformTimeZone`. */
  readonly timeZone: string | null;
  /** Zone in which times and days are read. */
  readonly platformTimeZone: string;
  readonly rowSecurity: 'refuse' | 'allow';
}
