import { Command } from 'commander';
import type { CommandAction } from '../command-action.js';
import { withCommonOptions } from '../common-options.js';

/** How `notify` is called. */
export function notifyUsage(action: CommandAction): Command {
  const test = new Command('test')
    .description('send a test message by every configured way, and print the result of each')
    .addHelpText(
      'after',
      '\nExample: placement-sync notify test --config my.yaml\nIt needs notify.url or notify.smtp, but no database and no platform. Exit codes: 0 every way worked · 1 one failed · 2 none is configured',
    )
    .action(action(async () => (await import('../commands/notify.js')).notifyCommand));
  return new Command('notify')
    .description('notices about trouble')
    .addHelpText('after', '\nExample: placement-sync notify test --config my.yaml')
    .addCommand(withCommonOptions(test));
}
