import { Command } from 'commander';
import type { CommandAction } from '../command-action.js';

/** How `probe` is called. */
export function probeUsage(action: CommandAction): Command {
  return new Command('probe')
    .description('first contact: finds out with one real record what this platform does otherwise')
    .addHelpText(
      'after',
      '\nIt sends one company, and one vacancy of it, several times (at most 20\nrequests), and nothing else. It says so first and asks; without a terminal\nit needs --yes. Exit code 3: something differs; the setting stands beside it.\nExample: placement-sync probe --company 17 --vacancy 4711',
    )
    .requiredOption('--company <key>', 'the company’s key, as its query returns it')
    .option('--vacancy <key>', 'the key of a vacancy of this company')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print the result as one JSON object')
    .action(action(async () => (await import('../commands/probe.js')).probeCommand));
}
