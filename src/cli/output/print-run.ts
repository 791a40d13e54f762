import type { State } from '../../ports/state.js';
import type { EntityName } from '../../domain/entity-name.js';
import type { RunReport } from '../../sync/run-report.js';
import { table } from './table.js';
import { writeJson, writeOut } from './write.js';

const COLUMNS = ['read', 'unchanged', 'new', 'changed', 'vanished', 'invalid', 'sent', 'accepted', 'rejected', 'deferred', 'waiting', 'pending'] as const;

/** How many records that need a human are named per entity. */
const NAMED = 3;

/** The summary of a run: JSON for programs; for people a table, and what needs a human. */
export async function printRun(state: State, report: RunReport, json: boolean): Promise<void> {
  if (json) {
    writeJson(report);
    return;
  }
  const entities = Object.entries(report.entities);
  const rows = entities.map(([name, counters]) => [name, ...COLUMNS.map((column) => counters[column])]);
  const took = (Date.parse(report.finishedAt) - Date.parse(report.startedAt)) / 1000;
  writeOut(table(['', ...COLUMNS], rows));
  writeOut(`${report.outcome}, exit code ${report.exitCode}, ${took.toFixed(1)} s (run ${report.runId})`);
  for (const [name, { held, error }] of entities) {
    if (error) writeOut(`  ${name}: ${error.code}: ${error.message}`);
    if (held) writeOut(`  ${name} is held; placement-sync approve ${name} permits it.`);
  }
  await printAttention(state, entities.map(([name]) => name as EntityName));
}

/** Names a few records that need a human, and how to learn more. */
export async function printAttention(state: State, entities: readonly EntityName[]): Promise<void> {
  for (const entity of entities) {
    const found = await state.records.needingAttention(entity, NAMED + 1);
    for (const { key, status, message } of found.slice(0, NAMED)) writeOut(`  ${entity} ${key} is ${status}: ${message}`);
    if (found.length > NAMED) writeOut(`  … more in ${entity}; see placement-sync status and explain`);
  }
}
