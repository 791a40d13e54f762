import type { Command } from 'commander';
import { ERROR_CODES, SyncError, usageError } from '../../core/domain/errors.js';
import { adoptEnvironment, forgottenByReset } from '../../features/verify/adopt-environment.js';
import { listed } from '../../core/domain/text.js';
import { exitOutcome } from '../../features/actions/operator-actions.js';
import { adoptRecords, type AdoptReport } from '../../features/verify/adopt-records.js';
import { commandContext } from '../command-context.js';
import type { Handler } from '../common-options.js';
import { configuredEntities } from '../compose/configured-entities.js';
import { findEnabled } from '../compose/open-doctor.js';
import { withState } from '../compose/open-state.js';
import { withRunContext } from '../compose/open-run.js';
import { isConfirmed } from '../io.js';
import { closeProgress } from '../listeners.js';
import { noted, onlyEntity, reasonFor, summed } from '../operator.js';
import { table } from '../output/table.js';
import { say, writeJson, writeOut } from '../output/write.js';

interface AdoptFlags {
  readonly entity: string[];
  readonly json?: boolean;
  readonly environment?: boolean;
  readonly keep?: boolean;
  readonly reset?: boolean;
  readonly stateMoved?: boolean;
  readonly yes?: boolean;
}

/** Builds the ledger from what the platform holds; with `--environment`, accepts a changed environment. */
export const adoptCommand: Handler = async ({ command, signal }) => {
  const flags = command.opts<AdoptFlags>();
  const { entity, json = false, environment, keep, reset, yes = false } = flags;
  if (flags.stateMoved) return believeMove(command, signal, yes);
  if (!environment && !keep && !reset) return adoptHeld(command, signal, entity, json);
  if (!environment || Boolean(keep) === Boolean(reset) || entity.length > 0 || json) {
    throw usageError(
      'Choose one: adopt --environment --keep, or adopt --environment --reset.',
      '--keep: the same platform under a new address or client id. --reset: another platform. Both apply to all entities. Without --environment, adopt reads what the platform holds.',
    );
  }
  const { config, emit } = commandContext(command);
  const action = keep ? 'adopt --environment --keep' : 'adopt --environment --reset';
  const reason = reasonFor(command, action, config.settings.guards);
  return withRunContext(config, { emit, signal }, async (context) => {
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
    const done = await noted(context, { action, entity: null, reason }, async () => ({
      result: await adoptEnvironment(context, keep ? 'keep' : 'reset'),
    }));
    say(done);
    return 0;
  });
};

/** Ends the doubt of a ledger that moved with everything in it, after the sentence that is to be true. */
async function believeMove(command: Command, signal: AbortSignal, yes: boolean): Promise<number> {
  const { config, emit } = commandContext(command);
  const action = 'adopt --state-moved';
  const reason = reasonFor(command, action, config.settings.guards);
  return withState(config, signal, async (state) => {
    const doubted = await state.adoptions.doubted();
    if (doubted.length === 0) {
      say('This ledger is not in doubt. Nothing to do.');
      return 0;
    }
    say(
      `The state database looks restored or failed over: ${listed(doubted)}. If every process was stopped before it was copied, and nothing was written to the former one since, nothing is missing. If not: placement-sync verify --all --repair finds what is.`,
    );
    const asked = { what: action, again: `placement-sync ${action} --yes` };
    if (!yes && !(await isConfirmed('Was everything moved?', asked))) {
      say('Nothing was changed.');
      return 1;
    }
    await noted({ state, emit }, { action, entity: null, reason }, async () => ({
      result: await state.adoptions.believeMove(),
    }));
    say('The ledger is believed. The report counts the time of the move as known.');
    return 0;
  });
}

async function adoptHeld(
  command: Command,
  signal: AbortSignal,
  entity: readonly string[],
  json: boolean,
): Promise<number> {
  const { config, emit } = commandContext(command);
  const entities = configuredEntities(config, entity);
  const reason = reasonFor(command, 'adopt', config.settings.guards);
  try {
    return await withRunContext(config, { emit, signal, entities }, async (context) => {
      const asked = { action: 'adopt', entity: onlyEntity(entities), reason } as const;
      const { report, exitCode } = await noted(context, asked, async () => {
        const result = await adoptRecords(context, findEnabled(config));
        const counts = summed(Object.values(result.report.entities));
        return { result, outcome: exitOutcome(result.exitCode), counts };
      });
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

const COLUMNS = ['checked', 'adopted', 'different', 'missing'] as const;
/** Not read; only where there are some. */
const UNREAD = ['waiting', 'invalid'] as const;

function printAdopt({ entities }: AdoptReport, exitCode: number, stopped: boolean): void {
  if (exitCode === ERROR_CODES.busy) {
    say('Nothing was read: another run is under way. Try again when it has ended.');
    return;
  }
  const counted = Object.entries(entities);
  const unread = UNREAD.filter((column) => counted.some(([, counters]) => (counters[column] ?? 0) > 0));
  const columns = [...COLUMNS, ...unread];
  const rows = counted.map(([name, counters]) => [name, ...columns.map((column) => counters[column] ?? 0)]);
  writeOut(table(['', ...columns], rows));
  if (stopped) say('Stopped by a signal. The records counted above are saved. Run adopt again for the rest.');
  const left = Object.values(entities).reduce((sum, { different, missing }) => sum + different + missing, 0);
  say(
    left === 0
      ? 'Nothing was sent.'
      : 'Nothing was sent. Different and missing records are pending. The next run sends them.',
  );
  if (unread.includes('waiting')) say('Waiting records were not read: their parents have no reference yet.');
  if (unread.includes('invalid'))
    say(
      'Invalid records were not read: their rows have errors, so they cannot be sent. See placement-sync status.',
    );
}
