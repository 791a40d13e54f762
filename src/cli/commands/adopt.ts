import type { Command } from 'commander';
import { ERROR_CODES, SyncError } from '../../domain/errors.js';
import { adoptEnvironment, forgottenByReset } from '../../sync/environment.js';
import { adoptRecords, type AdoptReport } from '../../sync/read-back/adopt-records.js';
import { commandContext } from '../command-context.js';
import { configuredEntities } from '../compose/configured-entities.js';
import { findEnabled } from '../compose/find-enabled.js';
import { withSession } from '../compose/session.js';
import { isConfirmed } from '../is-confirmed.js';
import { printAdopt } from '../output/print-adopt.js';
import { writeJson, say } from '../output/write.js';
import type { Handler } from '../command-action.js';
import { closeProgress } from '../listeners.js';

interface AdoptFlags {
  readonly entity: string[];
  readonly json?: boolean;
  readonly environment?: boolean;
  readonly keep?: boolean;
  readonly reset?: boolean;
  readonly yes?: boolean;
}

/** Builds the ledger from what the platform holds; with `--environment`, accepts a changed environment. */
export const adoptCommand: Handler = async ({ command, signal }) => {
  const { entity, json = false, environment, keep, reset, yes = false } = command.opts<AdoptFlags>();
  if (!environment && !keep && !reset) return adoptHeld(command, signal, entity, json);
  if (!environment || Boolean(keep) === Boolean(reset) || entity.length > 0 || json) {
    throw new SyncError('usage', 'Choose one: adopt --environment --keep, or adopt --environment --reset.', {
      scope: 'usage',
      hint: '--keep: the same platform under a new address or client id. --reset: another platform. Both apply to all entities. Without --environment, adopt reads what the platform holds.',
    });
  }
  const { config, emit } = commandContext(command);
  return withSession(config, { emit, signal }, async (context) => {
    const forgotten = reset ? await forgottenByReset(context) : [];
    forgotten.forEach((line) => say(line));
    const asked = {
      what: 'adopt --environment --reset',
      again: 'placement-sync adopt --environment --reset --yes',
    };
    if (forgotten.length > 0 && !yes && !(await isConfirmed('Forget it?', asked))) {
      say('Nothing was forgotten.');
      return 1;
    }
    say(await adoptEnvironment(context, keep ? 'keep' : 'reset'));
    return 0;
  });
};

async function adoptHeld(
  command: Command,
  signal: AbortSignal,
  entity: readonly string[],
  json: boolean,
): Promise<number> {
  const { config, emit } = commandContext(command);
  const entities = configuredEntities(config, entity);
  try {
    return await withSession(config, { emit, signal, entities }, async (context) => {
      const { report, exitCode } = await adoptRecords(context, findEnabled(config));
      // After a signal in the middle of a sweep, its bar would stand before the table.
      closeProgress();
      if (json) writeJson(report);
      else printAdopt(report, exitCode, signal.aborted);
      return exitCode;
    });
  } catch (error) {
    const usage = error instanceof SyncError && ERROR_CODES[error.code] === ERROR_CODES.usage;
    if (json && !usage) writeJson({ entities: {} } satisfies AdoptReport);
    throw error;
  }
}
