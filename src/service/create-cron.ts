import cron from 'node-cron';
import type { Emit } from '../domain/events.js';

export interface Cron {
  /** When it is due next; null: never again. */
  next(): Date | null;
  stop(): Promise<void>;
}

/** Calls `onDue` at the times of a cron expression in a time zone. */
export function createCron(expression: string, timeZone: string, onDue: () => void, emit: Emit): Cron {
  const warn = (message: unknown) => emit({ type: 'warning', message: `schedule: ${String(message)}` });
  cron.setLogger({ info: () => {}, debug: () => {}, warn, error: warn });
  const task = cron.schedule(expression, onDue, { timezone: timeZone });
  return {
    next: () => task.getNextRun(),
    async stop() {
      await task.destroy();
    },
  };
}
