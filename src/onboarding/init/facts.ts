/** What the values of a column look like: numbers of rows of a sample. */
export interface ValueFacts {
  readonly rows: number;
  readonly filled: number;
  /** Of texts: empty, or nothing but blanks. */
  readonly blank: number;
  readonly html: number;
  readonly address: number;
  /** Begins with a host in place of `https://`. */
  readonly host: number;
  readonly comma: number;
  readonly number: number;
  readonly isoDate: number;
  /** Of places and pay: numbers that are hardly meant. */
  readonly unlikely: number;
  readonly encrypted: number;
  readonly year: number;
  /** Ends or begins with a year; a running number after the year (`2026-0004`) is none. */
  readonly cycle: number;
  /** Of times: values whose day in Jakarta is not the day in UTC. */
  readonly otherDay: number;
}

export interface ValueCount {
  readonly value: string | null;
  readonly label: string | null;
  readonly count: number;
}

/** Everything that was looked at for one query. */
export interface QueryFacts {
  /** By target column; absent: not looked at, or refused. */
  readonly values: ReadonlyMap<string, ValueFacts>;
  /** By the SQL of the condition. Null: it has too many values; absent: they could not be counted. */
  readonly conditions: ReadonlyMap<string, readonly ValueCount[] | null>;
  /** By target column: every code with its count. Null: there are too many, or the server refused. */
  readonly codes: ReadonlyMap<string, readonly ValueCount[] | null>;
}
