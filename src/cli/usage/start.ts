import { Command } from 'commander';
import type { CommandAction } from '../command-action.js';

/** How `start` is called. */
export function startUsage(action: CommandAction): Command {
  return new Command('start')
    .description('the long-running worker: sweeps on schedule, sends beside it, receives applications')
    .addHelpText(
      'after',
      '\nExample: placement-sync start --config my.yaml\nSIGTERM ends it: it first finishes and writes what is under way. A second SIGTERM ends it at once.',
    )
    .option('--migrate', 'bring the state schema up to date first')
    .action(action(async () => (await import('../commands/start.js')).startCommand));
}
