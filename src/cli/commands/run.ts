import { Command } from 'commander';
import { planSync } from '../../sync/plan-sync.js';
import { runSync } from '../../sync/run-sync.js';
import type { CommandAction } from '../command-action.js';
import { commandContext } from '../command-context.js';
import { entityPlans, selectPlans } from '../compose/entity-plans.js';
import { runSettings } from '../compose/run-settings.js';
import { withSession } from '../compose/session.js';
import { entityOption } from '../entity-option.js';
import { LISTED, planExitCode, printPlan } from '../output/print-plan.js';
import { printRun } from '../output/print-run.js';
import { withSummary } from '../with-summary.js';

interface RunFlags {
  readonly entity: string[];
  readonly migrate?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** One sweep and push, then exit. */
export function runCommand(action: CommandAction): Command {
  return new Command('run')
    .description('one sweep and push, then exit (for cron and Kubernetes CronJobs)')
    .addHelpText(
      'after',
      '\nExample: placement-sync run --json --config /etc/placement-sync/placement-sync.yaml',
    )
    .addOption(entityOption())
    .option('--migrate', 'bring the state schema up to date first')
    .option('--dry-run', 'as plan: say what would be sent, write nothing')
    .option('--json', 'print the summary as one JSON object')
    .action(
      action(async ({ command, signal }) => {
        const flags = command.opts<RunFlags>();
        const { config, emit } = commandContext(command);
        const plans = selectPlans(entityPlans(config), flags.entity);
        const settings = runSettings(config);
        const { json = false, migrate = false } = flags;
        if (flags.dryRun) {
          return withSession(config, { emit, signal, migrate }, async (dependencies) => {
            const report = await planSync(dependencies, plans, settings.sweep, {
              limit: json ? Infinity : LISTED,
              diff: false,
            });
            printPlan(report, json);
            return planExitCode(report);
          });
        }
        return withSummary(json, plans, () =>
          withSession(config, { emit, signal, migrate }, async (dependencies) => {
            const report = await runSync(dependencies, plans, settings, { trigger: 'manual' });
            await printRun(dependencies.state, report, json);
            return report.exitCode;
          }),
        );
      }),
    );
}
