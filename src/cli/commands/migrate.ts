import { platformDay } from '../../core/contract/time.js';
import { usageError } from '../../core/domain/errors.js';
import { listed, plural } from '../../core/domain/text.js';
import type { AskedAction } from '../../features/actions/asked-action.js';
import {
  appliedMigrations,
  lossOfMigrateDown,
  migrateDown,
  type MigrationLoss,
} from '../../core/ledger/database/migrate.js';
import { createOperatorActions } from '../../features/actions/action-store.js';
import { withWork } from '../../core/leases.js';
import { commandContext, type CommandContext } from '../command-context.js';
import { migrateState, withMigrationDatabase } from '../compose/open-state.js';
import { isConfirmed } from '../io.js';
import { noted, reasonFor } from '../operator.js';
import { say } from '../output/write.js';
import type { Handler } from '../common-options.js';

/** Brings the state schema up to date, or undoes the last migration after it has said what that deletes. */
export const migrateCommand: Handler = async ({ command, signal }) => {
  const context = commandContext(command);
  const { down = false, to, yes = false } = command.opts<{ down?: boolean; to?: number; yes?: boolean }>();
  const { config, emit } = context;
  const { schema } = config.settings.state;
  if (to !== undefined && !down)
    throw usageError('--to needs --down.', 'migrate without --down applies every migration.');
  const reason = reasonFor(command, down ? 'migrate --down' : 'migrate', config.settings.guards);
  if (down) return undo(context, { to, yes, signal, reason });
  const names = await withWork(emit, 'Migrating the state schema', () =>
    migrateState(config.settings.state, { emit, signal }),
  );
  if (names.length > 0) await noteMigration(context, { signal, reason, action: 'migrate', names });
  say(
    names.length === 0
      ? `The schema "${schema}" is up to date.`
      : `The schema "${schema}": applied ${names.join(', ')}.`,
  );
  return 0;
};

interface UndoOptions {
  /** The number of the migration that stays the last; undefined: only the last one goes. */
  readonly to: number | undefined;
  readonly yes: boolean;
  readonly signal: AbortSignal;
  readonly reason: string | null;
}

async function undo(
  { config, emit }: CommandContext,
  { to, yes, signal, reason }: UndoOptions,
): Promise<number> {
  const { state, platform } = config.settings;
  const work = { emit, signal };
  const until = to === undefined ? {} : { to };
  const loss = await withWork(emit, 'Looking at what the migration holds', () =>
    withMigrationDatabase(state, work, (database, options) =>
      lossOfMigrateDown(database, { ...options, ...until }),
    ),
  );
  if (loss.names.length === 0) {
    say(`The schema "${state.schema}" has no migration to undo.`);
    return 0;
  }
  say(`migrate --down undoes ${listed(loss.names)} in the schema "${state.schema}".`);
  say(lossText(loss, platform.timeZone));
  const what = to === undefined ? 'migrate --down' : `migrate --down --to ${to}`;
  const asked = { what, again: `placement-sync ${what} --yes` };
  const question = plural(loss.names.length, 'Undo it?', 'Undo them?');
  if (!yes && !(await isConfirmed(question, asked))) {
    say('Nothing was undone.');
    return 1;
  }
  const names = await withWork(emit, 'Undoing the migration', () =>
    withMigrationDatabase(state, work, (database, options) =>
      migrateDown(database, { ...options, ...until, only: loss.names }),
    ),
  );
  await noteMigration({ config, emit }, { signal, reason, action: 'migrate --down', names });
  say(`The schema "${state.schema}": took back ${listed(names)}.`);
  return 0;
}

interface Migrated extends Pick<AskedAction, 'reason'> {
  readonly signal: AbortSignal;
  readonly action: 'migrate' | 'migrate --down';
  readonly names: readonly string[];
}

/**
 * Writes the row after the work: before it the table may not be there. A migration that fails is undone, so it leaves
 * nothing to write down; and none is written where the table itself was taken back.
 */
async function noteMigration(
  { config, emit }: CommandContext,
  { signal, action, names, reason }: Migrated,
): Promise<void> {
  await withMigrationDatabase(config.settings.state, { emit, signal }, async (database) => {
    if (!(await appliedMigrations(database)).includes('0007-operator-action')) return;
    const state = { operatorActions: createOperatorActions(database) };
    const asked = { action, entity: null, keys: names, reason: reason ?? null };
    await noted({ state, emit }, asked, () =>
      Promise.resolve({ result: null, counts: { migrations: names.length } }),
    );
  });
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
  if (parts.length === 0) return 'It removes no table and no column. Nothing that is stored is deleted.';
  return `This deletes ${listed(parts)}. Only a backup brings it back.`;
}

function amount(count: number, noun: string): string {
  return `${count} ${plural(count, noun, `${noun}s`)}`;
}
