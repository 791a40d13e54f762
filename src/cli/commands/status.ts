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
import { say, writeJson } from '../output/write.js';
import type { Handler } from '../command-action.js';

/** How things stand. */
export const statusCommand: Handler = async ({ command }) => {
  const { bundle, json } = command.opts<{ json?: boolean; bundle?: string }>();
  const { config, emit } = commandContext(command);
  if (bundle !== undefined) return writeBundle(config, emit, bundle);
  const state = await openState(config);
  try {
    const entities = configuredEntities(config);
    const { notify, platform } = config.settings;
    const facts = await readStatusFacts(state, entities, notify.staleAfterMs, { reasons: !json });
    const report = await statusReport(facts, state);
    const { timeZone } = platform;
    const expiringSoon = await readExpiring(state, entities, systemClock.now(), timeZone);
    if (json)
      // Without expiring records the public JSON shape stays as it is.
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

/** Gives the exit code: 0 also when a section could not be read, because then a bundle helps most. */
async function writeBundle(config: LoadedConfig, emit: Emit, file: string): Promise<number> {
  const write = openBundleFile(file);
  const { readBundle } = await import('../compose/read-bundle.js');
  const { content, unread } = await withWork(emit, 'Collecting', () => readBundle(config));
  write(content);
  say(`${file}: secrets, payloads and e-mail addresses are left out. Read it before you pass it on.`);
  if (unread.length > 0) say(`Could not be read: ${unread.join(', ')}. The file says why.`);
  return 0;
}
