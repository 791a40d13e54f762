import { Command, Option } from 'commander';
import type { CommandAction } from '../command-action.js';
import { dayArgument } from '../day-argument.js';
import { entityOption } from '../entity-option.js';

/** How `report` is called. */
export function reportUsage(action: CommandAction): Command {
  return new Command('report')
    .description('what the platform accepted, closed and refused, by day and company: the proof of reporting')
    .addHelpText(
      'after',
      '\nExamples: placement-sync report --from 2026-01-01 --to 2026-01-31\n          placement-sync report --entity vacancies --csv > reported.csv',
    )
    .option(
      '--from <day>',
      'the first day, such as 2026-01-01 (default: 29 days before the last)',
      dayArgument,
    )
    .option('--to <day>', 'the last day (default: today, in platform.timeZone)', dayArgument)
    .addOption(entityOption())
    .addOption(
      new Option('--csv', 'print every request with its Request-Id, one line each').conflicts('json'),
    )
    .option('--json', 'print as one JSON object')
    .action(action(async () => (await import('../commands/report.js')).reportCommand));
}
