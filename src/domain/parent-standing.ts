import type { RecordStatus } from './record-status.js';

/** What is known of a parent that has no reference. */
export interface ParentStanding {
  readonly entity: string;
  readonly key: string | null;
  /** By the ledger; null: the ledger does not have it. */
  readonly status: RecordStatus | null;
  /** The first error of its row, with the name of its field. */
  readonly firstIssue: string | null;
  /** Whether the parent's query has it now; null: it could not be asked. */
  readonly inSource: boolean | null;
  /** When a sweep of its entity was last applied, ISO time; null: never. */
  readonly sweptAt: string | null;
  /** Why and since when its entity is held; null: it is not. */
  readonly hold: { readonly message: string; readonly since: string } | null;
}

/** Why a parent has no reference yet, as part of a sentence that ends after it. Pure. */
export function describeParent(parent: ParentStanding): string {
  const { entity, key, status, firstIssue, inSource, sweptAt, hold } = parent;
  const named = key === null ? `its ${entity} record` : `${entity} "${key}"`;
  if (status === 'invalid') return `${named} is invalid${firstIssue === null ? '' : ` (${firstIssue})`}`;
  if (status === 'rejected') return `${named} was rejected by the platform`;
  if (status === 'vanished') return `${named} is no longer in its query's result`;
  if (status !== null) return `${named} has not been accepted yet (${status})`;
  if (inSource === false) return `no such record in the query of ${entity}`;
  if (inSource === null) return `the ledger has no such record, and the query of ${entity} could not be read`;
  const wrong = firstIssue === null ? '' : `, and its row has errors: ${firstIssue}`;
  if (hold)
    return `${named} is in its query, but ${entity} are held since ${hold.since}: ${hold.message.replace(/\.$/, '')}${wrong}`;
  if (sweptAt === null) return `${named} is in its query, but no run has read ${entity} yet${wrong}`;
  return `${named} is in its query since the last sweep (${sweptAt}); the next sweep reads it${wrong}`;
}
