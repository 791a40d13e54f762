import type { Area, EntityName } from '../../domain/names.js';
import type { PushCounters } from '../../domain/outcome.js';
import type { RateLimit } from '../../ports/rate-limit.js';
import type { State } from '../../ports/state.js';
import type { HeldLease } from '../lease/hold-lease.js';
import type { RunContext } from '../run-context.js';
import type { AreaSettings, RunSettings } from '../run-settings.js';

/** The push of one area. */
export interface AreaPush extends Pick<
  RunContext,
  'entities' | 'platform' | 'clock' | 'emit' | 'signal' | 'random'
> {
  readonly area: Area;
  readonly areaSettings: AreaSettings;
  readonly settings: Pick<RunSettings, 'retry' | 'guards'>;
  readonly state: Pick<State, 'queue' | 'entityStates' | 'areaStates'>;
  readonly rateLimit: RateLimit;
  /** Of the push. */
  readonly lease: Pick<HeldLease, 'fenced' | 'held'>;
  /** The run that sends; null: the worker. */
  readonly runId: string | null;
  /** Updated record by record, so that the counts are right however the push ends. */
  readonly counters: ReadonlyMap<EntityName, PushCounters>;
  /** One request only: does a stopped area answer again? One failure stops it again. */
  readonly probe?: boolean;
}
