import type { ReceivedApplication } from '../contract/webhook/read-application.js';
import type { RefusedWebhooks, WebhookRefusal } from '../domain/trouble/trouble.js';

/** A webhook with a valid signature and time. */
export interface ReceivedWebhook {
  readonly application: ReceivedApplication;
  /** The bytes as sent: JSON, at most 1 MiB. Of one event in a list, its part. */
  readonly body: Uint8Array;
  readonly requestId: string;
  /** `Request-Timestamp`, milliseconds since the Unix epoch. */
  readonly requestTimestampMs: number;
  /** When it came first, of one that is read again; left out: now. */
  readonly receivedAt?: Date;
}

/**
 * What became of a webhook, the most first: it is new; it is an application that is stored with other data, and is a further
 * version of it now; it was stored before.
 */
export const STORED_AS = ['stored', 'changed', 'repeat'] as const;
export type StoredAs = (typeof STORED_AS)[number];

/** How many webhooks are stored. */
export interface InboxCounts {
  readonly total: number;
  readonly lastDay: number;
  readonly lastWeek: number;
  /** Of all: in no known layout of a new application. */
  readonly unrecognised: number;
  /** Of all: for a vacancy that the ledger does not have. */
  readonly withoutVacancy: number;
  readonly lastReceivedAt: Date | null;
}

/** A stored webhook as lists show it: nothing of the applicant. */
export interface ListedApplication {
  /** Number of its row; later ones are larger. */
  readonly id: string;
  readonly receivedAt: Date;
  readonly layout: string;
  /** Null: it names none, or the ledger does not have it. */
  readonly vacancyKey: string | null;
  /** 1; of an application that came again with other data 2 and so on. */
  readonly version: number;
}

/** An authentic webhook that the database refused to store, and that did not come again since. */
export interface UnstoredWebhook {
  readonly layout: string;
  readonly vacancyKey: string | null;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly attempts: number;
  /** In English, without personal data. */
  readonly reason: string;
}

/** Webhooks that were refused for one reason. */
export interface RefusedCount {
  readonly reason: WebhookRefusal;
  readonly count: number;
  /** Of the latest; see `RefusedWebhooks`. */
  readonly offsetMs: number | null;
}

/** What became of bodies that were not recognised. */
export interface RereadCounts {
  readonly read: number;
  /** Applications that were stored. */
  readonly recognised: number;
  /** Of those: further versions of an application that was stored with other data. */
  readonly versions: number;
  /** Bodies with an application that is stored already; they stay. */
  readonly repeats: number;
  /** Bodies that the database refused; they stay. */
  readonly failed: number;
  /** Of the first failure, without values of an applicant; null: none. */
  readonly reason: string | null;
}

/** Job applications as they arrive by webhook. */
export interface Inbox {
  /**
   * Stores each of one request, finds the vacancy's key and notifies, all in one
   * transaction that is committed when this resolves. Of several the most counts. `repeat`: all are already stored, so nothing
   * was done. A repeat is the same application id with the same data in a layout of a new application; of anything else an
   * equal Request-Id with an equal body.
   * Errors: SyncError `state-unavailable`, `state-failed`; then nothing was stored.
   */
  store(...webhooks: readonly ReceivedWebhook[]): Promise<StoredAs>;
  /**
   * Reads the bodies that were not recognised once more, and stores what is an application now, as at receipt. The row of
   * such a body leaves when everything in it is stored in rows of its own. More calls do no harm. Errors: SyncError
   * `state-unavailable`.
   */
  reread(): Promise<RereadCounts>;
  /**
   * Looks up vacancies that were not in the ledger when their application arrived, and notifies again for each that is
   * found now. Gives their number. Call it after a push; more calls do no harm.
   */
  resolveVacancyKeys(): Promise<number>;
  /** Those of the ids (UUIDs in any case, or digits) that are stored, in lower case. */
  knownApplications(applicationIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** The latest first; `before`: the number of the one before the first of them, null: from the latest on. */
  page(options: {
    readonly before: string | null;
    readonly limit: number;
  }): Promise<readonly ListedApplication[]>;
  /**
   * Counts webhooks that were refused, the latest last. `accepted`: one was accepted before them, so earlier ones no
   * longer count.
   */
  noteReceipts(receipts: {
    readonly accepted: boolean;
    readonly refused: readonly RefusedCount[];
  }): Promise<void>;
  /** Null: none was refused since one was accepted. */
  refused(): Promise<RefusedWebhooks | null>;
  /** The latest first. */
  unstored(limit: number): Promise<readonly UnstoredWebhook[]>;
  /** Numbers only. */
  counts(): Promise<InboxCounts>;
  /**
   * Deletes what was received longer ago than this, and cuts all other applications down to what the configuration keeps.
   * Gives the count of the deleted.
   */
  prune(retentionMs: number): Promise<number>;
}

/** Whom a request is about: everything of an e-mail address, in any case; or one application, by its id at the platform. */
export type Subject = { readonly email: string } | { readonly applicationId: string };

type StoredRow = Readonly<Record<string, unknown>>;

/** What is stored of a person: rows as the tables have them. */
export interface SubjectRows {
  readonly job_application: readonly StoredRow[];
  readonly unstored_webhook: readonly StoredRow[];
  readonly sync_state: readonly StoredRow[];
  readonly delivery: readonly StoredRow[];
  /** What operators did, with the address or an id. */
  readonly operator_action: readonly StoredRow[];
}

/** Numbers of rows by table. */
type RowCounts = Readonly<Record<string, number>>;

export interface Erasure {
  readonly removed: RowCounts;
  /** Rows that stay, without what they said of the person. */
  readonly blanked: RowCounts;
}

/** What the schema holds of one person. Errors: SyncError `state-unavailable`, `state-failed`. */
export interface Subjects {
  read(subject: Subject): Promise<SubjectRows>;
  /** In one transaction, also while a worker runs. `dryRun`: only counts. */
  erase(subject: Subject, options: { readonly dryRun: boolean }): Promise<Erasure>;
}
