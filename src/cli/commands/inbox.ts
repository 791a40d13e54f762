import { counted } from '../../domain/text.js';
import { withWork } from '../../sync/lease.js';
import { commandContext } from '../command-context.js';
import type { Handler } from '../common-options.js';
import { withState } from '../compose/open-state.js';
import { say, writeJson } from '../output/write.js';

/** `inbox reread`: exit code 1 when something was refused. */
export const rereadCommand: Handler = async ({ command, signal }) => {
  const { json = false } = command.opts<{ readonly json?: boolean }>();
  const { config, emit } = commandContext(command);
  const counts = await withState(config, signal, async ({ inbox }) => {
    await inbox.checkStatement();
    return withWork(emit, 'Reading again', () => inbox.reread());
  });
  const { read, recognised, versions, repeats, failed, reason } = counts;
  if (json) writeJson(counts);
  else {
    say(
      `${counted(read, 'webhook')} read again: ${counted(recognised, 'application')} recognised and stored.`,
    );
    if (versions > 0)
      say(
        `Of these, ${counted(versions, 'application')} stored as a further version, because the data changed.`,
      );
    if (repeats > 0) say(`${counted(repeats, 'webhook')} left: the application is stored already.`);
    if (failed > 0) say(`${counted(failed, 'webhook')} refused and left: ${reason ?? ''}`);
  }
  return failed > 0 ? 1 : 0;
};
