/** How much `init` looks at, and so what it can say of it. */
export const LOOK_LIMITS = {
  /** Rows that are looked at to see what values look like. */
  sample: 20_000,
  /** Rows that are counted by value. */
  countedRows: 500_000,
  /** More codes are no list of codes. */
  codes: 3_000,
  /** A text with more values is no flag; of others as many are shown. */
  shownValues: 16,
  /** Values of numbers and enums that are counted, so that the number of those that are not shown is known. */
  countedValues: 200,
  /** A longer value is cut. */
  valueLength: 60,
} as const;
