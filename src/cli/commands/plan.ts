import { Command } from 'commander';
import type { CommandAction } from '../command-action.js';
import { entityOption } from '../entity-option.js';
import { wholeNumberArgument } from '../whole-number-argument.js';
import { LISTED } from '../output/print-plan.js';
import { planNow } from '../plan-now.js';

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
      action(({ command, signal }) => {
        const flags = command.opts<{ entity: string[]; limit?: number; diff?: boolean; json?: boolean }>();
        const { entity, limit, diff = false, json = false } = flags;
        return planNow(command, signal, { entity, json, limit, diff });
      }),
    );
}
