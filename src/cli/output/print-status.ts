import type { EntityName } from '../../domain/entity-name.js';
import type { State } from '../../ports/state.js';
import { DOUBT_HINT } from '../../sync/run/warn-of-doubt.js';
import type { StatusReport } from '../../sync/explain/read-status.js';
import { printAttention } from './print-run.js';
import { table } from './table.js';
import { tell, writeOut } from './write.js';

const COLUMNS = ['synced', 'pending', 'invalid', 'rejected', 'waiting', 'deferred', 'vanished'] as const;

/** How things stand, for people. */
export async function printStatus(
  state: State,
  { entities, lastRun, inDoubt = [] }: StatusReport,
): Promise<void> {
  const rows = Object.entries(entities).map(([name, status]) => [
    name,
    ...COLUMNS.map((column) => status[column]),
    status.held ? 'HELD' : '-',
    shortTime(status.lastSuccessAt) ?? 'never',
    shortTime(status.oldestPendingAt) ?? '-',
  ]);
  writeOut(table(['', ...COLUMNS, 'held', 'last success', 'oldest pending'], rows));
  tell(
    lastRun
      ? `Last run: ${lastRun.outcome ?? 'under way'}${lastRun.exitCode === null ? '' : `, exit code ${lastRun.exitCode}`}, began ${shortTime(lastRun.startedAt)}${lastRun.error ? ` (${lastRun.error.code}: ${lastRun.error.message})` : ''}`
      : 'No run yet.',
  );
  for (const entity of Object.keys(entities) as EntityName[]) {
    const { hold, pushHold } = await state.entityStates.read(entity);
    for (const reason of [hold, pushHold]) {
      if (reason)
        tell(
          `  ${entity} is held: ${reason.message}${reason.sampleKeys.length > 0 ? ` Keys: ${reason.sampleKeys.join(', ')}.` : ''} placement-sync approve ${entity} permits it.`,
        );
    }
  }
  for (const { entity, since } of inDoubt)
    tell(
      `  ${entity} is in doubt since ${shortTime(since)}: the state database was restored or failed over.`,
    );
  if (inDoubt.length > 0) tell(`  ${DOUBT_HINT}`);
  await printAttention(state, Object.keys(entities) as EntityName[]);
}

/** An ISO time without fractions: `2026-01-31 08:00:00Z`. */
function shortTime(time: string | null): string | null {
  return time === null ? null : time.replace('T', ' ').replace(/\.\d+Z$/, 'Z');
}
