/** Rounds of one measurement, in the figure's unit. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** How a figure is judged. */
export interface Target {
  /**
   * What is compared with the limit: the figure divided by its reference, the figure less its reference, or the figure
   * itself.
   */
  readonly of: 'ratio' | 'difference' | 'value';
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** One line of the table. */
export interface Figure {
  readonly what: string;
  /** Of records; null where the number means nothing. */
  readonly rows: number | null;
  /** `s`, `ms`, `MB`, `requests/s`, … */
  readonly unit: string;
  readonly value: Spread;
  /** Measured in the same run, in turn with the figure. */
  readonly reference: { readonly what: string; readonly value: Spread } | null;
  /** Null: only shown. */
  readonly target: Target | null;
  /** What else was seen: CPU, memory. */
  readonly aside: string;
}
