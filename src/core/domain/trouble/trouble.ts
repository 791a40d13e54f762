import type { Consequence, HeldParents, Hold, HoldCounts, PushHold, VanishedSettings } from '../guard.js';
import { type Area, countUnsent, type EntityName, type RecordStatus } from '../names.js';
import type { IssueGroup } from '../issue-group.js';
import type { SlowReading, SourceSight } from '../source-sight.js';
import type { PushCounters } from '../outcome.js';
import type { BlockedRecord, Deferral, RecordReasons } from '../reason.js';
import { isLasting, type StateCounts, type StopCause, takenDown } from '../reply/reply.js';

/**
 * The kinds of trouble, what each says, and the facts from which they are found (find-troubles.ts). A new kind is a
 * line of `Shapes`: the compiler then asks for its rule and its texts in both languages.
 */

/** What a trouble may be about. */
export type TroubleSubject = { readonly entity: EntityName } | { readonly area: Area };

/** What every trouble says. */
interface Common<Subject extends TroubleSubject | null> {
  readonly subject: Subject;
  /** Records (or codes, for `unmapped`) that it is about; null: it is not about records, or they were not counted. */
  readonly count: number | null;
  /** Names of a few of the records. */
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
  'auth-refused': OfArea & Stopped;
  'area-stopped': OfArea &
    Stopped & {
      readonly code: string;
      /** The platform asked not to be sent anything until then; null: it did not, or the pause is over. */
      readonly pausedUntil: Date | null;
    };
  'in-doubt': OfWorker & {
    readonly entities: readonly { readonly entity: EntityName; readonly since: Date }[];
  };
  'webhook-refused': OfWorker & Omit<RefusedWebhooks, 'count'>;
  held: OfEntity &
    Approved & {
      readonly guard: Hold['guard'];
      readonly counts: Hold['counts'];
      readonly whose: HeldParents | null;
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
    /** Many of its records need a correction. */
    readonly keptBack: boolean;
    /** Code of what went wrong with it last; null: nothing, or not known. */
    readonly lastErrorCode: string | null;
    /** Since when records are deferred, and the status of the latest failure; null: none is, or it was not read. */
    readonly deferred: Pick<Deferral, 'since' | 'statusCode'> | null;
    readonly byWorker: boolean;
    /** Why nothing is sent to its area: our own text. Null: it is not stopped, or not known. */
    readonly stop: {
      readonly code: string;
      readonly hint: string | null;
      readonly cause: StopCause | null;
    } | null;
  };
  slow: OfEntity & SlowReading;
  rejected: OfEntity & {
    readonly reasons: readonly IssueGroup[];
    /** Left out: not read. */
    readonly share?: RejectedShare;
  };
  'taken-down': OfEntity & { readonly refused: number; readonly removed: number };
  drifted: OfEntity;
  unmapped: OfEntity & Grouped;
  invalid: OfEntity & Grouped;
  blocked: OfEntity & {
    readonly of?: number;
    readonly parent: EntityName;
    /** The parents are held or could not be read: that is the trouble, and this one changes no exit code. */
    readonly parentKeptBack: boolean;
    readonly records: readonly BlockedRecord[];
    /** The most frequent first; none: not read. */
    readonly causes: readonly IssueGroup[];
  };
  deferred: OfEntity & {
    /** The platform looked at the latest and does not take it: no outage ends that. Its status; null: not so. */
    readonly conflict: number | null;
    /** A worker tries them again; false: the next run does. */
    readonly byWorker: boolean;
  };
}

interface Grouped {
  /** Of how many records, as far as they were counted; absent: not read. */
  readonly of?: number;
  /** The largest effect first. */
  readonly reasons: readonly IssueGroup[];
  /** Reasons that are not listed. */
  readonly leftOut: number;
}

interface Approved {
  /** Counts of its sweep that a guard stopped; null: its sweep is not held. */
  readonly sweep: Hold['counts'] | null;
  /** What an approval causes. Of the entity: it ends a hold of its sweep and of its push together. */
  readonly consequences: readonly Consequence[];
}

interface Stopped {
  /** Why, as far as it is known; null: the code alone says it. */
  readonly cause: StopCause | null;
  /** A worker tries again; false: the next run does. */
  readonly byWorker: boolean;
  /** When the worker tries again by itself; null: not known. */
  readonly retryAt: Date | null;
}

/** A trouble of this kind, or of one of these. */
export type TroubleOf<Kind extends TroubleKind> = Kind extends TroubleKind
  ? { readonly kind: Kind } & Shapes[Kind]
  : never;

/** One thing that needs a human or the platform. */
export type Trouble = TroubleOf<TroubleKind>;

/** What is fixed for a kind of trouble. */
interface KindOfTrouble {
  /** Of a run that ends with it. 0: it does not change the exit code. */
  readonly exitCode: 0 | 1 | 3 | 4 | 5;
  /** Whether a human should look immediately. */
  readonly urgent: boolean;
  /** Whether it ends without a human. */
  readonly passes: boolean;
  /** Who can end it: where the rows, the codes or the settings are, the platform, or whoever reads this. */
  readonly actor: 'source' | 'lookup' | 'settings' | 'platform' | 'you';
  /** What is done about it, in one word. */
  readonly verb: 'start' | 'look' | 'correct' | 'fillIn' | 'approve' | 'compare' | 'ask';
}

/**
 * Everything that may be wrong, the most pressing first. A kind that is added here needs its texts in both languages
 * (`english.ts`, `indonesian.ts`) before it compiles.
 */
export const TROUBLE_KINDS = {
  /** No process holds a lease. For a worker only: between two runs of a CronJob this is normal. */
  standstill: { exitCode: 0, urgent: true, passes: false, actor: 'you', verb: 'start' },
  /** A signal ended the run. */
  interrupted: { exitCode: 1, urgent: false, passes: true, actor: 'you', verb: 'start' },
  /** The run itself failed: a lost database or lease, counts that do not add up, a defect. */
  'run-failed': { exitCode: 1, urgent: true, passes: false, actor: 'settings', verb: 'look' },
  /** The platform answered 401 or 403, or what a rule of the configuration reads so. */
  'auth-refused': { exitCode: 5, urgent: true, passes: false, actor: 'settings', verb: 'correct' },
  /**
   * Nothing more is sent to the area for now: a redirect, failures in a row, a long pause, replies that are not
   * understood.
   */
  'area-stopped': { exitCode: 5, urgent: true, passes: false, actor: 'platform', verb: 'look' },
  /** The state database went back in time. */
  'in-doubt': { exitCode: 0, urgent: true, passes: false, actor: 'you', verb: 'compare' },
  /** Webhooks are refused, and none was accepted after them: job applications may be lost. */
  'webhook-refused': { exitCode: 0, urgent: true, passes: false, actor: 'settings', verb: 'correct' },
  /** A guard holds the sweep. */
  held: { exitCode: 4, urgent: true, passes: false, actor: 'you', verb: 'approve' },
  /** Rejections in a row stopped the push. */
  'push-held': { exitCode: 4, urgent: true, passes: false, actor: 'source', verb: 'correct' },
  /** The entity could not be read. */
  failed: { exitCode: 1, urgent: true, passes: false, actor: 'source', verb: 'correct' },
  /** No success for longer than `notify.staleAfter`. */
  stale: { exitCode: 0, urgent: false, passes: false, actor: 'you', verb: 'look' },
  /** Reading it took much longer than usual. */
  slow: { exitCode: 0, urgent: false, passes: true, actor: 'source', verb: 'look' },
  rejected: { exitCode: 3, urgent: false, passes: false, actor: 'source', verb: 'correct' },
  /** The platform accepted records, and refused or removed them later. */
  'taken-down': { exitCode: 3, urgent: false, passes: false, actor: 'platform', verb: 'ask' },
  /** A read-back found that the platform lacks records, or holds something else than it accepted. */
  drifted: { exitCode: 3, urgent: false, passes: false, actor: 'you', verb: 'compare' },
  /** Codes that no lookup knows. */
  unmapped: { exitCode: 3, urgent: false, passes: false, actor: 'lookup', verb: 'fillIn' },
  invalid: { exitCode: 3, urgent: false, passes: false, actor: 'source', verb: 'correct' },
  /** Records wait for a parent that does not come by itself. */
  blocked: { exitCode: 3, urgent: false, passes: false, actor: 'source', verb: 'correct' },
  /** Attempts failed; the worker, or the next run, tries again. */
  deferred: { exitCode: 0, urgent: false, passes: true, actor: 'platform', verb: 'look' },
} as const satisfies Readonly<Record<string, KindOfTrouble>>;

export type TroubleKind = keyof typeof TROUBLE_KINDS;

/** Why nothing is sent to an area now. */
export interface StoppedArea {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  /** When the worker tries again by itself; null: not known yet. */
  readonly retryAt: Date | null;
  readonly since: Date;
  /** Absent or null: the code alone says why. */
  readonly cause?: StopCause | null;
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
  /** The likely cause of the refusal, as our hint and by its name; null: they were not refused. */
  readonly refusedCause: { readonly hint: string; readonly cause: StopCause | null } | null;
}

/** Records that the platform lacks or holds otherwise, as far as read-backs have found. */
export interface KnownDrift {
  readonly count: number;
  /** When the first of them was found. */
  readonly since: Date;
  /** Names of a few of them. */
  readonly sampleKeys: readonly string[];
}

/** Why a webhook is refused for good. One that finds no room or no database is asked to come again instead. */
export type WebhookRefusal = 'header' | 'signature' | 'time' | 'size' | 'encoding' | 'json';

/** Webhooks that were refused since one was accepted last. */
export interface RefusedWebhooks {
  readonly count: number;
  readonly since: Date;
  readonly lastAt: Date;
  /** Of the latest. */
  readonly reason: WebhookRefusal;
  /** How far its time was ahead of the clock, milliseconds; null: that was not the reason, or it could not be read. */
  readonly offsetMs: number | null;
}

/** Records that the platform accepted, and refused or removed later. */
export interface TakenDown {
  readonly refused: number;
  readonly removed: number;
  /** Since when the first of them is. */
  readonly since: Date | null;
}

/** How many records of an entity the platform rejects, of how many. */
export interface RejectedShare {
  /** Counted up to where the number no longer matters (`MOST_COUNTED`). */
  readonly rejected: number;
  /** All records of the entity, counted up to where the share no longer matters. */
  readonly of: number;
  /** The status of more than half of the rejections; null: there is none. */
  readonly statusCode: number | null;
}

/** So many rejected records are a mass, whatever the entity has. */
const MASS = 100;
/** In a small entity: one of so many. */
const MASS_SHARE = 20;
/** Records of an entity are counted up to here: beyond it the share no longer matters. */
export const MOST_COUNTED = MASS * MASS_SHARE;

/** Whether so many are kept back that a person should hear of it: 100, or one of 20. */
export function isMass(count: number, of: number): boolean {
  return count > 0 && (count >= MASS || count * MASS_SHARE >= of);
}

/** Fewer are single mistakes, whatever their share. */
const SHARE_FROM = 5;

/**
 * Whether so many records need a correction that the entity is not in step: five, and one of 20. Without those that the
 * platform took down.
 */
export function isMostlyKeptBack(counts: RecordCounts | null): boolean {
  if (counts === null) return false;
  const { synced, pending, deferred, waiting, invalid, rejected, blocked } = counts;
  const count = invalid + blocked + rejected - takenDown(counts);
  return (
    count >= SHARE_FROM && count * MASS_SHARE >= synced + pending + deferred + waiting + invalid + rejected
  );
}

/** Whether the platform has all that it can be sent, and no more than a few records need a correction. */
export function isInStep(counts: RecordCounts): boolean {
  return countUnsent(counts) === 0 && !isMostlyKeptBack(counts);
}

type RecordCounts = NonNullable<EntityFacts['counts']>;

/** How many records of an entity cannot be sent, of how many, each counted as in `RejectedShare`. */
export interface UnsendableShare {
  readonly invalid: number;
  /** They wait for a parent that does not come. */
  readonly blocked: number;
  readonly of: number;
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
    readonly source?: Pick<SourceSight, 'reading'> | null;
  };
  /** `blocked`: of the waiting ones, those whose parent does not come by itself. Null: not counted. */
  readonly counts:
    | (Readonly<Record<RecordStatus, number>> & {
        readonly blocked: number;
        readonly atPlatform?: StateCounts;
      })
    | null;
  /** What the platform took down, where records are not counted. Left out: not read. */
  readonly takenDown?: TakenDown | null;
  /** What the platform rejects, where records are not counted. Left out: not read. */
  readonly rejections?: RejectedShare;
  /** What cannot be sent, where records are not counted. Left out: not read. */
  readonly unsendable?: UnsendableShare;
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
  readonly entities: Readonly<Record<EntityName, Readonly<PushCounters> & Pick<RunFacts, 'error'>>>;
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
  /** A worker looks after the ledger; false: runs do. */
  readonly worker: boolean;
  /** `notify.staleAfter`, milliseconds; null: staleness is not judged. */
  readonly staleAfterMs: number | null;
  /** Null: none was refused since one was accepted. Left out: not read. */
  readonly refusedWebhooks?: RefusedWebhooks | null;
}

/** When nothing could be read. */
export const NOTHING_KNOWN: TroubleFacts = {
  now: new Date(0),
  entities: [],
  run: null,
  areas: [],
  idle: false,
  worker: false,
  staleAfterMs: null,
};

/** Whether a guard holds the entity, its sweep or its push. */
export function isHeld(troubles: readonly Trouble[], entity: EntityName): boolean {
  return troubles.some(
    (trouble) =>
      (trouble.kind === 'held' || trouble.kind === 'push-held') && trouble.subject.entity === entity,
  );
}

/** Whether the platform does not answer, or only with errors. One that redirects or asks to wait has answered. */
export function isUnreachable(trouble: Trouble): trouble is TroubleOf<'area-stopped'> {
  return trouble.kind === 'area-stopped' && trouble.code === 'breaker-open';
}

/**
 * Whether the stop of an area is a trouble. Without anything to send, a silent area is none, nor one that asked for a
 * pause, nor one whose replies are not understood: no request would show that it is over. `left`: records that are to
 * be sent to it; null: not counted.
 */
export function stopMatters(code: string, left: number | null): boolean {
  return left !== 0 || !['breaker-open', 'long-pause', 'reply-not-understood'].includes(code);
}

/** Whether it ends without a person: a pause, an outage that no setting explains, an approved hold. Nobody has to act. */
export function waitsByItself(trouble: Trouble): boolean {
  if (trouble.kind === 'held') return trouble.approved;
  if (trouble.kind !== 'area-stopped') return trouble.kind !== 'slow' && TROUBLE_KINDS[trouble.kind].passes;
  return (
    trouble.pausedUntil !== null ||
    (isUnreachable(trouble) && !isLasting(trouble.cause) && trouble.cause !== 'proxy')
  );
}

/** Records of an area that are to be sent; null: not counted. */
export function leftIn({ entities }: Pick<TroubleFacts, 'entities'>, area: Area): number | null {
  const counted = entities.flatMap((entity) =>
    entity.area === area && entity.counts ? [entity.counts] : [],
  );
  if (counted.length === 0) return null;
  return counted.reduce((sum, each) => sum + countUnsent(each), 0);
}
