/** The counts that a guard judged, and that an approval allows. */
export interface HoldCounts {
  readonly vanished: number;
  readonly invalid: number;
  /** Records with other content, where they were too many; absent: they were not. */
  readonly changed?: number;
  /** New keys that came while about as many vanished, which looks as if keys were renewed; absent: it does not. */
  readonly renewed?: number;
}

/** What was seen of a sweep that is not held. */
export const NOTHING_HELD: HoldCounts = { vanished: 0, invalid: 0 };

/** Why nothing of a sweep was published. */
export interface Hold {
  readonly guard:
    | 'empty-source'
    | 'max-vanished-percent'
    | 'max-vanished-count'
    | 'max-invalid-percent'
    | 'max-changed-percent';
  readonly message: string;
  readonly counts: HoldCounts;
  readonly sampleKeys: readonly string[];
  /** ISO time. */
  readonly since: string;
}

/** Why an entity is no longer sent although its sweeps go on. */
export interface PushHold {
  readonly guard: 'max-rejected-in-a-row';
  readonly message: string;
  readonly refused: number;
  readonly sampleKeys: readonly string[];
  readonly since: string;
}
