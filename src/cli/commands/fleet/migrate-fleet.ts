import { io } from '../../io.js';
import { migrate, MIGRATION_DATABASE } from '../../../state/database/migrate.js';
import { FLEET_SETTINGS } from '../../../state/database/translate-state-error.js';
import { createStateDatabase } from '../../../state/database/state-database.js';
import { FLEET_SCHEMA } from '../../../state/fleet/tenants.js';
import { withFleet } from '../../compose/fleet/open-fleet.js';
import { migrateTenants } from '../../compose/fleet/migrate-tenants.js';
import { say } from '../../output/write.js';
import { fleetCommand, type FleetCommand } from './fleet-command.js';

/** Brings the fleet's tables up to date, then the ledger of every tenant. */
export const fleetMigrate = fleetCommand(async (context) => {
  const { fleet, emit, signal } = context;
  const names = await migrateOwn(context);
  say(
    names.length === 0
      ? 'The fleet’s tables are up to date.'
      : `The fleet’s tables: applied ${names.join(', ')}.`,
  );
  const work = 'Migrating the ledgers';
  return withFleet(fleet, async ({ database, tenants }) => {
    emit({ type: 'work-started', work, total: null });
    const { migrated, upToDate, failed } = await migrateTenants(tenants, {
      shared: database,
      sharedUrl: fleet.settings.fleet.database.url,
      variables: fleet.variables,
      env: io().env,
      emit,
      signal,
      onDone: (done) => emit({ type: 'work-advanced', work, done }),
    }).finally(() => emit({ type: 'work-ended', work }));
    say(`Ledgers: ${migrated.length} migrated, ${upToDate} were up to date, ${failed.length} failed.`);
    failed.forEach(({ tenant, message }) => say(`${tenant}: ${message}`));
    if (failed.length > 0)
      say('The others are done. Correct what the lines say, and run fleet migrate again.');
    return failed.length > 0 || signal.aborted ? 1 : 0;
  });
});

async function migrateOwn({ fleet, emit, signal }: FleetCommand): Promise<readonly string[]> {
  const { database: at, schema } = fleet.settings.fleet;
  const database = createStateDatabase({
    url: at.url,
    schema,
    settings: FLEET_SETTINGS,
    ...MIGRATION_DATABASE,
  });
  try {
    const onBlocked = (message: string) => emit({ type: 'warning', message });
    return await migrate(database, { kind: FLEET_SCHEMA, signal, onBlocked });
  } finally {
    await database.close();
  }
}
