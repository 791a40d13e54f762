import type { Area } from '../area.js';
import type { EntityName } from '../entity-name.js';
import type { NotifiedTrouble } from './notice.js';

/** What is known now of one possible trouble of one subject. Nothing known: no observation. */
export interface Observation {
  readonly trouble: NotifiedTrouble;
  readonly subject: EntityName | Area;
  /** Null: there is no such trouble. */
  readonly found: {
    /** Since when; null: since it was first looked at. */
    readonly since: Date | null;
    /** It is a trouble only after it has lasted so long, milliseconds. */
    readonly afterMs: number;
    readonly reason: string;
    readonly help: string;
  } | null;
}
