import { SyncError } from '../domain/errors.js';
import { backoffDelay } from '../domain/reply/judge-reply.js';
import type { Clock } from '../ports/clock.js';
import type { Warn } from './say-seldom.js';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * What `work` gives, tried again while the fleet's database is not available; null: the signal aborted meanwhile. It is tried
 * once also after the abort. Errors: other errors of `work`.
 */
export async function untilAvailable<T>(
  { clock, warn }: { readonly clock: Clock; readonly warn: Warn },
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<{ readonly value: T } | null> {
  for (let failures = 1; ; failures += 1) {
    try {
      return { value: await work() };
    } catch (error) {
      if (!(error instanceof SyncError) || error.code !== 'state-unavailable') throw error;
      warn(error);
    }
    await clock.sleep(backoffDelay(failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS, 0.5), signal);
    if (signal.aborted) return null;
  }
}
