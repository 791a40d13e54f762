import { Command, Option } from 'commander';
import { RECORD_STATUSES } from '../../core/domain/names.js';
import {
  dayArgument,
  durationArgument,
  entityArgument,
  entityOption,
  limitOption,
  reasonOption,
} from '../arguments.js';
import { type CommandAction, withCommonOptions } from '../common-options.js';

/* How the commands are called that only look, check or explain, and `init`. Only words and options: the action loads the work. */

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
        '--exit-code',
        'exit as a run that ends with what is wrong now: 0, 3, 4 or 5; 1: something else needs a person',
      ).conflicts(['watch', 'bundle']),
    )
    .addOption(
      new Option(
        '--bundle <file>',
        'write what support needs to a file instead: versions, configuration, runs, errors; no secrets, no payloads',
      ).conflicts(['json', 'watch', 'invalid']),
    )
    .action(action(async () => (await import('../commands/status.js')).statusCommand));
}

export function recordsUsage(action: CommandAction): Command {
  return new Command('records')
    .description('lists records with status, reason and last attempt, in the order of their keys')
    .addHelpText(
      'after',
      '\nExamples: placement-sync records --entity vacancies --status rejected\n          placement-sync records --search perawat\n          placement-sync records --reason "has already been taken" --json',
    )
    .addOption(entityOption())
    .addOption(new Option('--status <status>', 'only records of this status').choices(RECORD_STATUSES))
    .option('--search <text>', 'only those whose key or title contains this text, whatever its case')
    .option('--reason <text>', 'only those whose reason contains this text, whatever its case')
    .addOption(limitOption())
    .option('--json', 'print as one JSON object')
    .action(action(async () => (await import('../commands/records.js')).recordsCommand));
}

export function actionsUsage(action: CommandAction): Command {
  return new Command('actions')
    .description('what people did by hand, by command or on the page: who, when, what, why; the latest first')
    .addHelpText('after', '\nExample: placement-sync actions --since 7d')
    .option('--since <duration>', 'only within this time, such as 7d', durationArgument)
    .addOption(limitOption())
    .option('--json', 'print as one JSON object')
    .action(action(async () => (await import('../commands/actions.js')).actionsCommand));
}

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

export function subjectUsage(action: CommandAction): Command {
  const who = (command: Command) =>
    withCommonOptions(
      command
        .argument(
          '<who>',
          'the person’s e-mail address, or one application’s id at the platform; -: read it from standard input, so that no list of processes shows it',
        )
        .addOption(reasonOption()),
    );
  const exported = new Command('export')
    .description('print everything that is stored of the person, as one JSON object')
    .addHelpText('after', '\nExample: placement-sync subject export budi@example.com > budi.json')
    .action(action(async () => (await import('../commands/subject.js')).exportCommand));
  const erased = new Command('erase')
    .description('remove what is stored of the person, and print a receipt')
    .addHelpText(
      'after',
      '\nIt first says what goes. On a terminal it asks; without one (a script, cron,\nstandard input) it needs --yes. A worker may run meanwhile.\nExample: placement-sync subject erase budi@example.com --dry-run',
    )
    .option('--dry-run', 'only say what would go')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print the receipt as one JSON object')
    .action(action(async () => (await import('../commands/subject.js')).eraseCommand));
  return new Command('subject')
    .description('a request of an applicant about personal data: what is stored, and its erasure')
    .addHelpText('after', '\nExample: placement-sync subject export budi@example.com')
    .addCommand(who(exported))
    .addCommand(who(erased));
}

export function reportUsage(action: CommandAction): Command {
  return new Command('report')
    .description('what the platform accepted, closed and refused, by day and company: the proof of reporting')
    .addHelpText(
      'after',
      '\nExamples: placement-sync report --from 2026-01-01 --to 2026-01-31\n          placement-sync report --entity vacancies --csv > requests.csv\n          placement-sync report --records --entity vacancies --csv > vacancies.csv',
    )
    .option(
      '--from <day>',
      'the first day, such as 2026-01-01 (default: 29 days before the last)',
      dayArgument,
    )
    .option('--to <day>', 'the last day (default: today, in platform.timeZone)', dayArgument)
    .addOption(entityOption())
    .option('--records', 'one line for each record: title, company, when it was reported, updated and closed')
    .option(
      '--company <text>',
      'of these, only those whose company or institution has this in its name or key',
    )
    .addOption(
      new Option(
        '--csv',
        'print every request with its Request-Id, one line each; with --records every record',
      ).conflicts('json'),
    )
    .option('--json', 'print as one JSON object')
    .action(action(async () => (await import('../commands/report.js')).reportCommand));
}

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

export function initUsage(action: CommandAction): Command {
  return new Command('init')
    .description('look at the tables of SOURCE_DATABASE_URL, and draft configuration, queries and lookups')
    .option('-y, --yes', 'do not ask: take the likeliest table of each entity')
    .option('-o, --out <dir>', 'folder to write to; a file in it is never overwritten', 'config')
    .option('--table <entity=table...>', 'take this table or view, whatever its name says')
    .option('--key <entity=column...>', 'the column that names a row of it, where no primary key does')
    .option('--describe', 'write nothing; print the database as one text, for whoever writes the queries')
    .addHelpText(
      'after',
      `
It reads in read-only transactions, each statement for at most ten seconds, and no column of people (applicants, users,
passwords, birth, telephone). None is open while it asks.

Examples: SOURCE_DATABASE_URL=postgres://reader@db/hr placement-sync init
          placement-sync init --yes --out drafts
          placement-sync init --describe --table hr.job_ad > database.md`,
    )
    .action(action(async () => (await import('../commands/init.js')).initCommand));
}

export function lookupUsage(action: CommandAction): Command {
  const fill = new Command('fill')
    .description('fill empty ids of a lookup by the names of its codes, and add codes that the rows have')
    .argument('<file>', 'the CSV file that the configuration names')
    .option('--dry-run', 'only say what it would write')
    .addHelpText(
      'after',
      '\nIt changes no line that has an id, and leaves empty what could mean two things.\n\nExample: placement-sync lookup fill config/reference/cities.csv',
    )
    .action(action(async () => (await import('../commands/lookup.js')).lookupFillCommand));
  return new Command('lookup')
    .description('lookups: your codes and the platform’s ids')
    .addHelpText('after', '\nExample: placement-sync lookup fill config/reference/cities.csv')
    .addCommand(withCommonOptions(fill));
}

export function configUsage(action: CommandAction): Command {
  const check = new Command('check')
    .description('report every problem of the configuration, with its line')
    .addHelpText('after', '\nExample: placement-sync config check --config my.yaml')
    .action(action(async () => (await import('../commands/config.js')).configCheck));
  const print = new Command('print')
    .description('the configuration in effect, defaults included, secrets masked')
    .addHelpText('after', '\nExample: placement-sync config print --config my.yaml')
    .action(action(async () => (await import('../commands/config.js')).configPrint));
  const schema = new Command('schema')
    .description('the JSON schema of the configuration, for editors')
    .addHelpText('after', '\nExample: placement-sync config schema > placement-sync.schema.json')
    .action(action(async () => (await import('../commands/config.js')).configSchema));
  const init = new Command('init')
    .description(
      'write the example configuration, queries and lookups to start from; never overwrites a file',
    )
    .addHelpText('after', '\nExample: placement-sync config init --out /etc/placement-sync')
    .option('-o, --out <dir>', 'folder to write to', 'config')
    .action(action(async () => (await import('../commands/config.js')).configInit));
  return new Command('config')
    .description('check, print or begin the configuration, or print its JSON schema')
    .addHelpText('after', '\nExample: placement-sync config check --config my.yaml')
    .addCommand(withCommonOptions(init, { config: false }))
    .addCommand(withCommonOptions(check))
    .addCommand(withCommonOptions(print))
    .addCommand(withCommonOptions(schema, { config: false }));
}

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

export function helpUsage(action: CommandAction): Command {
  return new Command('help')
    .description('how a command is called; or a page of the docs, which come with the program')
    .addHelpText(
      'after',
      '\nExamples: placement-sync help run\n          placement-sync help runbook PlacementSyncStale\n          placement-sync help card',
    )
    .argument('[topic]', 'a command, runbook, or a page such as card, queries or start.md')
    .argument('[section]', 'a section of it, such as a word on the screen; without it, all are listed')
    .action(action(async () => (await import('../commands/help.js')).helpCommand));
}
