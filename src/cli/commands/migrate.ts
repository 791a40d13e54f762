import { platformDay } from '../../contract/time.js';
import { listed, plural } from '../../domain/text.js';
import { lossOfMigrateDown, migrateDown, type MigrationLoss } from '../../state/database/migrate.js';
import { withWork } from '../../sync/lease.js';
import { commandContext, type CommandContext } from '../command-context.js';
import { migrateState, withMigrationDatabase } from '../compose/open-state.js';
import { isConfirmed } from '../io.js';
import { say } from '../output/write.js';
import type { Handler } from '../common-options.js';

/** Brings the state schema up to date, or undoes the last migration after it has said what that deletes. */
export const migrateCommand: Handler = async ({ command, signal }) => {
  const context = commandContext(command);
  const { down = false, yes = false } = command.opts<{ down?: boolean; yes?: boolean }>();
  const { config, emit } = context;
  const { schema } = config.settings.state;
  if (down) return undo(context, { yes, signal });
  const names = await withWork(emit, 'Migrating the state schema', () =>
    migrateState(config.settings.state, { emit, signal }),
  );
  say(
    names.length === 0
      ? `The schema "${schema}" is up to date.`
      : `The schema "${schema}": applied ${names.join(', ')}.`,
  );
  return 0;
};

async function undo(
  { config, emit }: CommandContext,
  { yes, signal }: { readonly yes: boolean; readonly signal: AbortSignal },
): Promise<number> {
  const { state, platform } = config.settings;
  const work = { emit, signal };
  const loss = await withWork(emit, 'Looking at what the migration holds', () =>
    withMigrationDatabase(state, work, lossOfMigrateDown),
  );
  if (loss.name === null) {
    say(`The schema "${state.schema}" has no migration to undo.`);
    return 0;
  }
  say(`migrate --down undoes ${loss.name} in the schema "${state.schema}".`);
  say(lossText(loss, platform.timeZone));
  const asked = { what: 'migrate --down', again: 'placement-sync migrate --down --yes' };
  if (!yes && !(await isConfirmed('Undo it?', asked))) {
    say('Nothing was undone.');
    return 1;
  }
  const names = await withWork(emit, 'Undoing the migration', () =>
    withMigrationDatabase(state, work, (database, options) =>
      migrateDown(database, { ...options, only: loss.name }),
    ),
  );
  say(`The schema "${state.schema}": took back ${names.join(', ')}.`);
  return 0;
}

/** What goes with the migration, as a sentence: what a person would miss first. */
function lossText({ tables, columns, journalSince }: MigrationLoss, timeZone: string): string {
  const since = journalSince && platformDay(journalSince.getTime(), timeZone);
  const first = ['sync_state', 'delivery', 'job_application'];
  const rank = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length);
  const parts = [
    ...tables
      .toSorted((a, b) => rank(a.name) - rank(b.name))
      .map(({ name, rows }) => {
        if (name === 'sync_state') return `the ledger of ${amount(rows, 'record')}`;
        if (name === 'job_application') return `${amount(rows, 'application')} of the inbox`;
        if (name !== 'delivery') return `the table ${name} (${amount(rows, 'row')})`;
        return `${amount(rows, 'row')} of the journal${since === null ? '' : ` (the proof of reporting since ${since})`}`;
      }),
    ...columns.map((column) => `the column ${column}`),
  ];
  if (parts.length === 0) return 'It removes indexes only. Nothing that is stored is deleted.';
  return `This deletes ${listed(parts)}. Only a backup brings it back.`;
}

function amount(count: number, noun: string): string {
  return `${count} ${plural(count, noun, `${noun}s`)}`;
}
