import { Command } from 'commander';
import { durationArgument, limitOption, reasonOption } from '../arguments.js';
import { type CommandAction, withCommonOptions } from '../common-options.js';

/* How `fleet` and its commands are called. Only words and options: the action loads the work. */

export function fleetUsage(action: CommandAction): Command {
  const start = new Command('start')
    .description('run one replica: it takes tenants in turn until it is stopped')
    .addHelpText('after', '\nExample: placement-sync fleet start --config fleet.yaml')
    .action(action(async () => (await import('../commands/fleet/start-replica.js')).fleetStart));
  const apply = new Command('apply')
    .description('make the tenants equal to a folder of files: add, change and remove')
    .argument('<dir>', 'folder with one file for each tenant, such as acme.yaml')
    .addHelpText('after', '\nExample: placement-sync fleet apply tenants --config fleet.yaml')
    .addOption(reasonOption())
    .action(action(async () => (await import('../commands/fleet/tenants.js')).fleetApply));
  const add = new Command('add')
    .description('add one tenant, or change it')
    .argument('<file>', 'its configuration; the name of the file is the tenant’s')
    .addHelpText('after', '\nExample: placement-sync fleet add tenants/acme.yaml --config fleet.yaml')
    .addOption(reasonOption())
    .action(action(async () => (await import('../commands/fleet/tenants.js')).fleetAdd));
  const remove = new Command('remove')
    .description('take a tenant out of the fleet; its ledger stays')
    .argument('<tenant>', 'its name')
    .option(
      '--purge',
      'delete its ledger too, if its file has no state.url: what the platform holds of it is forgotten',
    )
    .option('-y, --yes', 'with --purge: do not ask')
    .addHelpText('after', '\nExample: placement-sync fleet remove acme --config fleet.yaml')
    .addOption(reasonOption())
    .action(action(async () => (await import('../commands/fleet/tenants.js')).fleetRemove));
  const pause = new Command('pause')
    .description('stop a tenant until it is resumed')
    .argument('<tenant>', 'its name')
    .addHelpText('after', '\nExample: placement-sync fleet pause acme --config fleet.yaml')
    .addOption(reasonOption())
    .action(action(async () => (await import('../commands/fleet/tenants.js')).fleetPause));
  const resume = new Command('resume')
    .description('let a paused tenant run again, or end a wait that the platform asked for')
    .argument('[tenant]', 'its name')
    .option('--client-id <id>', 'end the wait of all tenants with this client id')
    .addHelpText(
      'after',
      `
Examples: placement-sync fleet resume acme --config fleet.yaml
          placement-sync fleet resume --client-id example-client --config fleet.yaml`,
    )
    .addOption(reasonOption())
    .action(action(async () => (await import('../commands/fleet/tenants.js')).fleetResume));
  const sync = new Command('sync')
    .description('run a tenant now, on the next free replica')
    .argument('<tenant>', 'its name')
    .addHelpText('after', '\nExample: placement-sync fleet sync acme --config fleet.yaml')
    .addOption(reasonOption())
    .action(action(async () => (await import('../commands/fleet/tenants.js')).fleetSync));
  const move = new Command('move')
    .description('move the ledger of a tenant to another database; meanwhile it does not run')
    .argument('<tenant>', 'its name')
    .requiredOption(
      '--to <ledger>',
      'a database of fleet.ledgers as host:port/database, or its place in the list; fleet: the fleet’s own',
    )
    .addHelpText(
      'after',
      '\nExample: placement-sync fleet move acme --to ledgers-2.example.com:5432/placement_sync --config fleet.yaml',
    )
    .addOption(reasonOption())
    .action(action(async () => (await import('../commands/fleet/tenants.js')).fleetMove));
  const list = new Command('list')
    .description('all tenants, by name')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample: placement-sync fleet list --config fleet.yaml')
    .action(action(async () => (await import('../commands/fleet/tenants.js')).fleetList));
  const status = new Command('status')
    .description('the state of the fleet, the worst tenants first')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample: placement-sync fleet status --config fleet.yaml')
    .action(action(async () => (await import('../commands/fleet/tenants.js')).fleetStatus));
  const actions = new Command('actions')
    .description('what people did to the fleet by hand, the latest first')
    .option('--since <duration>', 'only within this time, such as 7d', durationArgument)
    .addOption(limitOption())
    .option('--json', 'print as one JSON object')
    .addHelpText('after', '\nExample: placement-sync fleet actions --since 7d --config fleet.yaml')
    .action(action(async () => (await import('../commands/fleet/tenants.js')).fleetActions));
  const migrate = new Command('migrate')
    .description('create or update the fleet’s tables and the ledger of every tenant')
    .addHelpText('after', '\nExample: placement-sync fleet migrate --config fleet.yaml')
    .addOption(reasonOption())
    .action(action(async () => (await import('../commands/fleet/tenants.js')).fleetMigrate));
  const all = [start, apply, add, remove, pause, resume, sync, move, list, status, actions, migrate];
  const fleet = new Command('fleet')
    .description('sync many databases with one deployment; needs Node 22.12')
    .addHelpText('after', '\nExample: placement-sync fleet status --config fleet.yaml');
  all.forEach((command) => fleet.addCommand(withCommonOptions(command)));
  return fleet;
}
