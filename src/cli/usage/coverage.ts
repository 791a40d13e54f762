import { Command } from 'commander';
import type { CommandAction } from '../command-action.js';

/** How `coverage` is called. */
export function coverageUsage(action: CommandAction): Command {
  return new Command('coverage')
    .description('what is assumed of the platform, and what probe has seen of this one')
    .addHelpText('after', '\nExample: placement-sync coverage')
    .option('--json', 'print as one JSON object')
    .action(action(async () => (await import('../commands/coverage.js')).coverageCommand));
}
