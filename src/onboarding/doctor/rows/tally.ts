import type { Row } from '../../../domain/row.js';
import type { Mapped } from '../../../entities/entity.js';

/** One row of the source, and what the worker makes of it. */
export interface SeenRow {
  /** How the record is called in messages: its key, without anything of an applicant. */
  readonly name: string;
  readonly row: Row;
  readonly mapped: Mapped;
}

/** Looks at all rows in turn, in bounded memory. */
export interface Tally<T> {
  see(row: SeenRow): void;
  result(): T;
}
