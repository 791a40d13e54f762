import { withWork } from '../../sync/run/with-work.js';
import { commandContext } from '../command-context.js';
import { migrateState } from '../compose/migrate-state.js';
import { say } from '../output/write.js';
import type { Handler } from '../command-action.js';

/** Brings the state schema up to date. */
export const migrateCommand: Handler = async ({ command, signal }) => {
  const { config, emit } = commandContext(command);
  const down = command.opts<{ down?: boolean }>().down ?? false;
  const names = await withWork(emit, 'Migrating the state schema', () =>
    migrateState(config.settings.state, { emit, signal, down }),
  );
  const { schema } = config.settings.state;
  say(
    names.length === 0
      ? `The schema "${schema}" is up to date.`
      : `The schema "${schema}": ${down ? 'took back' : 'applied'} ${names.join(', ')}.`,
  );
  return 0;
};
