export type TargetKind = 'text' | 'code' | 'number' | 'date' | 'flag' | 'url' | 'degrees' | 'list' | 'person';

/** A column of the contract, with what partners call theirs. */
export interface Target {
  readonly name: string;
  readonly kind: TargetKind;
  /**
   * Names that hardly mean anything else, then those that may: parted by blanks, their words joined by `_`; each may be a
   * regular expression.
   */
  readonly sure: string;
  readonly maybe: string;
}

export function target(name: string, kind: TargetKind, sure: string, maybe = ''): Target {
  return { name, kind, sure, maybe };
}
