/** A rule of the product, a small bug that breaks it, and the test that must notice. */
export interface Mutant {
  /** The heading in docs/trust.md; null: the rule is about what is reported. */
  readonly promise: string | null;
  /** One sentence, as in docs/trust.md. */
  readonly rule: string;
  readonly file: string;
  /** Stands once in `file`. */
  readonly from: string;
  readonly to: string;
  /** Must fail with the bug. */
  readonly test: string;
  /** Part of the name of the test in it; without one the whole file runs. */
  readonly title?: string;
}
