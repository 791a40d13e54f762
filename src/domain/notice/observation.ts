import type { NotifiedTrouble } from './notice.js';

/** What is known now about one possible trouble of one subject. */
export interface Observation {
  readonly trouble: NotifiedTrouble;
  /** An entity or an area. */
  readonly subject: string;
  /** Null: there is no such trouble. */
  readonly found: {
    /** Null: since the first look. */
    readonly since: Date | null;
    /** It must last this long to be a trouble, milliseconds. */
    readonly afterMs: number;
    readonly reason: string;
    readonly help: string;
  } | null;
}
