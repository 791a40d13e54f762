import { Command, Option } from 'commander';
import type { CommandAction } from '../command-action.js';

/** How `status` is called. */
export function statusUsage(action: CommandAction): Command {
  return new Command('status')
    .description('per entity: counts by status, last success, oldest pending, held; what expires soon')
    .addHelpText(
      'after',
      '\nExamples: placement-sync status --watch\n          placement-sync status --bundle placement-sync-bundle.json',
    )
    .option('--invalid', 'also list every invalid record, and all reasons why records are invalid or wait')
    .option('--watch', 'show it again every three seconds until Ctrl-C')
    .option('--json', 'print as one JSON object')
    .addOption(
      new Option(
        '--bundle <file>',
        'write what support needs to a file instead: versions, configuration, runs, errors; no secrets, no payloads',
      ).conflicts(['json', 'watch', 'invalid']),
    )
    .action(action(async () => (await import('../commands/status.js')).statusCommand));
}
