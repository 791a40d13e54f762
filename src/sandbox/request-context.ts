import type { Operation } from '../contract/operation.js';
import type { ParentLink } from '../entities/entity.js';
import type { Store, StoredRecord } from './store.js';

/** What an operation sees of a request, and what it works on. */
export interface RequestContext {
  readonly operation: Operation;
  /** The id in the path: a UUID. */
  readonly id: string;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
  readonly store: Store;
  readonly nowMs: number;
  readonly clientId: string;
  readonly clientIp: string;
  readonly timeZone: string;
  readonly acceptExtraFields: boolean;
}

/** The `reference` of the parent that a body names; null: it names none. */
export function parentReference(body: StoredRecord['body'], parent: ParentLink | null): string | null {
  const named = parent === null ? undefined : (body[parent.field] as { readonly id: string } | undefined);
  return named?.id ?? null;
}
