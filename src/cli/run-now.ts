import type { AppContext, State } from '../features/create-state.js';
import type { LoadedConfig } from '../core/config/load.js';
import { ERROR_CODES, SyncError } from '../core/domain/errors.js';
import type { Emit } from '../core/domain/events.js';
import type { EntityName } from '../core/domain/names.js';
import { readStatus } from '../features/look/read-status.js';
import type { RunReport } from '../core/run/end.js';
import { requestSweep } from '../features/actions/resync.js';
import { runSync } from '../core/run/run.js';
import { COMMIT, systemClock, VERSION } from './compose/package-info.js';
import { openMetricsFile } from './output/metrics-file.js';
import { failedReport, printRun } from './output/print-run.js';
import { say, writeError, writeJson } from './output/write.js';

/*
 * What commands have around the run that they start: the push after `approve` and `retry`, a summary and metrics also when
 * the run fails or cannot begin.
 */

/** Sends what is pending, unless another process is sending. Gives the exit code. */
export async function pushNow(context: AppContext): Promise<number> {
  const report = await runSync(context, { trigger: 'manual', pushOnly: true });
  if (report.outcome === 'busy') {
    const { heldBy } = report.aside;
    // Wakes a worker that waits to try a stopped area again.
    await requestSweep(context.state);
    say(heldBy && !heldBy.own ? `${heldBy.holder} is running and sends them.` : 'The next run sends them.');
    return 0;
  }
  await printRun(context, report, false);
  return report.exitCode;
}

type SaveMetrics = (config: LoadedConfig, state: State, emit: Emit, report: RunReport) => Promise<void>;

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
  const { metricsText } = await import('../features/metrics/metrics.js');
  const replace = async (reading: Omit<Parameters<typeof metricsText>[2], 'before'>): Promise<void> =>
    target.replace(
      await metricsText({ version: VERSION, commit: COMMIT }, systemClock.now(), {
        ...reading,
        before: target.before,
      }),
    );
  const startedAt = new Date(systemClock.now()).toISOString();
  let saved = false;
  try {
    return await work(async (config, state, emit, lastRun) => {
      saved = true;
      const status = await readStatus(state, [...config.entities.keys()]).catch(() => null);
      await replace({ entities: status?.entities ?? null, lastRun }).catch((error: unknown) =>
        emit({ type: 'warning', message: notWritten(file, error), hint: 'The run itself is not affected.' }),
      );
    });
  } catch (error) {
    if (!saved) {
      const exitCode = error instanceof SyncError ? ERROR_CODES[error.code] : ERROR_CODES.unexpected;
      const finishedAt = new Date(systemClock.now()).toISOString();
      const lastRun = { startedAt, finishedAt, exitCode, entities: {} };
      await replace({ entities: null, lastRun }).catch((failure: unknown) =>
        writeError(`warning: ${notWritten(file, failure)}`),
      );
    }
    throw error;
  }
}

function notWritten(file: string, error: unknown): string {
  return `The metrics could not be written to ${file}: ${(error as Error).message}.`;
}

type NoteEntities = (entities: readonly { readonly name: EntityName }[]) => void;

/**
 * Does `work`, which prints its own summary when it ends. When it throws, a program that asked for JSON still gets a
 * summary of the entities known so far (none for an invalid configuration). The error is passed on.
 */
export async function withSummary(
  json: boolean,
  work: (noteEntities: NoteEntities) => Promise<number>,
): Promise<number> {
  const startedAt = new Date();
  let entities: readonly EntityName[] = [];
  try {
    return await work((noted) => (entities = noted.map(({ name }) => name)));
  } catch (error) {
    const known = error instanceof SyncError;
    const code = known ? error.code : 'unexpected';
    // A defect's own message may hold anything.
    const message = known ? error.message : 'unexpected error; see standard error';
    if (json) writeJson(failedReport(entities, startedAt, ERROR_CODES[code], { code, message }));
    throw error;
  }
}
