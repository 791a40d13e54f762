import { counted } from '../../core/domain/text.js';
import { withWork } from '../../core/leases.js';
import { exitOutcome } from '../../features/actions/operator-actions.js';
import { commandContext } from '../command-context.js';
import type { Handler } from '../common-options.js';
import { withState } from '../compose/open-state.js';
import { noted, reasonFor } from '../operator.js';
import { say, writeJson } from '../output/write.js';

/** `inbox reread`: exit code 1 when something was refused. */
export const rereadCommand: Handler = async ({ command, signal }) => {
  const { json = false } = command.opts<{ readonly json?: boolean }>();
  const { config, emit } = commandContext(command);
  const reason = reasonFor(command, 'inbox reread', config.settings.guards);
  const counts = await withState(config, signal, (state) =>
    noted({ state, emit }, { action: 'inbox reread', entity: null, reason }, async () => {
      const { reason: why, ...done } = await withWork(emit, 'Reading again', () => state.inbox.reread());
      return {
        result: { ...done, reason: why },
        outcome: exitOutcome(done.failed > 0 ? 1 : 0),
        counts: done,
      };
    }),
  );
  const { read, recognised, versions, repeats, failed, reason: refusal } = counts;
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
    if (failed > 0) say(`${counted(failed, 'webhook')} refused and left: ${refusal ?? ''}`);
  }
  return failed > 0 ? 1 : 0;
};
