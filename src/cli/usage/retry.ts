import { Command, Option } from 'commander';
import type { CommandAction } from '../command-action.js';
import { durationArgument } from '../duration-argument.js';
import { entityOption } from '../entity-option.js';

/** How `retry` is called. */
export function retryUsage(action: CommandAction): Command {
  return new Command('retry')
    .description('send rejected (or deferred) records again')
    .addHelpText('after', '\nExample: placement-sync retry --since 2h --entity vacancies --preview')
    .addOption(entityOption())
    .addOption(
      new Option('--status <status>', 'which records').choices(['rejected', 'deferred']).default('rejected'),
    )
    .option('--since <duration>', 'only those last tried within this time, such as 2h', durationArgument)
    .option('--preview', 'only print how many there are')
    .action(action(async () => (await import('../commands/retry.js')).retryCommand));
}
