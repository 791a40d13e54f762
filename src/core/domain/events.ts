import type { AreaStop } from './area-condition.js';
import type { Area, EntityName } from './names.js';
import type { ErrorCode } from './errors.js';
import type { Issue } from './issue.js';
import type { NoticeWay } from './notice.js';
import type { ActionName, EndedAction, Operator } from './operator-action.js';
import type { PushCounters, SweepCounters } from './outcome.js';

interface Failure {
  code: ErrorCode;
  message: string;
  hint: string | undefined;
}

/**
 * Everything worth reporting. Logs, progress and the run summary listen to it. No payloads and no personal data: keys,
 * codes, counts and messages only.
 */
export type SyncEvent = {
  [Type in keyof Events]: Readonly<{ type: Type } & Events[Type]>;
}[keyof Events];

/** What each event says. */
interface Events {
  'run-started': { runId: string; entities: readonly EntityName[] };
  'sweep-started': { entity: EntityName; full: boolean; why: string };
  'sweep-progress': { entity: EntityName; read: number };
  'sweep-finished': {
    entity: EntityName;
    counters: SweepCounters;
    elapsedMs: number;
    /** How far the replica was behind; absent: the source is none, or it does not say. */
    sourceLagMs?: number;
  };
  'stale-row-versions': { entity: EntityName; count: number; sampleKeys: readonly string[] };
  'mapping-warnings': {
    entity: EntityName;
    /** Path in the body. */
    field: string;
    code: Issue['code'];
    hint?: string | undefined;
    count: number;
    sample: string;
  };
  'record-invalid': { entity: EntityName; key: string; message: string };
  'entity-held': { entity: EntityName; message: string; hint: string };
  'entity-failed': Failure & { entity: EntityName };
  'push-started': { area: Area; due: number };
  'record-sent': {
    area: Area;
    entity: EntityName;
    key: string;
    outcome: 'accepted' | 'refused' | 'deferred' | 'handed-back';
    statusCode: number | null;
    message: string | null;
    /** Of a change that was accepted: since when it was to be sent. */
    pendingMs?: number;
  };
  'request-finished': {
    area: Area;
    operation: string;
    /** Null: no reply. */
    statusCode: number | null;
    elapsedMs: number;
    /** From the claim to the place in the rate. */
    waitedMs: number;
    /** Our clock less the platform's; null: the reply did not say. */
    clockSkewMs: number | null;
  };
  'worker-active': object;
  'worker-stopped': {
    /** Records that are still to be sent; null: the state database did not answer. */
    pending: number | null;
    /** Another process that holds the leases now; null: none, or not known. */
    heldBy: string | null;
  };
  /** `own`: the holder has this process's own name, so it is an earlier lease of its own or of its predecessor. */
  'worker-standby': { holder: string; secondsLeft: number; own: boolean };
  listening: { what: 'webhook' | 'admin' | 'metrics'; url: string };
  /** A lookup has changed and was taken. `entities`: to which it says something else, so that they are read in full. */
  'lookup-changed': { file: string; entities: readonly EntityName[] };
  'area-paused': { area: Area; delayMs: number; message: string };
  'area-stopped': AreaStop & {
    area: Area;
    /** How long ago the first of the failures in a row was; absent: that is not why. */
    failingMs?: number;
  };
  /** The platform’s replies name another version of itself than before. */
  'platform-version': { area: Area; version: string; before: string };
  /** After this pause a stopped area is tried again with one request. */
  'area-retry': { area: Area; delayMs: number };
  /** Something began that may take long; `work` says what, such as `Migrating the state schema`. */
  'work-started': {
    work: string;
    /** Null: unknown. */
    total: number | null;
  };
  'work-advanced': { work: string; done: number };
  'work-ended': { work: string };
  /** How far the work is; logged every few seconds where no bar shows it. */
  progress: {
    work: string;
    done: number;
    /** Null: unknown. */
    total: number | null;
    perSecond: number;
    secondsLeft: number | null;
    elapsedMs: number;
  };
  /** A long push of `start` is under way. `entities`: what it has sent so far, as of `push-finished`. */
  'push-progress': { area: Area; entities: Readonly<Record<EntityName, PushCounters>> };
  /** `entities`: what this push sent, by entity; without those of which it sent nothing. */
  'push-finished': { area: Area; entities: Readonly<Record<EntityName, PushCounters>> };
  'read-back-started': { area: Area; due: number };
  'record-read-back': {
    area: Area;
    entity: EntityName;
    key: string;
    outcome: ReadBackOutcome;
    /** Fields of the body that differ at the platform; no values. */
    fields: readonly string[];
    message: string | null;
  };
  'read-back-finished': { area: Area };
  'lease-taken': {
    lease: string;
    holder: string;
    secondsLeft: number;
    /** As of `worker-standby`. */
    own: boolean;
  };
  'webhook-event': {
    outcome: WebhookOutcome;
    /** Why it was refused or not stored; null: nothing to add. */
    message: string | null;
    /** Null: not authentic, so not reliable. */
    requestId: string | null;
    /** Null: not a new application, or not authentic. */
    applicationId: string | null;
  };
  /** How many webhooks came in a minute, or since the last such event when the receiver stops; by outcome, none of 0. */
  'webhooks-received': { counts: Readonly<Partial<Record<WebhookOutcome, number>>> };
  /** A notice was sent: a trouble began or ended. `title`: who and what, in fixed words. */
  'notice-sent': { way: NoticeWay; receiver: string; title: string };
  /** What is stored of one person was printed or erased. `rows`: by table; nothing of the person. */
  'subject-request': {
    request: 'export' | 'erase';
    receiptId: string;
    rows: Readonly<Record<string, number>>;
  };
  /** Somebody did something by hand, by a command or on the page; it has ended, or failed. Without keys and reason. */
  'operator-action': Operator &
    EndedAction & {
      action: ActionName;
      entity: EntityName | null;
      /** How many records or tenants were named. */
      keys: number;
    };
  warning: {
    message: string;
    hint?: string | undefined;
    /** The error code, which the documentation explains. */
    code?: ErrorCode;
  };
  'run-failed': Failure & {
    /** Only of `unexpected`, which is a defect: where in the code it is. */
    stack?: string;
  };
  /** A signal ended the run; this is not a failure. */
  'run-interrupted': { message: string };
  /** A command failed before a run began, or without one. */
  'command-failed': Failure;
  'run-finished': { runId: string; exitCode: number; outcome: string; elapsedMs: number };
}

/**
 * What became of a webhook; `changed` (a stored application with other data) and `unrecognised` are stored too, `repeat` was
 * stored before, and `answered` is what the adapter answers, never stored.
 */
export const WEBHOOK_OUTCOMES = [
  'stored',
  'changed',
  'repeat',
  'unrecognised',
  'refused-encoding',
  'refused-size',
  'refused-signature',
  'refused-time',
  'refused-not-json',
  /** Too many requests at once. */
  'refused-load',
  /** By the partner's adapter; nothing is stored. */
  'answered',
  'adapter-failed',
  'storage-failed',
] as const;

export type WebhookOutcome = (typeof WEBHOOK_OUTCOMES)[number];

/**
 * The result of reading a record back. `unanswered`: no usable reply, so the result is unknown. `outdated`: the record
 * was sent or changed meanwhile, so the comparison means nothing. `not-live`: the platform still has to decide about it, or
 * has refused or removed it. `adopted`, `different`, `absent`: the result of
 * `adopt` for a record that was never sent.
 */
export type ReadBackOutcome =
  | 'same'
  | 'drifted'
  | 'missing'
  | 'not-live'
  | 'unanswered'
  | 'outdated'
  | 'adopted'
  | 'different'
  | 'absent';

/** Called at once and in order; must not throw and must not wait. */
export type Emit = (event: SyncEvent) => void;
