import type { Command } from 'commander';
import { grouped, visibleText } from '../../core/domain/text.js';
import type { ListedAction, OperatorActions } from '../../features/actions/action-store.js';
import { commandContext } from '../command-context.js';
import type { Handler } from '../common-options.js';
import { withState } from '../compose/open-state.js';
import { localTime } from '../../core/contract/time.js';
import { fittedTable } from '../output/table.js';
import { LISTED, say, writeJson, writeOut } from '../output/write.js';

/** Lists what people did by hand. */
export const actionsCommand: Handler = ({ command, signal }) => {
  const { config } = commandContext(command);
  return withState(config, signal, ({ operatorActions }) =>
    listActions(operatorActions, command, config.settings.platform.timeZone),
  );
};

/** The same for any list of actions, with the options of the command. */
export async function listActions(
  actions: Pick<OperatorActions, 'list'>,
  command: Command,
  timeZone: string,
): Promise<number> {
  const { since = null, limit, json = false } = command.opts<ActionsFlags>();
  const list = (most: number) => actions.list({ limit: most, sinceMs: since });
  if (json) {
    const found = await list(limit ?? MOST);
    writeJson({ actions: found.map(({ id: _, at, ...action }) => ({ at: at.toISOString(), ...action })) });
    return 0;
  }
  const most = limit ?? LISTED;
  // One more shows whether the list goes on.
  const found = await list(most + 1);
  if (found.length === 0) say('No actions.');
  else writeOut(actionTable(found.slice(0, most), timeZone));
  if (found.length > most) say('There are more; --limit lists more of them, --json lists all.');
  return 0;
}

interface ActionsFlags {
  readonly since?: number;
  readonly limit?: number;
  readonly json?: boolean;
}

/** As many rows as Postgres counts: all. */
const MOST = 2_147_483_647;

/** Keys that are named. */
const KEYS = 3;

/** Columns that a terminal may cut: who, what, reason. */
const CUT = [1, 4, 5];

function actionTable(actions: readonly ListedAction[], timeZone: string): string {
  const head = ['at', 'who', 'via', 'action', 'what', 'reason', 'outcome'];
  const rows = actions.map(({ at, who, via, action, entity, keys, counts, reason, outcome }) => {
    const counted = Object.entries(counts).flatMap(([name, count]) =>
      count === 0 ? [] : `${grouped(count)} ${name}`,
    );
    const named = entity === null || (counts[entity] ?? 0) > 0 ? [] : [entity];
    const more = keys.length > KEYS ? [`${keys.length - KEYS} more`] : [];
    const what = [...named, ...keys.slice(0, KEYS), ...more, ...counted].join(', ');
    return [
      localTime(at, timeZone),
      who,
      via,
      action,
      what || '-',
      reason ?? '-',
      outcome ?? 'not known',
    ].map(visibleText);
  });
  return fittedTable(head, rows, CUT);
}
