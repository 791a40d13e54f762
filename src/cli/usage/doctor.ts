import { Command } from 'commander';
import type { CommandAction } from '../command-action.js';
import { entityOption } from '../entity-option.js';

/** How `doctor` is called. */
export function doctorUsage(action: CommandAction): Command {
  return new Command('doctor')
    .description('looks at database, queries, rows, lookups and credentials before the first run')
    .addHelpText(
      'after',
      '\nIt changes nothing: it reads the source in read-only transactions, and sends\none Find of each kind with an id that nobody has. It needs neither a state\ndatabase nor migrate. Exit code 2: something fails; the hint stands below it.\nExample: placement-sync doctor --entity vacancies',
    )
    .addOption(entityOption())
    .option('--json', 'print the result as one JSON object')
    .action(action(async () => (await import('../commands/doctor.js')).doctorCommand));
}
