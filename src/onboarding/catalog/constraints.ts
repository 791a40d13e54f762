export interface ForeignKey {
  readonly name: string;
  /** Oid of the table that has it. */
  readonly from: number;
  readonly columns: readonly string[];
  /** Oid of the table that it names. */
  readonly to: number;
  readonly toColumns: readonly string[];
}

export interface Index {
  readonly name: string;
  /** In their order; null: an expression. */
  readonly columns: readonly (string | null)[];
  readonly unique: boolean;
  /** Whether it has a WHERE. */
  readonly partial: boolean;
}

export interface CheckConstraint {
  readonly name: string;
  readonly columns: readonly string[];
  /** As Postgres prints it: `CHECK ((quota > 0))`. */
  readonly definition: string;
  /** The literals, where it is a list of allowed values of one column. */
  readonly values: readonly string[] | null;
}

export interface Trigger {
  readonly name: string;
  readonly timing: 'before' | 'after' | 'instead';
  readonly events: readonly ('insert' | 'update' | 'delete')[];
  readonly functionName: string;
  /** Text of the function with the trigger's arguments: shows which columns it maintains. */
  readonly source: string;
}

export interface Policy {
  readonly name: string;
  readonly command: 'all' | 'select' | 'insert' | 'update' | 'delete';
  /** Empty: of every role. */
  readonly roles: readonly string[];
  /** Its USING; null: none. */
  readonly expression: string | null;
}
