import type { Area, EntityName } from './names.js';
import type { ErrorCode } from './errors.js';
import type { Issue } from './issue.js';
import type { NoticeWay } from './notice.js';
import type { PushCounters, SweepCounters } from './outcome.js';

/**
 * Everything worth reporting. Logs, progress and the run summary listen to it. No payloads and no personal data: keys,
 * codes, counts and messages only.
 */
export type SyncEvent =
  | { readonly type: 'run-started'; readonly runId: string; readonly entities: readonly EntityName[] }
  | {
      readonly type: 'sweep-started';
      readonly entity: EntityName;
      readonly full: boolean;
      readonly why: string;
    }
  | { readonly type: 'sweep-progress'; readonly entity: EntityName; readonly read: number }
  | {
      readonly type: 'sweep-finished';
      readonly entity: EntityName;
      readonly counters: SweepCounters;
      readonly elapsedMs: number;
    }
  | {
      readonly type: 'stale-row-versions';
      readonly entity: EntityName;
      readonly count: number;
      readonly sampleKeys: readonly string[];
    }
  | {
      readonly type: 'mapping-warnings';
      readonly entity: EntityName;
      /** Path in the body. */
      readonly field: string;
      readonly code: Issue['code'];
      readonly hint?: string | undefined;
      readonly count: number;
      readonly sample: string;
    }
  | {
      readonly type: 'record-invalid';
      readonly entity: EntityName;
      readonly key: string;
      readonly message: string;
    }
  | {
      readonly type: 'entity-held';
      readonly entity: EntityName;
      readonly message: string;
      readonly hint: string;
    }
  | {
      readonly type: 'entity-failed';
      readonly entity: EntityName;
      readonly code: ErrorCode;
      readonly message: string;
      readonly hint: string | undefined;
    }
  | { readonly type: 'push-started'; readonly area: Area; readonly due: number }
  | {
      readonly type: 'record-sent';
      readonly area: Area;
      readonly entity: EntityName;
      readonly key: string;
      readonly outcome: 'accepted' | 'refused' | 'deferred' | 'handed-back';
      readonly statusCode: number | null;
      readonly message: string | null;
    }
  | {
      readonly type: 'request-finished';
      readonly area: Area;
      readonly operation: string;
      /** Null: no reply. */
      readonly statusCode: number | null;
      readonly elapsedMs: number;
      /** From the claim to the place in the rate. */
      readonly waitedMs: number;
      /** Our clock less the platform's; null: the reply did not say. */
      readonly clockSkewMs: number | null;
    }
  | { readonly type: 'worker-active' }
  | {
      readonly type: 'worker-stopped';
      /** Records that are still to be sent; null: the state database did not answer. */
      readonly pending: number | null;
      /** Another process that holds the leases now; null: none, or not known. */
      readonly heldBy: string | null;
    }
  /** `own`: the holder has this process's own name, so it is an earlier lease of its own or of its predecessor. */
  | {
      readonly type: 'worker-standby';
      readonly holder: string;
      readonly secondsLeft: number;
      readonly own: boolean;
    }
  | { readonly type: 'listening'; readonly what: 'webhook' | 'admin'; readonly url: string }
  | { readonly type: 'area-paused'; readonly area: Area; readonly delayMs: number; readonly message: string }
  | {
      readonly type: 'area-stopped';
      readonly area: Area;
      readonly code: ErrorCode;
      readonly message: string;
      readonly hint: string;
      /** How long the platform asked to wait, if it did. */
      readonly delayMs?: number;
    }
  /** After this pause a stopped area is tried again with one request. */
  | { readonly type: 'area-retry'; readonly area: Area; readonly delayMs: number }
  /** Something began that may take long; `work` says what, such as `Migrating the state schema`. */
  | {
      readonly type: 'work-started';
      readonly work: string;
      /** Null: unknown. */
      readonly total: number | null;
    }
  | { readonly type: 'work-advanced'; readonly work: string; readonly done: number }
  | { readonly type: 'work-ended'; readonly work: string }
  /** How far the work is; logged every few seconds where no bar shows it. */
  | {
      readonly type: 'progress';
      readonly work: string;
      readonly done: number;
      /** Null: unknown. */
      readonly total: number | null;
      readonly perSecond: number;
      readonly secondsLeft: number | null;
      readonly elapsedMs: number;
    }
  /** A long push of `start` is under way. `entities`: what it has sent so far, as of `push-finished`. */
  | {
      readonly type: 'push-progress';
      readonly area: Area;
      readonly entities: Readonly<Record<EntityName, PushCounters>>;
    }
  /** `entities`: what this push sent, by entity; without those of which it sent nothing. */
  | {
      readonly type: 'push-finished';
      readonly area: Area;
      readonly entities: Readonly<Record<EntityName, PushCounters>>;
    }
  | { readonly type: 'read-back-started'; readonly area: Area; readonly due: number }
  | {
      readonly type: 'record-read-back';
      readonly area: Area;
      readonly entity: EntityName;
      readonly key: string;
      readonly outcome: ReadBackOutcome;
      /** Fields of the body that differ at the platform; no values. */
      readonly fields: readonly string[];
      readonly message: string | null;
    }
  | { readonly type: 'read-back-finished'; readonly area: Area }
  | {
      readonly type: 'lease-taken';
      readonly lease: string;
      readonly holder: string;
      readonly secondsLeft: number;
      /** As of `worker-standby`. */
      readonly own: boolean;
    }
  | {
      readonly type: 'webhook-event';
      readonly outcome: WebhookOutcome;
      /** Why it was refused or not stored; null: nothing to add. */
      readonly message: string | null;
      /** Null: not authentic, so not reliable. */
      readonly requestId: string | null;
      /** Null: not a new application, or not authentic. */
      readonly applicationId: string | null;
    }
  /** A notice was sent: a trouble began or ended. `title`: who and what, in fixed words. */
  | {
      readonly type: 'notice-sent';
      readonly way: NoticeWay;
      readonly receiver: string;
      readonly title: string;
    }
  /** Somebody pressed a button of the dashboard. */
  | {
      readonly type: 'operator-action';
      readonly action: 'run' | 'retry' | 'approve' | 'resync';
      readonly entity: EntityName | null;
      readonly key: string | null;
      /** Records that it changed; null: not about records. */
      readonly count: number | null;
    }
  | {
      readonly type: 'warning';
      readonly message: string;
      readonly hint?: string | undefined;
      /** The error code, which the documentation explains. */
      readonly code?: ErrorCode;
    }
  | {
      readonly type: 'run-failed';
      readonly code: ErrorCode;
      readonly message: string;
      readonly hint: string | undefined;
      /** Only of `unexpected`, which is a defect: where in the code it is. */
      readonly stack?: string;
    }
  /** A signal ended the run; this is not a failure. */
  | { readonly type: 'run-interrupted'; readonly message: string }
  /** A command failed before a run began, or without one. */
  | {
      readonly type: 'command-failed';
      readonly code: ErrorCode;
      readonly message: string;
      readonly hint: string | undefined;
    }
  | {
      readonly type: 'run-finished';
      readonly runId: string;
      readonly exitCode: number;
      readonly outcome: string;
      readonly elapsedMs: number;
    };

/** What became of a webhook; `unrecognised` is stored too, and `repeat` was stored before. */
export type WebhookOutcome =
  | 'stored'
  | 'repeat'
  | 'unrecognised'
  | 'refused-size'
  | 'refused-signature'
  | 'refused-time'
  | 'refused-not-json'
  /** Too many requests at once. */
  | 'refused-load'
  | 'storage-failed';

/**
 * The result of reading a record back. `unanswered`: no usable reply, so the result is unknown. `outdated`: the record
 * was sent or changed meanwhile, so the comparison means nothing. `adopted`, `different`, `absent`: the result of
 * `adopt` for a record that was never sent.
 */
export type ReadBackOutcome =
  'same' | 'drifted' | 'missing' | 'unanswered' | 'outdated' | 'adopted' | 'different' | 'absent';

/** Called at once and in order; must not throw and must not wait. */
export type Emit = (event: SyncEvent) => void;
