import cron from 'node-cron';
import type { Emit } from '../domain/events.js';

export interface Cron {
  /** When it is due next; null: never again. */
  next(): Date | null;
  /** Counts from the machine's time as it is now. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Calls `onDue` at the times of a cron expression in a time zone. Calls it once, late, for times that passed while the
 * process stood still or that the machine's clock jumped over.
 */
export function createCron(expression: string, timeZone: string, onDue: () => void, emit: Emit): Cron {
  const warn = (message: unknown) => emit({ type: 'warning', message: `schedule: ${String(message)}` });
  cron.setLogger({ info: () => {}, debug: () => {}, warn, error: warn });
  const begin = () => {
    // By default the library drops a time that is more than a second late: a nightly sweep would wait a whole day.
    const options = { timezone: timeZone, missedExecutionTolerance: Number.MAX_SAFE_INTEGER };
    const begun = cron.schedule(expression, onDue, options);
    // `onDue` is called for the last missed time; the others need no warning.
    begun.on('execution:missed', () => undefined);
    return begun;
  };
  let task = begin();
  return {
    next: () => task.getNextRun(),
    async restart() {
      await task.destroy();
      task = begin();
    },
    async stop() {
      await task.destroy();
    },
  };
}
