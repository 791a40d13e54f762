import type { EntityName } from '../domain/entity-name.js';
import type { JsonObject } from '../domain/json.js';
import type { Buckets, Digest, KeyVersion } from './source.js';

/** What the diff sees of a record in the ledger. */
export interface LedgerEntry extends KeyVersion {
  readonly vanished: boolean;
  readonly invalid: boolean;
  /** Hash of what is wanted at the platform; null: nothing (never valid yet, or vanished). */
  readonly desiredHash: string | null;
  /** Whether something of it is still to be sent. */
  readonly sendable: boolean;
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
  /** Desired payloads of these keys, null where there is none. */
  payloads(entity: EntityName, keys: readonly string[]): Promise<ReadonlyMap<string, JsonObject | null>>;
}
