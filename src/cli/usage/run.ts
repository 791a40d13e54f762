import { Command } from 'commander';
import type { CommandAction } from '../command-action.js';
import { entityOption } from '../entity-option.js';
import { successCodesArgument } from '../success-codes-argument.js';

/** How `run` is called. */
export function runUsage(action: CommandAction): Command {
  return new Command('run')
    .description('one sweep and push, then exit (for cron and Kubernetes CronJobs)')
    .addHelpText(
      'after',
      '\nExamples: placement-sync run --treat-as-success 3,6\n          placement-sync run --json --config /etc/placement-sync/placement-sync.yaml\n          placement-sync run --metrics-file /var/lib/node_exporter/placement-sync.prom',
    )
    .addOption(entityOption())
    .option('--migrate', 'bring the state schema up to date first')
    .option('--dry-run', 'like plan: show what would be sent, write nothing')
    .option(
      '--metrics-file <file>',
      'write metrics to it for node-exporter’s textfile collector, also when the run fails',
    )
    .option(
      '--treat-as-success <codes>',
      'end with 0 where the exit code is one of these, such as 3,6; summary, log and JSON keep the true one',
      successCodesArgument,
      [],
    )
    .option('--json', 'print the summary as one JSON object')
    .action(action(async () => (await import('../commands/run.js')).runCommand));
}
