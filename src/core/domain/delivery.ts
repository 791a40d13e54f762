/*
 * A request about a record, as the journal has it: what it was about, and how it ended.
 */

/**
 * How a request ended.
 * - `accepted`: the platform holds what was sent.
 * - `rejected`: the platform refused this payload.
 * - `deferred`: it failed for a reason that passes, or had no reply; the record is sent again.
 * - `handed-back`: the platform refused the credentials or asked to wait; that says nothing about the record.
 * - `seen`: a Find showed another state of a record than before; it was not sent.
 * - `unknown`: the process ended before it wrote an outcome; the record is sent again.
 */
export type DeliveryOutcome = 'accepted' | 'rejected' | 'deferred' | 'handed-back' | 'seen' | 'unknown';

/**
 * What a request was about. `new`: the platform had never accepted the record. `close`: the payload says that the record
 * is closed. `state`: a Find that showed another state of it.
 */
export type DeliveryKind = 'new' | 'update' | 'close' | 'delete' | 'state';

/** One request about a record, as the journal has it: no payload, and nothing of an applicant. */
export interface Delivery {
  readonly entity: string;
  readonly key: string;
  readonly platformId: string;
  /** The parent under which it was sent; null: it has none. */
  readonly parentPlatformId: string | null;
  readonly kind: DeliveryKind;
  readonly operation: string;
  readonly requestId: string;
  /** Null: not known any more. */
  readonly payloadHash: string | null;
  /** Null: the long-running worker sent it. */
  readonly runId: string | null;
  readonly claimedAt: Date;
  /** When the outcome was written, within 0.2 s of the reply. */
  readonly answeredAt: Date;
  /** Null: no reply. */
  readonly statusCode: number | null;
  readonly outcome: DeliveryOutcome;
  readonly reason: string | null;
}
