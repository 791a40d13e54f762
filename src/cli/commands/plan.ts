import { Command } from 'commander';
import { planSync } from '../../sync/plan-sync.js';
import type { CommandAction } from '../command-action.js';
import { commandContext } from '../command-context.js';
import { entityPlans, selectPlans } from '../compose/entity-plans.js';
import { runSettings } from '../compose/run-settings.js';
import { withSession } from '../compose/session.js';
import { entityOption } from '../entity-option.js';
import { wholeNumberArgument } from '../whole-number-argument.js';
import { LISTED, planExitCode, printPlan } from '../output/print-plan.js';

/** What `run` would send; writes nothing. */
export function planCommand(action: CommandAction): Command {
  return new Command('plan')
    .description('what run would send; nothing is written or sent')
    .addHelpText('after', '\nExample: placement-sync plan --entity vacancies --limit 10')
    .addOption(entityOption())
    .option(
      '--limit <n>',
      `list at most this many changes (default: ${LISTED}; with --json: all)`,
      wholeNumberArgument,
    )
    .option('--diff', 'show every field that changes, with its value now and then')
    .option('--json', 'print counters and changes as one JSON object')
    .action(
      action(async ({ command, signal }) => {
        const {
          entity,
          limit,
          diff = false,
          json = false,
        } = command.opts<{ entity: string[]; limit?: number; diff?: boolean; json?: boolean }>();
        const { config, emit } = commandContext(command);
        const plans = selectPlans(entityPlans(config), entity);
        return withSession(config, { emit, signal }, async (dependencies) => {
          const report = await planSync(dependencies, plans, runSettings(config).sweep, {
            limit: limit ?? (json ? Infinity : LISTED),
            diff,
          });
          printPlan(report, json);
          return planExitCode(report);
        });
      }),
    );
}
