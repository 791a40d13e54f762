import type { Area } from '../area.js';
import type { EntityName } from '../entity-name.js';
import type { Consequence } from '../guard/approval-consequences.js';
import type { Hold, PushHold } from '../guard/hold.js';
import type { BlockedRecord, Deferral, Reason, WaitingReason } from './reason.js';
import type { TroubleKind } from './trouble-kinds.js';

/** What a trouble may be about. */
export type TroubleSubject = { readonly entity: EntityName } | { readonly area: Area };

/** What every trouble says. */
interface Common<Subject extends TroubleSubject | null> {
  readonly subject: Subject;
  /** Records (or codes, for `unmapped`) that it is about; null: it is not about records, or they were not counted. */
  readonly count: number | null;
  /** Names of a few of the records, as `recordName` has them. */
  readonly sampleKeys: readonly string[];
  /** Null: not known. */
  readonly since: Date | null;
  /**
   * In English, from the part that noticed it. It may contain keys and text of the platform or a database, so it is for
   * the operator's own screens, never for a notice. Null: nothing to add.
   */
  readonly message: string | null;
  /** The likely cause and what to do, in English, our own text; null: the hint of the kind holds. */
  readonly hint: string | null;
}

type OfWorker = Common<null>;
type OfArea = Common<{ readonly area: Area }>;
type OfEntity = Common<{ readonly entity: EntityName }>;

interface Shapes {
  standstill: OfWorker;
  interrupted: OfWorker;
  'run-failed': OfWorker & { readonly code: string };
  'auth-refused': OfArea & Retried;
  'area-stopped': OfArea &
    Retried & {
      readonly code: string;
      /** The platform asked not to be sent anything until then; null: it did not, or the pause is over. */
      readonly pausedUntil: Date | null;
    };
  'in-doubt': OfWorker & {
    readonly entities: readonly { readonly entity: EntityName; readonly since: Date }[];
  };
  held: OfEntity &
    Approved & {
      readonly guard: Hold['guard'];
      readonly counts: Hold['counts'];
      /** Somebody has approved it, and no sweep has come since. */
      readonly approved: boolean;
    };
  'push-held': OfEntity & Approved & { readonly guard: PushHold['guard'] };
  failed: OfEntity & { readonly code: string };
  stale: OfEntity & {
    /** It is a trouble only after it has lasted so long, milliseconds. */
    readonly afterMs: number;
    /** When it was read last. */
    readonly lastSweepAt: Date | null;
    readonly held: boolean;
    /** Code of what went wrong with it last; null: nothing, or not known. */
    readonly lastErrorCode: string | null;
    /** Since when records are deferred, and the status of the latest failure; null: none is, or it was not read. */
    readonly deferred: Pick<Deferral, 'since' | 'statusCode'> | null;
    /** The setting that is to blame because replies are not understood: our own text. Null: they are, or not known. */
    readonly unread: string | null;
  };
  rejected: OfEntity & { readonly reasons: readonly Reason[] };
  drifted: OfEntity;
  unmapped: OfEntity & Grouped;
  invalid: OfEntity & Grouped;
  blocked: OfEntity & {
    readonly parent: EntityName;
    /** The parents are held or could not be read: that is the trouble, and this one changes no exit code. */
    readonly parentKeptBack: boolean;
    readonly records: readonly BlockedRecord[];
    /** The most frequent first; none: not read. */
    readonly causes: readonly WaitingReason[];
  };
  deferred: OfEntity;
}

interface Grouped {
  /** The largest effect first. */
  readonly reasons: readonly Reason[];
  /** Reasons that are not listed. */
  readonly leftOut: number;
}

interface Approved {
  /** Counts of its sweep that a guard stopped; null: its sweep is not held. */
  readonly sweep: Hold['counts'] | null;
  /** What an approval causes. Of the entity: it ends a hold of its sweep and of its push together. */
  readonly consequences: readonly Consequence[];
}

interface Retried {
  /** When the worker tries again by itself; null: not known. */
  readonly retryAt: Date | null;
}

/** A trouble of this kind, or of one of these. */
export type TroubleOf<Kind extends TroubleKind> = Kind extends TroubleKind
  ? { readonly kind: Kind } & Shapes[Kind]
  : never;

/** One thing that needs a human or the platform. */
export type Trouble = TroubleOf<TroubleKind>;
