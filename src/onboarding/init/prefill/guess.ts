/** The id of a code, or why there is none. Ambiguous: several ids fit, and a person has to choose. */
export interface Guess {
  /** Empty: undecided. `-`: known, and left out. */
  readonly id: string;
  readonly note: string;
}

export const UNKNOWN: Guess = { id: '', note: '' };
