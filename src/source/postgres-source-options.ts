export interface PostgresSourceOptions {
  readonly url: string;
  readonly poolMax: number;
  readonly statementTimeoutMs: number;
  /** Zone of the source's timestamps without time zone; null: as `platformTimeZone`. */
  readonly timeZone: string | null;
  /** Zone in which times and days are read. */
  readonly platformTimeZone: string;
  readonly rowSecurity: 'refuse' | 'allow';
}
