import type { RecordSelection } from '../../ports/record-lists.js';
import { naturalSql } from './natural-sql.js';

/** How a list is ordered, as parts of a statement. */
export interface RecordOrder {
  /** Of the row in alias `s`: what is compared before the key. Migration 0014 has an index for each. */
  readonly sorted: string;
  /** The same of the parameters `:after` and `:attempted`. */
  readonly position: string;
  /** Compares with the position: what comes after it. */
  readonly comparison: '>' | '<';
  readonly direction: 'asc' | 'desc';
}

/** SQL: the order of a list. Records without an attempt are the oldest. */
export function recordOrder({ sort, descending }: RecordSelection): RecordOrder {
  const after = `cast(:after as text) collate "C"`;
  return {
    ...(sort === 'key'
      ? { sorted: naturalSql('s.key'), position: naturalSql(`(${after})`) }
      : {
          sorted: `(coalesce(s.attempted_at, '-infinity'))`,
          position: `coalesce(timestamptz 'epoch' + cast(:attempted as double precision) * interval '1 microsecond', '-infinity')`,
        }),
    comparison: descending ? '<' : '>',
    direction: descending ? 'desc' : 'asc',
  };
}
