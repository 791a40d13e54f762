import type { Area } from '../domain/names.js';
import type { Emit } from '../domain/events.js';
import type { Clock } from '../ports/clock.js';
import type { Platform } from '../ports/platform.js';
import type { RateLimit } from '../ports/rate-limit.js';
import type { Source } from '../ports/source.js';
import type { State } from '../ports/state.js';
import type { ConfiguredEntity } from './configured-entity.js';
import type { RunSettings } from './run-settings.js';

/** What every use case works with: the configuration, and everything outside that it touches. */
export interface RunContext {
  readonly settings: RunSettings;
  /** The entities of this work, parents first. */
  readonly entities: readonly ConfiguredEntity[];
  readonly source: Source;
  readonly state: State;
  readonly platform: (area: Area) => Platform;
  /** `notBefore`: monotonic time before which nothing may be sent, because an earlier push may just have ended. */
  readonly rateLimit: (area: Area, notBefore: number) => RateLimit;
  /** The share of the rate for reading back. `within`: the limit of a push beside it, so that both keep the rate. */
  readonly readBackRateLimit: (area: Area, within?: RateLimit) => RateLimit;
  readonly clock: Clock;
  readonly emit: Emit;
  /** Names this process to another one that finds the lease taken: `host pid 123 run <id>`. */
  readonly holder: string;
  /** Aborts when the process must end. */
  readonly signal: AbortSignal;
  readonly random: () => number;
  readonly newId: () => string;
}
