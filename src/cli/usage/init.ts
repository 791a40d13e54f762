import { Command } from 'commander';
import type { CommandAction } from '../command-action.js';

/** How `init` is called. */
export function initUsage(action: CommandAction): Command {
  return new Command('init')
    .description('look at the tables of SOURCE_DATABASE_URL, and draft configuration, queries and lookups')
    .option('-y, --yes', 'do not ask: take the likeliest table of each entity')
    .option('-o, --out <dir>', 'folder to write to; a file in it is never overwritten', 'config')
    .addHelpText(
      'after',
      `
It reads in read-only transactions, each statement for at most ten seconds, and no column of people (applicants, users,
passwords, birth, telephone). None is open while it asks.

Examples: SOURCE_DATABASE_URL=postgres://reader@db/hr placement-sync init
          placement-sync init --yes --out drafts`,
    )
    .action(action(async () => (await import('../commands/init.js')).initCommand));
}
