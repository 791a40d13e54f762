import { Command, Option } from 'commander';
import { RECORD_STATUSES } from '../../domain/names.js';
import type { CommandAction } from '../command-action.js';
import { entityOption } from '../entity-option.js';
import { LISTED } from '../output/listed.js';
import { wholeNumberArgument } from '../whole-number-argument.js';

/** How `records` is called. */
export function recordsUsage(action: CommandAction): Command {
  return new Command('records')
    .description('lists records with status, reason and last attempt, in the order of their keys')
    .addHelpText(
      'after',
      '\nExamples: placement-sync records --entity vacancies --status rejected\n          placement-sync records --reason "has already been taken" --json',
    )
    .addOption(entityOption())
    .addOption(new Option('--status <status>', 'only records of this status').choices(RECORD_STATUSES))
    .option('--reason <text>', 'only those whose reason contains this text, whatever its case')
    .option(
      '--limit <n>',
      `list at most this many (default: ${LISTED}; with --json: all)`,
      wholeNumberArgument,
    )
    .option('--json', 'print as one JSON object')
    .action(action(async () => (await import('../commands/records.js')).recordsCommand));
}
