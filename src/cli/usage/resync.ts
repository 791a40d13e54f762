import { Command } from 'commander';
import type { CommandAction } from '../command-action.js';
import { entityOption, collect } from '../entity-option.js';

/** How `resync` is called. */
export function resyncUsage(action: CommandAction): Command {
  return new Command('resync')
    .description('read everything (or what you name) in full and send it again')
    .addHelpText('after', '\nExample: placement-sync resync --entity vacancies --key 4711')
    .addOption(entityOption())
    .option('-k, --key <key>', 'only this record; may be repeated, needs --entity', collect)
    .option('--json', 'print the summary as one JSON object')
    .action(action(async () => (await import('../commands/resync.js')).resyncCommand));
}
