import type { EntityName } from '../domain/names.js';
import type { JsonObject } from '../domain/row.js';
import type { Buckets, Digest, KeyVersion } from './source.js';

/** What the diff sees of a record in the ledger. */
export interface LedgerEntry extends KeyVersion {
  readonly vanished: boolean;
  readonly invalid: boolean;
  /** Hash of what is desired at the platform; null: nothing (never valid yet, or vanished). */
  readonly desiredHash: string | null;
  /** Whether there is still something to send. */
  readonly sendable: boolean;
  /** Something is desired, but its payload was dropped after the acknowledgement. */
  readonly payloadDropped: boolean;
  /** What the entity's map stored for the next sweep. */
  readonly noted: JsonObject | null;
}

/** The payloads of one record. */
export interface KnownPayloads {
  /** What is desired at the platform, or was when the record vanished; null: never valid. */
  readonly desired: JsonObject | null;
  /** What the platform accepted last; null: nothing yet. */
  readonly acknowledged: JsonObject | null;
  /** Whether the platform confirmed its deletion. */
  readonly deleted: boolean;
  /** The parent of what is desired. */
  readonly parentPlatformId: string | null;
  /** The parent under which the platform accepted it last. */
  readonly acknowledgedParentPlatformId: string | null;
}

/** Digest of one part of the ledger, and how many of its records are invalid. */
export interface LedgerDigest extends Digest {
  readonly invalid: number;
}

/** The ledger's side of a sweep. Records that vanished are in `entries` only. */
export interface Ledger {
  digest(entity: EntityName): Promise<LedgerDigest>;
  bucketDigests(entity: EntityName, count: number): Promise<ReadonlyMap<number, LedgerDigest>>;
  /** Pages in the order of `key COLLATE "C"`; null = all. */
  entries(entity: EntityName, buckets: Buckets | null): AsyncIterable<readonly LedgerEntry[]>;
  /**
   * Deletes records that vanished longer ago than this and have nothing left to send. A parent of others stays: they
   * need its reference. `retentionMs`: milliseconds.
   */
  prune(retentionMs: number): Promise<void>;
  /** What maps stored for records, by platform id; a record without it is missing. */
  notes(entity: EntityName, platformIds: readonly string[]): Promise<ReadonlyMap<string, JsonObject>>;
  payloads(entity: EntityName, keys: readonly string[]): Promise<ReadonlyMap<string, KnownPayloads>>;
}
