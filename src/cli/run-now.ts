import type { Command } from 'commander';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { LoadedConfig } from '../config/load.js';
import { ERROR_CODES, SyncError, usageError } from '../domain/errors.js';
import type { Emit } from '../domain/events.js';
import type { EntityName } from '../domain/names.js';
import { plural } from '../domain/text.js';
import type { State } from '../ports/state.js';
import { readStatus } from '../sync/explain/read-status.js';
import { planSync } from '../sync/plan/plan-sync.js';
import type { RunContext } from '../sync/run-context.js';
import type { RunReport } from '../sync/run/end.js';
import { runSync } from '../sync/run/run.js';
import { commandContext } from './command-context.js';
import { configuredEntities } from './compose/configured-entities.js';
import { systemClock, VERSION } from './compose/package-info.js';
import { withPlanContext } from './compose/open-run.js';
import { io } from './io.js';
import { openMetricsFile } from './output/metrics-file.js';
import { planExitCode, printPlan } from './output/print-plan.js';
import { failedReport, printRun } from './output/print-run.js';
import { LISTED, say, writeError, writeJson } from './output/write.js';

/** Prints what a run would do, writes nothing. Gives the exit code. */
export async function planNow(
  command: Command,
  signal: AbortSignal,
  options: {
    readonly entity: readonly string[];
    readonly json: boolean;
    /** Changes to list; absent: some for people, all for programs. */
    readonly limit?: number | undefined;
    readonly diff?: boolean;
    /** Exit code 10 when there is something to send. */
    readonly detailed?: boolean;
  },
): Promise<number> {
  const { entity, json, limit = json ? Infinity : LISTED, diff = false, detailed = false } = options;
  const { config, emit } = commandContext(command, { withoutCredentials: true });
  for (const [area, names] of config.unsetCredentials) {
    const message = `platform.${area}: ${names.join(' and ')} ${plural(names.length, 'is', 'are')} not set. A plan sends nothing; run needs the credentials.`;
    emit({ type: 'warning', message });
  }
  const entities = configuredEntities(config, entity);
  return withPlanContext(config, { emit, signal, entities }, async (context, missing) => {
    const report = await planSync(context, { limit, diff, invalidFirst: !json });
    printPlan(report, { json, missing });
    return planExitCode(report, detailed);
  });
}

/** Sends what is pending, unless another process is sending. Gives the exit code. */
export async function pushNow(context: RunContext): Promise<number> {
  const report = await runSync(context, { trigger: 'manual', pushOnly: true });
  if (report.outcome === 'busy') {
    const { heldBy } = report.aside;
    say(heldBy && !heldBy.own ? `${heldBy.holder} is running and sends them.` : 'The next run sends them.');
    return 0;
  }
  await printRun(context, report, false);
  return report.exitCode;
}

/** Writes how the run ended, with the state of every configured entity. */
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

/** Notes which entities the run is about, as soon as that is known. */
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

/** The bytes of a file (`-`: standard input), unchanged: the signature covers a line feed at the end too. */
export function readBody(file: string): Buffer {
  const { cwd, readInput } = io();
  try {
    return file === '-' ? readInput() : readFileSync(resolve(cwd, file));
  } catch (error) {
    throw usageError(`The body ${file} cannot be read: ${(error as Error).message}`);
  }
}

type SyncEnd = Pick<RunReport, 'exitCode'> & {
  readonly entities: Readonly<Record<string, { readonly accepted: number }>>;
};

/** Exit code of a sync of the sample: it has broken records. */
const AS_EXPECTED = 3;

/** Whether a sync of the sample ended as it must. */
export function finishedAsExpected({ exitCode }: Pick<RunReport, 'exitCode'>): boolean {
  return exitCode === AS_EXPECTED;
}

/** 0 when the demo did what it promises: the first sync sends the sample, the second only the few edits. */
export function demoExitCode(first: SyncEnd, second: SyncEnd): 0 | 1 {
  const sent = ({ entities }: SyncEnd) =>
    Object.values(entities).reduce((sum, { accepted }) => sum + accepted, 0);
  const did =
    finishedAsExpected(first) &&
    finishedAsExpected(second) &&
    sent(first) > 1_000 &&
    sent(second) > 0 &&
    sent(second) < 10;
  return did ? 0 : 1;
}
