import type { AppContext } from '../../features/create-state.js';
import type { Command } from 'commander';
import { usageError } from '../../core/domain/errors.js';
import type { Emit } from '../../core/domain/events.js';
import { listed } from '../../core/domain/text.js';
import { runSync } from '../../core/run/run.js';
import { commandContext } from '../command-context.js';
import { commonOptions, type Handler } from '../common-options.js';
import { configuredEntities } from '../compose/configured-entities.js';
import { prepareNotices } from '../compose/notices.js';
import { warnOfOpenQuestions } from '../compose/open-questions.js';
import { withRunContext } from '../compose/open-run.js';
import { holderText, printRun } from '../output/print-run.js';
import { say } from '../output/write.js';
import { withMetricsFile, withSummary } from '../run-now.js';

interface RunFlags {
  readonly entity: string[];
  readonly migrate?: boolean;
  readonly dryRun?: boolean;
  readonly metricsFile?: string;
  readonly treatAsSuccess: readonly number[];
  readonly json?: boolean;
}

export const runCommand: Handler = async (invocation) => {
  const { treatAsSuccess, json = false } = invocation.command.opts<RunFlags>();
  let keptBack: readonly string[] = [];
  const exitCode = await runOnce(invocation, (names) => (keptBack = names));
  if (!treatAsSuccess.includes(exitCode)) return exitCode;
  if (exitCode === 3 && keptBack.length > 0) {
    if (!json)
      say(
        `Exit code 3 is not treated as success: of ${listed(keptBack)}, one record of 20 or more needs correction.`,
      );
    return exitCode;
  }
  if (!json) say(`Exit code ${exitCode} is treated as success: the process ends with 0.`);
  return 0;
};

/** Gives the true exit code. */
async function runOnce(
  { command, signal }: Parameters<Handler>[0],
  noteKeptBack: (names: readonly string[]) => void,
): Promise<number> {
  const { entity, dryRun = false, json = false, migrate = false, metricsFile } = command.opts<RunFlags>();
  if (dryRun) {
    if (migrate)
      throw usageError(
        '--dry-run writes nothing, so it cannot be combined with --migrate.',
        'First: placement-sync migrate. Then: placement-sync run --dry-run.',
      );
    if (metricsFile !== undefined)
      throw usageError(
        '--metrics-file cannot be combined with --dry-run.',
        'Leave out --dry-run or --metrics-file.',
      );
    const { planNow } = await import('./plan.js');
    return planNow(command, signal, { entity, json });
  }
  return withSummary(json, (noteEntities) =>
    withMetricsFile(metricsFile, async (saveMetrics) => {
      const { config, emit: toLog } = commandContext(command);
      const log = reportingBusy(command, config.settings.logging.level, toLog);
      const notices = prepareNotices(config, log);
      const { emit } = notices;
      const entities = configuredEntities(config, entity);
      noteEntities(entities);
      return withRunContext(config, { emit, signal, migrate, entities }, async (context) => {
        const { state } = context;
        let busy = false;
        try {
          await warnOfOpenQuestions(await neverSent(context), emit);
          const report = await runSync(context, { trigger: 'manual' });
          busy = report.outcome === 'busy';
          noteKeptBack(report.aside.keptBack);
          await saveMetrics(config, state, emit, report);
          await printRun(context, report, json);
          return report.exitCode;
        } finally {
          // The other run notifies for itself. A run that could not begin notifies too.
          if (!busy) await notices.notifyOnce(context);
        }
      });
    }),
  );
}

/** The entities of which the platform has taken nothing yet. One after the other: the role may have one connection. */
async function neverSent({ entities, state }: AppContext): Promise<AppContext['entities']> {
  const found: AppContext['entities'][number][] = [];
  for (const entity of entities)
    if ((await state.records.counts(entity.name)).synced === 0) found.push(entity);
  return found;
}

/** Another run ends this command, so the message appears even where only errors are logged. */
function reportingBusy(command: Command, level: string, emit: Emit): Emit {
  if (!commonOptions(command).quiet && level !== 'error') return emit;
  return (event) => {
    emit(event);
    if (event.type !== 'lease-taken') return;
    emit({ type: 'command-failed', code: 'busy', message: holderText(event), hint: undefined });
  };
}
