import { Command } from 'commander';
import type { CommandAction } from '../command-action.js';

/** How `demo` is called. */
export function demoUsage(action: CommandAction): Command {
  return new Command('demo')
    .description('the main job on an embedded Postgres with sample data and a local copy of the platform')
    .addHelpText('after', '\nExample: placement-sync demo --keep')
    .option('--keep', 'leave both running until Ctrl-C, and print how to look around')
    .action(action(async () => (await import('../commands/demo.js')).demoCommand));
}
