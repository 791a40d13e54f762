import { Command } from 'commander';
import type { CommandAction } from '../command-action.js';
import { entityOption } from '../entity-option.js';

/** How `adopt` is called. */
export function adoptUsage(action: CommandAction): Command {
  return new Command('adopt')
    .description(
      'build the ledger from what the platform already holds, sending nothing; or accept a changed environment',
    )
    .addHelpText(
      'after',
      '\nExamples: placement-sync adopt --entity companies\n          placement-sync adopt --environment --keep',
    )
    .addOption(entityOption())
    .option('--json', 'print the result as one JSON object')
    .option('--environment', 'base address, client id or id namespace changed')
    .option('--keep', 'the same platform under a new address or client id')
    .option('--reset', 'another platform: forget what was sent to the former one')
    .option('-y, --yes', 'with --reset: do not ask')
    .action(action(async () => (await import('../commands/adopt.js')).adoptCommand));
}
