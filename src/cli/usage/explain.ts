import { Command } from 'commander';
import type { CommandAction } from '../command-action.js';
import { entityArgument } from '../entity-option.js';

/** How `explain` is called. */
export function explainUsage(action: CommandAction): Command {
  return new Command('explain')
    .description('one record: row, payload, validation, decision and why, last reply, what it waits for')
    .addHelpText('after', '\nExample: placement-sync explain vacancies 4711')
    .addArgument(entityArgument())
    .argument(
      '<key>',
      'the record’s key, as the query returns it; for an application status also the application’s id',
    )
    .option('--json', 'print as one JSON object')
    .action(action(async () => (await import('../commands/explain.js')).explainCommand));
}
