import { Command } from 'commander';
import type { CommandAction } from '../command-action.js';
import { entityOption } from '../entity-option.js';
import { LISTED } from '../output/listed.js';
import { wholeNumberArgument } from '../whole-number-argument.js';

/** How `plan` is called. */
export function planUsage(action: CommandAction): Command {
  return new Command('plan')
    .description(
      'what run would send, and what not and why; nothing is written or sent; works before migrate',
    )
    .addHelpText('after', '\nExample: placement-sync plan --entity vacancies --limit 10')
    .addOption(entityOption())
    .option(
      '--limit <n>',
      `list at most this many changes (default: ${LISTED}; with --json: all)`,
      wholeNumberArgument,
    )
    .option('--diff', 'show every field that changes, with its value now and then')
    .option(
      '--detailed-exitcode',
      'exit code 0: nothing to send, 10: there are changes, 1: error (2 stays for usage)',
    )
    .option('--json', 'print counters, changes and groups as one JSON object')
    .action(action(async () => (await import('../commands/plan.js')).planCommand));
}
