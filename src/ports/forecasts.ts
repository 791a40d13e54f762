import type { EntityName, RecordStatus } from '../domain/names.js';
import type { Issue } from '../domain/issue.js';
import type { EndingEntity } from './records.js';

/** What decides whether a record is sent once a sweep has found something of it. */
export interface RecordStanding {
  readonly key: string;
  readonly platformId: string;
  readonly status: RecordStatus;
  /** It has a reference: its children can be sent. */
  readonly referenced: boolean;
  readonly desiredHash: string | null;
  readonly acknowledgedHash: string | null;
  /** Of the payload that the platform refused. */
  readonly refusedHash: string | null;
  /** A confirmation is due. */
  readonly confirming: boolean;
  /** It failed, and is not due again yet. */
  readonly postponed: boolean;
  /** The platform may know it. */
  readonly tried: boolean;
  readonly parentPlatformId: string | null;
}

/** Records of the ledger that wait for one parent. */
export interface WaitingChildren {
  readonly parentPlatformId: string;
  readonly count: number;
  /** The first of them. */
  readonly keys: readonly string[];
}

/** An invalid record, as an earlier sweep found it. */
export interface StandingInvalid {
  readonly key: string;
  readonly platformId: string;
  readonly referenced: boolean;
  readonly issues: readonly Issue[];
}

/** What a plan reads of the ledger to predict a run. */
export interface Forecasts {
  /** The records with one of these keys or platform ids; those that the ledger does not have are missing. */
  standings(
    entity: EntityName,
    of: { readonly keys: readonly string[]; readonly platformIds: readonly string[] },
  ): Promise<readonly RecordStanding[]>;
  /** All records that wait, by parent, page by page. */
  waiting(entity: EntityName): AsyncIterable<readonly WaitingChildren[]>;
  /** How many records a sweep requests a resend of, because they are old; `keys`: only of these. */
  refreshable(
    entity: EndingEntity,
    times: { readonly afterMs: number; readonly today: string },
    keys?: readonly string[],
  ): Promise<number>;
  /** All invalid records in the order of their keys, page by page. */
  invalid(entity: EntityName): AsyncIterable<readonly StandingInvalid[]>;
}
