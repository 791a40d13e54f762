import type { Area, EntityName } from '../domain/names.js';
import type { PushCounters } from '../domain/outcome.js';
import type { AreaSettings, RunContext, RunSettings } from '../context.js';
import type { CoreState } from '../ledger/core-state.js';
import type { HeldLease } from '../leases.js';
import type { RateLimit } from '../ports/platform.js';

/** What a push of one area is given. Its entities are those of the area. */
export interface PushOptions extends Pick<
  RunContext,
  'entities' | 'platform' | 'clock' | 'emit' | 'signal' | 'random' | 'newId'
> {
  readonly area: Area;
  readonly areaSettings: AreaSettings;
  readonly settings: Pick<RunSettings, 'retry' | 'guards' | 'platform'>;
  readonly state: Pick<CoreState, 'queue' | 'entityStates' | 'areaStates'>;
  readonly rateLimit: RateLimit;
  /** Of the push. */
  readonly lease: Pick<HeldLease, 'fenced' | 'held'>;
  /** The run that sends; null: the worker. */
  readonly runId: string | null;
  /** Updated record by record, so that the counts are right however the push ends. */
  readonly counters: ReadonlyMap<EntityName, PushCounters>;
  /** One request only: does a stopped area answer again? One failure stops it again. */
  readonly probe?: boolean;
  /** How long after its beginning the push tries again what is deferred, milliseconds. Default 0: not at all. */
  readonly runForMs?: number;
}
