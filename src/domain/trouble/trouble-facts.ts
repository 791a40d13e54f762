import type { Area } from '../area.js';
import type { EntityName } from '../entity-name.js';
import type { Hold, HoldCounts, PushHold } from '../guard/hold.js';
import type { VanishedSettings } from '../guard/vanished-policy.js';
import type { RecordStatus } from '../record-status.js';
import type { Deferral, RecordReasons } from './reason.js';

/** Why nothing is sent to an area now. */
export interface StoppedArea {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  /** When the worker tries again by itself; null: not known yet. */
  readonly retryAt: Date | null;
  readonly since: Date;
  /** The platform asked not to be sent anything until then; null or absent: it did not, or the pause is over. */
  readonly pausedUntil?: Date | null;
}

/** What is known from the replies of an area; none before the first request. */
export interface AreaFacts {
  readonly area: Area;
  /** Null: not stopped. */
  readonly stop: StoppedArea | null;
  /** `refused`: 401 or 403; `accepted`: the platform judged a record. */
  readonly credentials: 'accepted' | 'refused' | 'unknown';
  /** The likely cause of the refusal; null: they were not refused. */
  readonly refusedCause: string | null;
}

/** Records that the platform lacks or holds otherwise, as far as read-backs have found. */
export interface KnownDrift {
  readonly count: number;
  /** When the first of them was found. */
  readonly since: Date;
  /** Names of a few of them. */
  readonly sampleKeys: readonly string[];
}

/** What is known about one entity. */
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
    /** What read-backs found and nobody has repaired since; left out: nothing. */
    readonly drift?: KnownDrift;
  };
  /** `blocked`: of the waiting ones, those whose parent does not come by itself. Null: not counted. */
  readonly counts: (Readonly<Record<RecordStatus, number>> & { readonly blocked: number }) | null;
  /** Null: not read. */
  readonly reasons: RecordReasons | null;
  /** Null: none is deferred, or it was not read. */
  readonly deferral: Deferral | null;
  /** Null: not known. */
  readonly vanished: VanishedSettings | null;
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
  /** The judged run, else the last one that ended; null: none. */
  readonly run: RunFacts | null;
  readonly areas: readonly AreaFacts[];
  /** No process holds a lease, although a worker should. */
  readonly idle: boolean;
  /** `notify.staleAfter`, milliseconds; null: staleness is not judged. */
  readonly staleAfterMs: number | null;
}

/** When nothing could be read. */
export const NOTHING_KNOWN: TroubleFacts = {
  now: new Date(0),
  entities: [],
  run: null,
  areas: [],
  idle: false,
  staleAfterMs: null,
};
