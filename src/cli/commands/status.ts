import type { LoadedConfig } from '../../config/load.js';
import { SyncError } from '../../domain/errors.js';
import type { Emit } from '../../domain/events.js';
import { findTroubles } from '../../domain/trouble/find-troubles.js';
import type { State } from '../../ports/state.js';
import {
  readExpiring,
  readGroups,
  readInvalid,
  readStatusFacts,
  statusReport,
} from '../../sync/explain/read-status.js';
import { withWork } from '../../sync/lease.js';
import { commandContext } from '../command-context.js';
import { configuredEntities } from '../compose/configured-entities.js';
import { systemClock } from '../compose/system-clock.js';
import { openState } from '../compose/open-state.js';
import { openBundleFile } from '../output/bundle-file.js';
import { localTime } from '../output/local-time.js';
import { printGroups } from '../output/print-groups.js';
import { printInvalid } from '../output/print-invalid.js';
import { printExpiring } from '../output/print-expiring.js';
import { printStatus } from '../output/print-status.js';
import { say, writeJson } from '../output/write.js';
import { watch } from '../watch.js';
import type { Handler } from '../command-action.js';

interface StatusFlags {
  readonly json?: boolean;
  readonly invalid?: boolean;
  readonly bundle?: string;
  readonly watch?: boolean;
}

/** How things stand. */
export const statusCommand: Handler = async ({ command, signal }) => {
  const { bundle, json = false, invalid = false, watch: watching = false } = command.opts<StatusFlags>();
  const { config, emit } = commandContext(command);
  if (bundle !== undefined) return writeBundle(config, emit, bundle);
  const state = await openState(config, watching ? { signal } : {});
  const show = () => printNow(config, state, { json, invalid });
  try {
    if (watching) await watch(json ? show : goingOn(show, config), { signal, repaint: !json });
    else await show();
    return 0;
  } finally {
    await state.close();
  }
};

async function printNow(
  config: LoadedConfig,
  state: State,
  { json, invalid }: { readonly json: boolean; readonly invalid: boolean },
): Promise<void> {
  const entities = configuredEntities(config);
  const { notify, platform } = config.settings;
  const facts = await readStatusFacts(state, entities, notify.staleAfterMs, { reasons: !json });
  const report = await statusReport(facts, state);
  const { timeZone } = platform;
  const expiringSoon = await readExpiring(state, entities, systemClock.now(), timeZone);
  const groups = invalid ? await readGroups(state, facts.entities) : [];
  const records = invalid
    ? readInvalid(
        state.recordLists,
        entities.map(({ name }) => name),
      )
    : [];
  if (json) {
    const listed = [];
    for await (const page of records) listed.push(...page);
    // Without expiring records, and without the option, the public JSON shape stays as it is.
    writeJson({
      ...report,
      ...(expiringSoon.length > 0 ? { expiringSoon } : {}),
      ...(invalid ? { groups, invalid: listed } : {}),
    });
    return;
  }
  printStatus(report, findTroubles(facts), timeZone);
  printExpiring(expiringSoon);
  printGroups(groups, { all: true });
  for await (const page of records) printInvalid(page);
}

/** For people who watch: each frame with its time. After the first one, a database that is away is shown and asked again. */
function goingOn(show: () => Promise<void>, config: LoadedConfig): () => Promise<void> {
  const { timeZone } = config.settings.platform;
  let shown = false;
  return async () => {
    const now = localTime(new Date(systemClock.now()), timeZone);
    try {
      await show();
      shown = true;
    } catch (error) {
      if (!shown || !(error instanceof SyncError)) throw error;
      say(`${error.message} It is tried again.`);
    }
    say(`As of ${now}. Ctrl-C ends this.`);
  };
}

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
