import type { LoadedConfig } from '../../config/load.js';
import type { Emit } from '../../domain/events.js';
import { findTroubles } from '../../domain/trouble/find-troubles.js';
import { readExpiring } from '../../sync/explain/read-expiring.js';
import { readStatusFacts, statusReport } from '../../sync/explain/read-status.js';
import { withWork } from '../../sync/run/with-work.js';
import { commandContext } from '../command-context.js';
import { configuredEntities } from '../compose/configured-entities.js';
import { systemClock } from '../compose/system-clock.js';
import { openState } from '../compose/open-state.js';
import { openBundleFile } from '../output/bundle-file.js';
import { printExpiring } from '../output/print-expiring.js';
import { printStatus } from '../output/print-status.js';
import { tell, writeJson } from '../output/write.js';
import type { Handler } from '../command-action.js';

/** How things stand. */
export const statusCommand: Handler = async ({ command }) => {
  const { bundle, json } = command.opts<{ json?: boolean; bundle?: string }>();
  const { config, emit } = commandContext(command);
  if (bundle !== undefined) return writeBundle(config, emit, bundle);
  const state = await openState(config);
  try {
    const entities = [...config.entities.keys()];
    const { notify, platform } = config.settings;
    const facts = await readStatusFacts(state, entities, notify.staleAfterMs, { reasons: !json });
    const report = await statusReport(facts, state);
    const { timeZone } = platform;
    const expiringSoon = await readExpiring(state, configuredEntities(config), systemClock.now(), timeZone);
    if (json)
      // The promised shape stays as it is where there is nothing to list.
      writeJson(expiringSoon.length > 0 ? { ...report, expiringSoon } : report);
    else {
      printStatus(report, findTroubles(facts));
      printExpiring(expiringSoon);
    }
    return 0;
  } finally {
    await state.close();
  }
};

/** Gives the exit code: 0 also when a section could not be read, because a bundle is wanted most then. */
async function writeBundle(config: LoadedConfig, emit: Emit, file: string): Promise<number> {
  const write = openBundleFile(file);
  const { readBundle } = await import('../compose/read-bundle.js');
  const { content, unread } = await withWork(emit, 'Collecting', () => readBundle(config));
  write(content);
  tell(`${file}: secrets, payloads and e-mail addresses are left out. Look it over before you pass it on.`);
  if (unread.length > 0) tell(`Could not be read, and says why in the file: ${unread.join(', ')}.`);
  return 0;
}
