import { Command } from 'commander';
import type { CommandAction } from '../command-action.js';
import { entityArgument } from '../entity-option.js';

/** How `approve` is called. */
export function approveUsage(action: CommandAction): Command {
  return new Command('approve')
    .description('approve a held entity: its next sweep, or the push that rejections stopped')
    .addHelpText(
      'after',
      '\nIt first says what will happen at the platform. On a terminal it\nasks; without one (a script, cron) it needs --yes.\nExample: placement-sync approve companies',
    )
    .addArgument(entityArgument())
    .option('-y, --yes', 'do not ask')
    .action(action(async () => (await import('../commands/approve.js')).approveCommand));
}
