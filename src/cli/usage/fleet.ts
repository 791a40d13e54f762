import { Command } from 'commander';
import { durationArgument, limitOption, reasonOption } from '../arguments.js';
import { type CommandAction, type Handler, withCommonOptions } from '../common-options.js';

/* How `fleet` and its commands are called. Only words and options: the action loads the work. */

type Tenants = typeof import('../commands/fleet/tenants.js');
type TenantsHandler = {
  [Name in keyof Tenants]: Tenants[Name] extends Handler ? Name : never;
}[keyof Tenants];

export function fleetUsage(action: CommandAction): Command {
  const fleet = fleetCommand(
    'fleet',
    'sync many databases with one deployment; needs Node 22.12',
    'placement-sync fleet status',
  );
  const add = (name: string, description: string, words: string, handler: TenantsHandler | null) => {
    const command = fleetCommand(name, description, `placement-sync fleet ${words}`);
    const load =
      handler === null
        ? async () => (await import('../commands/fleet/start-replica.js')).fleetStart
        : async () => (await import('../commands/fleet/tenants.js'))[handler];
    fleet.addCommand(withCommonOptions(command.action(action(load))));
    return command;
  };
  /** One that changes the fleet: the list of actions shows who did it, and why. */
  const change = (...command: Parameters<typeof add>) => add(...command).addOption(reasonOption());

  add('start', 'run one replica: it takes tenants in turn until it is stopped', 'start', null);
  change(
    'apply',
    'make the tenants equal to a folder of files: add, change and remove',
    'apply tenants',
    'fleetApply',
  ).argument('<dir>', 'folder with one file for each tenant, such as acme.yaml');
  change('add', 'add one tenant, or change it', 'add tenants/acme.yaml', 'fleetAdd').argument(
    '<file>',
    'its configuration; the name of the file is the tenant’s',
  );
  change('remove', 'take a tenant out of the fleet; its ledger stays', 'remove acme', 'fleetRemove')
    .argument('<tenant>', 'its name')
    .option(
      '--purge',
      'delete its ledger too, if its file has no state.url: what the platform holds of it is forgotten',
    )
    .option('-y, --yes', 'with --purge: do not ask');
  change('pause', 'stop a tenant until it is resumed', 'pause acme', 'fleetPause').argument(
    '<tenant>',
    'its name',
  );
  change(
    'resume',
    'let a paused tenant run again, or end a wait that the platform asked for',
    'resume acme',
    'fleetResume',
  )
    .argument('[tenant]', 'its name')
    .option('--client-id <id>', 'end the wait of all tenants with this client id')
    .addHelpText(
      'after',
      '         placement-sync fleet resume --client-id example-client --config fleet.yaml',
    );
  change('sync', 'run a tenant now, on the next free replica', 'sync acme', 'fleetSync').argument(
    '<tenant>',
    'its name',
  );
  change(
    'move',
    'move the ledger of a tenant to another database; meanwhile it does not run',
    'move acme --to ledgers-2.example.com:5432/placement_sync',
    'fleetMove',
  )
    .argument('<tenant>', 'its name')
    .requiredOption(
      '--to <ledger>',
      'a database of fleet.ledgers as host:port/database, or its place in the list; fleet: the fleet’s own',
    );
  add('list', 'all tenants, by name', 'list', 'fleetList').option('--json', 'as JSON');
  add('status', 'the state of the fleet, the worst tenants first', 'status', 'fleetStatus').option(
    '--json',
    'as JSON',
  );
  add(
    'actions',
    'what people did to the fleet by hand, the latest first',
    'actions --since 7d',
    'fleetActions',
  )
    .option('--since <duration>', 'only within this time, such as 7d', durationArgument)
    .addOption(limitOption())
    .option('--json', 'print as one JSON object');
  change(
    'migrate',
    'create or update the fleet’s tables and the ledger of every tenant',
    'migrate',
    'fleetMigrate',
  );
  return fleet;
}

function fleetCommand(name: string, description: string, example: string): Command {
  return new Command(name)
    .description(description)
    .addHelpText('after', `\nExample: ${example} --config fleet.yaml`);
}
