import type { Store } from './store.js';

/** What an operation sees of a request, and what it works on. */
export interface RequestContext {
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
