/**
 * One thing that is wrong with one field of one record.
 * `field` is the path in the body (`region.id`) or the row's column; `value` is what was found, as text.
 */
export interface Issue {
  readonly field: string;
  readonly code:
    | 'required'
    | 'format'
    | 'type'
    | 'range'
    | 'unmapped'
    | 'undecided'
    | 'unknown-parent'
    | 'refused';
  readonly message: string;
  readonly value?: string | undefined;
  /** What a human can do about it. */
  readonly hint?: string | undefined;
}
