import { Command } from 'commander';
import type { CommandAction } from '../command-action.js';

/** How `migrate` is called. */
export function migrateUsage(action: CommandAction): Command {
  return new Command('migrate')
    .description('create or update the state schema')
    .addHelpText(
      'after',
      '\nmigrate --down first says what it deletes. On a terminal it asks; without\none (a script, cron) it needs --yes.\nExample: placement-sync migrate --config my.yaml',
    )
    .option('--down', 'undo the last migration; its tables and their data are deleted')
    .option('-y, --yes', 'with --down: do not ask')
    .action(action(async () => (await import('../commands/migrate.js')).migrateCommand));
}
