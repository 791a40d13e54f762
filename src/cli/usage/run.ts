import { Command } from 'commander';
import type { CommandAction } from '../command-action.js';
import { entityOption } from '../entity-option.js';

/** How `run` is called. */
export function runUsage(action: CommandAction): Command {
  return new Command('run')
    .description('one sweep and push, then exit (for cron and Kubernetes CronJobs)')
    .addHelpText(
      'after',
      '\nExamples: placement-sync run --json --config /etc/placement-sync/placement-sync.yaml\n          placement-sync run --metrics-file /var/lib/node_exporter/placement-sync.prom',
    )
    .addOption(entityOption())
    .option('--migrate', 'bring the state schema up to date first')
    .option('--dry-run', 'like plan: show what would be sent, write nothing')
    .option(
      '--metrics-file <file>',
      'write metrics to it for node-exporter’s textfile collector, also when the run fails',
    )
    .option('--json', 'print the summary as one JSON object')
    .action(action(async () => (await import('../commands/run.js')).runCommand));
}
