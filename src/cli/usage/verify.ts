import { Command } from 'commander';
import { DEFAULT_SAMPLE } from '../../sync/read-back/default-sample.js';
import type { CommandAction } from '../command-action.js';
import { collect, entityOption } from '../entity-option.js';
import { wholeNumberArgument } from '../whole-number-argument.js';

/** How `verify` is called. */
export function verifyUsage(action: CommandAction): Command {
  return new Command('verify')
    .description('read records back from the platform and report what differs there')
    .addHelpText('after', '\nExample: placement-sync verify --entity companies --sample 50 --repair')
    .addOption(entityOption())
    .option(
      '--sample <n>',
      `number of random records of each entity (default: ${DEFAULT_SAMPLE})`,
      wholeNumberArgument,
    )
    .option('--all', 'every record')
    .option('--repair', 'send again what drifted or is missing')
    .option(
      '--field <path>',
      'with --repair: also where most records differ in this field, such as region.id; may be repeated',
      collect,
    )
    .option('--json', 'print the result as one JSON object')
    .action(action(async () => (await import('../commands/verify.js')).verifyCommand));
}
