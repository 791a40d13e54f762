/** One value of a body that fits the interface's types and is probably wrong all the same. */
export interface Doubt {
  /** Dotted path in the body. */
  readonly field: string;
  /** The element of a list, from 0 on. */
  readonly index?: number;
  /** `word`: not a word of the interface; `doubtful`: a value that hardly anybody means. */
  readonly code: 'word' | 'doubtful';
  /** Without the value, so that equal ones can be counted. */
  readonly message: string;
  readonly value: string;
  readonly hint: string;
  /** Whether the strictest reading of the interface rules it out: `sandbox --strict` refuses it then. */
  readonly ruledOut: boolean;
}

/** The fields of a body; they may have any type, because the sandbox asks before it trusts. */
export type DoubtedBody = Readonly<Record<string, unknown>>;

/**
 * One rule about a body. Pure. It costs next to nothing while nothing is wrong: sweeps ask it of every row.
 *
 * @param today `YYYY-MM-DD` in the platform's zone; null: nothing is said about days that are past
 */
export type DoubtRule = (body: DoubtedBody, today: string | null) => readonly Doubt[];

/** What a rule gives when nothing is wrong. */
export const NO_DOUBTS: readonly Doubt[] = [];
