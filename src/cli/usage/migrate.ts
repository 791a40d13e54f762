import { Command } from 'commander';
import type { CommandAction } from '../command-action.js';

/** How `migrate` is called. */
export function migrateUsage(action: CommandAction): Command {
  return new Command('migrate')
    .description('create or update the state schema')
    .addHelpText('after', '\nExample: placement-sync migrate --config my.yaml')
    .option('--down', 'undo the last migration; its tables and their data are deleted')
    .action(action(async () => (await import('../commands/migrate.js')).migrateCommand));
}
