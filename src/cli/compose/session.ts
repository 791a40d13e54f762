import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { LoadedConfig } from '../../config/load.js';
import type { Emit } from '../../domain/events.js';
import type { RunContext } from '../../sync/run-context.js';
import { withWork } from '../../sync/lease.js';
import { configuredEntities } from './configured-entities.js';
import { keepHeapSmall } from './keep-heap-small.js';
import { warnedOfStopping } from './warned-of-stopping.js';
import { openPlatforms } from './open-platforms.js';
import { openSource } from './open-source.js';
import { openState, type OpenedState } from './open-state.js';
import { runSettings } from './run-settings.js';
import { systemClock } from './system-clock.js';

export interface SessionOptions {
  readonly emit: Emit;
  readonly migrate?: boolean;
  /** The entities of the work; absent: all configured ones. */
  readonly entities?: RunContext['entities'];
  /** Aborts on the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
}

export interface SessionContext extends RunContext {
  readonly state: OpenedState;
}

/** Opens everything a run needs, does `work`, and closes everything again. */
export async function withSession<T>(
  config: LoadedConfig,
  options: SessionOptions,
  work: (context: SessionContext) => Promise<T>,
): Promise<T> {
  keepHeapSmall();
  return warnedOfStopping(options, () => openAndDo(config, options, work));
}

async function openAndDo<T>(
  config: LoadedConfig,
  options: SessionOptions,
  work: (context: SessionContext) => Promise<T>,
): Promise<T> {
  const { emit, signal } = options;
  const open = () => openState(config, { migrate: options.migrate ? { emit, signal } : undefined, signal });
  const state = await (options.migrate ? withWork(emit, 'Migrating the state schema', open) : open());
  const source = openSource(config);
  const platforms = openPlatforms(config);
  try {
    return await work({
      settings: runSettings(config),
      entities: options.entities ?? configuredEntities(config),
      source,
      state,
      platform: (area) => platforms.platform(area),
      rateLimit: (area, notBefore) => platforms.rateLimit(area, notBefore),
      readBackRateLimit: (area, within) => platforms.readBackRateLimit(area, within),
      clock: systemClock,
      emit,
      holder: `${hostname()} pid ${process.pid}`,
      signal,
      random: Math.random,
      newId: randomUUID,
    });
  } finally {
    await Promise.allSettled([source.close(), platforms.close()]);
    await state.close();
  }
}
