import type { Emit } from '../domain/events.js';
import type { SyncError } from '../domain/errors.js';
import type { Clock } from '../ports/clock.js';

/** The same text is said again after this, milliseconds. */
const SILENCE_MS = 600_000;

/** Texts to remember; more than that come only from a defect. */
const MAX_TEXTS = 100;

export type Warn = (warning: Pick<SyncError, 'message' | 'hint'> & Partial<Pick<SyncError, 'code'>>) => void;

/** Emits warnings, each text once in ten minutes: what fails every second would fill the log. */
export function saySeldom(clock: Pick<Clock, 'monotonic'>, emit: Emit): Warn {
  const said = new Map<string, number>();
  return ({ message, hint, code }) => {
    const now = clock.monotonic();
    if (now - (said.get(message) ?? -Infinity) < SILENCE_MS) return;
    if (said.size >= MAX_TEXTS) said.clear();
    said.set(message, now);
    emit({ type: 'warning', message, hint, ...(code === undefined ? {} : { code }) });
  };
}
