import type { Area } from '../area.js';
import type { EntityName } from '../entity-name.js';
import type { Hold, HoldCounts, PushHold } from '../guard/hold.js';
import type { RecordStatus } from '../record-status.js';
import type { RecordReasons } from './reason.js';

/** Why nothing is sent to an area now. */
export interface StoppedArea {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  /** When it is tried again by itself; null: that is not known yet. */
  readonly retryAt: Date | null;
  /** By the clock of the process. */
  readonly since: Date;
}

/** What the replies of an area said since the process began. An area that was not sent to has none. */
export interface AreaFacts {
  readonly area: Area;
  /** Null: it is sent to. */
  readonly stop: StoppedArea | null;
  /** Refused by 401 or 403, accepted with a verdict on a record. */
  readonly credentials: 'accepted' | 'refused' | 'unknown';
  /** The likely cause of the refusal; null: they were not refused. */
  readonly refusedCause: string | null;
}

/** What is known of one entity. */
export interface EntityFacts {
  readonly name: EntityName;
  readonly area: Area;
  /** Null: it has none. */
  readonly parent: { readonly entity: EntityName; readonly held: boolean } | null;
  readonly state: {
    readonly hold: Hold | null;
    readonly pushHold: PushHold | null;
    readonly approval: HoldCounts | null;
    readonly lastSuccessAt: Date | null;
    readonly lastSweepAt: Date | null;
    readonly inDoubtSince: Date | null;
  };
  /** `blocked`: of the waiting ones, those whose parent does not come by itself. Null: nobody counted. */
  readonly counts: (Readonly<Record<RecordStatus, number>> & { readonly blocked: number }) | null;
  /** Null: nobody asked. */
  readonly reasons: RecordReasons | null;
}

/** A run that has ended, or is about to. */
export interface RunFacts {
  /** Ended by a signal. */
  readonly interrupted: boolean;
  /** What ended it early. */
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly entities: Readonly<
    Record<
      EntityName,
      {
        readonly error: { readonly code: string; readonly message: string } | null;
        readonly sent: number;
        readonly accepted: number;
        readonly rejected: number;
        readonly deferred: number;
      }
    >
  >;
}

/** Everything from which troubles are found: plain data, read once. */
export interface TroubleFacts {
  readonly now: Date;
  readonly entities: readonly EntityFacts[];
  /** The one that is judged, else the last one that ended; null: there is none. */
  readonly run: RunFacts | null;
  readonly areas: readonly AreaFacts[];
  /** Areas whose latest requests all came to nothing, and how many those were. */
  readonly silent: ReadonlyMap<Area, number>;
  /** Nobody holds a lease, although a worker should. */
  readonly idle: boolean;
  /** `notify.staleAfter`, milliseconds; null: staleness is not judged. */
  readonly staleAfterMs: number | null;
}

/** Where nothing could be read. */
export const NOTHING_KNOWN: TroubleFacts = {
  now: new Date(0),
  entities: [],
  run: null,
  areas: [],
  silent: new Map(),
  idle: false,
  staleAfterMs: null,
};
