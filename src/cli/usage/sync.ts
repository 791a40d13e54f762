import { Command, Option } from 'commander';
import { DEFAULT_SAMPLE } from '../../core/domain/outcome.js';
import {
  collect,
  durationArgument,
  entityArgument,
  entityOption,
  reasonOption,
  successCodesArgument,
  wholeNumberArgument,
} from '../arguments.js';
import { type CommandAction, withCommonOptions } from '../common-options.js';
import { LISTED } from '../output/write.js';

/* How the commands are called that sync, or mark what is to be sent. Only words and options: the action loads the work. */

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
      'end with 0 where the exit code is one of these, such as 3,6 (3 not while one record of 20 or more needs correction); summary, log and JSON keep the true one',
      successCodesArgument,
      [],
    )
    .option('--json', 'print the summary as one JSON object')
    .action(action(async () => (await import('../commands/run.js')).runCommand));
}

export function resyncUsage(action: CommandAction): Command {
  return new Command('resync')
    .description('read everything (or what you name) in full and send it again')
    .addHelpText(
      'after',
      '\nExamples: placement-sync resync --entity vacancies --key 4711\n          placement-sync resync --entity vacancies --search perawat',
    )
    .addOption(entityOption())
    .option('-k, --key <key>', 'only this record; may be repeated, needs --entity', collect)
    .addOption(searchOption().conflicts('key'))
    .addOption(matchingOption().conflicts('key'))
    .option('--json', 'print the summary as one JSON object')
    .addOption(reasonOption())
    .action(action(async () => (await import('../commands/resync.js')).resyncCommand));
}

export function planUsage(action: CommandAction): Command {
  return new Command('plan')
    .description(
      'what run would send, and what not and why; nothing is written or sent; works before migrate',
    )
    .addHelpText('after', '\nExample: placement-sync plan --entity vacancies --limit 10')
    .addOption(entityOption())
    .option(
      '--limit <n>',
      `list at most this many changes (default: ${LISTED}; with --json: all)`,
      wholeNumberArgument,
    )
    .option(
      '--sample <n>',
      'also print this many records of each entity whole, as they would be sent',
      wholeNumberArgument,
    )
    .option('--diff', 'show every field that changes, with its value now and then')
    .option(
      '--detailed-exitcode',
      'exit code 0: nothing to send, 10: there are changes, 1: error (2 stays for usage)',
    )
    .option('--json', 'print counters, changes and groups as one JSON object')
    .action(action(async () => (await import('../commands/plan.js')).planCommand));
}

export function startUsage(action: CommandAction): Command {
  return new Command('start')
    .description('the long-running worker: sweeps on schedule, sends beside it, receives applications')
    .addHelpText(
      'after',
      '\nExample: placement-sync start --config my.yaml\nSIGTERM ends it: it first finishes and writes what is under way. A second SIGTERM ends it at once.',
    )
    .option('--migrate', 'bring the state schema up to date first')
    .action(action(async () => (await import('../commands/start.js')).startCommand));
}

/** Filters of records, as those of `records`. */
const searchOption = () => new Option('--search <text>', 'only those whose key or title contains this text');
const matchingOption = () =>
  new Option('--matching <text>', 'only those whose reason, as `records` shows it, contains this text');

export function retryUsage(action: CommandAction): Command {
  return new Command('retry')
    .description('send rejected (or deferred) records again')
    .addHelpText(
      'after',
      '\nExamples: placement-sync retry --since 2h --entity vacancies --preview\n          placement-sync retry --matching "has already been taken"',
    )
    .addOption(entityOption())
    .addOption(
      new Option('--status <status>', 'which records').choices(['rejected', 'deferred']).default('rejected'),
    )
    .addOption(
      new Option(
        '--removed',
        'instead, those that the platform accepted and then refused or removed',
      ).conflicts('status'),
    )
    .option('-k, --key <key>', 'only this record; may be repeated, needs --entity', collect)
    .addOption(searchOption().conflicts('key'))
    .addOption(matchingOption().conflicts('key'))
    .option('--since <duration>', 'only those last tried within this time, such as 2h', durationArgument)
    .option('--preview', 'only print how many there are')
    .addOption(reasonOption())
    .action(action(async () => (await import('../commands/retry.js')).retryCommand));
}

export function approveUsage(action: CommandAction): Command {
  return new Command('approve')
    .description('approve a held entity: its next sweep, or the push that rejections stopped')
    .addHelpText(
      'after',
      '\nIt first says what will happen at the platform. On a terminal it\nasks; without one (a script, cron) it needs --yes.\nExample: placement-sync approve companies',
    )
    .addArgument(entityArgument())
    .option('-y, --yes', 'do not ask')
    .addOption(reasonOption())
    .action(action(async () => (await import('../commands/approve.js')).approveCommand));
}

export function migrateUsage(action: CommandAction): Command {
  return new Command('migrate')
    .description('create or update the state schema')
    .addHelpText(
      'after',
      '\nmigrate --down first says what it deletes. On a terminal it asks; without\none (a script, cron) it needs --yes.\nExamples: placement-sync migrate --config my.yaml\n          placement-sync migrate --down --to 14',
    )
    .option('--down', 'undo the last migration; its tables and their data are deleted')
    .option('--to <n>', 'with --down: undo all after the migration of this number', wholeNumberArgument)
    .option('-y, --yes', 'with --down: do not ask')
    .addOption(reasonOption())
    .action(action(async () => (await import('../commands/migrate.js')).migrateCommand));
}

export function adoptUsage(action: CommandAction): Command {
  return new Command('adopt')
    .description(
      'build the ledger from what the platform already holds, sending nothing; or accept a changed environment, or a moved state database',
    )
    .addHelpText(
      'after',
      '\nExamples: placement-sync adopt --entity companies\n          placement-sync adopt --environment --keep',
    )
    .addOption(entityOption())
    .option('--json', 'print the result as one JSON object')
    .option('--environment', 'base address, client id or id namespace changed')
    .option('--keep', 'the same platform under a new address or client id')
    .option('--reset', 'another platform: forget what was sent to the former one')
    .addOption(
      new Option(
        '--state-moved',
        'the state database was moved with everything in it: it did not go back in time',
      ).conflicts(['environment', 'keep', 'reset', 'json']),
    )
    .option('-y, --yes', 'with --reset or --state-moved: do not ask')
    .addOption(reasonOption())
    .action(action(async () => (await import('../commands/adopt.js')).adoptCommand));
}

export function verifyUsage(action: CommandAction): Command {
  return new Command('verify')
    .description('read records back from the platform and report what differs there')
    .addHelpText(
      'after',
      '\nExamples: placement-sync verify --entity companies --sample 50 --repair\n          placement-sync verify --entity vacancies --key 4711',
    )
    .addOption(entityOption())
    .option(
      '--sample <n>',
      `number of random records of each entity (default: ${DEFAULT_SAMPLE})`,
      wholeNumberArgument,
    )
    .option('--all', 'every record')
    .option('-k, --key <key>', 'only this record, now; may be repeated, needs --entity', collect)
    .option('--repair', 'send again what drifted or is missing')
    .option(
      '--field <path>',
      'with --repair: also where most records differ in this field, such as region.id; may be repeated',
      collect,
    )
    .option('--json', 'print the result as one JSON object')
    .addOption(reasonOption())
    .action(action(async () => (await import('../commands/verify.js')).verifyCommand));
}

export function inboxUsage(action: CommandAction): Command {
  const reread = new Command('reread')
    .description(
      'read the stored webhooks that were not recognised again, and store what is an application now',
    )
    .addHelpText(
      'after',
      '\nTriggers on job_application run for each of them, as at receipt. Running it again does no harm. Exit code 1: something was refused; it stays.\nExample: placement-sync inbox reread --json',
    )
    .option('--json', 'print the counts as one JSON object')
    .addOption(reasonOption())
    .action(action(async () => (await import('../commands/inbox.js')).rereadCommand));
  return new Command('inbox')
    .description('job applications that came by webhook: read again what was not recognised')
    .addHelpText(
      'after',
      '\nThe dashboard lists them; explain says where a vacancy stands.\nExample: placement-sync inbox reread',
    )
    .addCommand(withCommonOptions(reread));
}

export function probeUsage(action: CommandAction): Command {
  return new Command('probe')
    .description('first contact: finds out with one real record what this platform does otherwise')
    .addHelpText(
      'after',
      '\nIt sends one company, and one vacancy of it, several times (at most 20\nrequests), and nothing else. It says so first and asks; without a terminal\nit needs --yes. Exit code 3: something differs; the setting stands beside it.\nExamples: placement-sync probe --company 17 --vacancy 4711\n          placement-sync probe --last',
    )
    .option('--company <key>', 'the company’s key, as its query returns it')
    .option('--vacancy <key>', 'the key of a vacancy of this company')
    .addOption(new Option('--last', 'show what the last probe saw').conflicts(['company', 'vacancy', 'yes']))
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print the result as one JSON object')
    .addOption(reasonOption())
    .action(action(async () => (await import('../commands/probe.js')).probeCommand));
}
