import type { LoadedConfig } from '../config/load.js';
import { ERROR_CODES, SyncError } from '../domain/errors.js';
import type { Emit } from '../domain/events.js';
import type { State } from '../ports/state.js';
import { readStatus } from '../sync/explain/read-status.js';
import type { RunReport } from '../sync/run/end.js';
import { VERSION } from './compose/package-info.js';
import { systemClock } from './compose/system-clock.js';
import { openMetricsFile } from './output/metrics-file.js';
import { writeError } from './output/write.js';

/** Writes how the run ended, with the state of every configured entity. */
export type SaveMetrics = (
  config: LoadedConfig,
  state: State,
  emit: Emit,
  report: RunReport,
) => Promise<void>;

/**
 * Does `work`, which ends a run and saves its metrics in `file`; undefined: nothing is saved. When it throws, the file
 * still gets the exit code. If the file cannot be written after the run, a warning says so; the run is not affected.
 * Errors: SyncError `usage`, before any work, when the file cannot be written; what `work` throws.
 */
export async function withMetricsFile(
  file: string | undefined,
  work: (save: SaveMetrics) => Promise<number>,
): Promise<number> {
  if (file === undefined) return work(() => Promise.resolve());
  const target = openMetricsFile(file);
  // Only runs that write the file need this library.
  const { metricsText } = await import('../telemetry/metrics.js');
  const startedAt = new Date(systemClock.now()).toISOString();
  let saved = false;
  try {
    return await work(async (config, state, emit, lastRun) => {
      saved = true;
      const status = await readStatus(state, [...config.entities.keys()]).catch(() => null);
      const reading = { entities: status?.entities ?? null, lastRun, before: target.before };
      try {
        target.replace(await metricsText(VERSION, systemClock.now(), reading));
      } catch (error) {
        emit({ type: 'warning', message: notWritten(file, error), hint: 'The run itself is not affected.' });
      }
    });
  } catch (error) {
    if (!saved) {
      const exitCode = error instanceof SyncError ? ERROR_CODES[error.code] : ERROR_CODES.unexpected;
      const finishedAt = new Date(systemClock.now()).toISOString();
      const lastRun = { startedAt, finishedAt, exitCode, entities: {} };
      const text = metricsText(VERSION, systemClock.now(), {
        entities: null,
        lastRun,
        before: target.before,
      });
      await text
        .then((written) => target.replace(written))
        .catch((failure: unknown) => writeError(`warning: ${notWritten(file, failure)}`));
    }
    throw error;
  }
}

function notWritten(file: string, error: unknown): string {
  return `The metrics could not be written to ${file}: ${(error as Error).message}.`;
}
