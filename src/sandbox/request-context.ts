import type { AreaDeviations } from '../config/deviations/deviation-schema.js';
import type { Operation } from '../contract/operation.js';
import type { Store } from './store.js';

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
  /** Whether it refuses what the interface's words rule out. */
  readonly strict: boolean;
  readonly deviations: AreaDeviations;
  /** Whether the sandbox sent this application by webhook. */
  isSentApplication(id: string): boolean;
}
