import type { PlanReport } from '../../sync/plan-sync.js';
import { table } from './table.js';
import { writeJson, writeOut } from './write.js';

const COLUMNS = ['read', 'unchanged', 'new', 'changed', 'vanished', 'invalid', 'pending'] as const;

/** What a run would do. */
export function printPlan(report: PlanReport, json: boolean): void {
  if (json) {
    writeJson(report);
    return;
  }
  const entities = Object.entries(report.entities);
  writeOut(table(['', ...COLUMNS], entities.map(([name, counters]) => [name, ...COLUMNS.map((column) => counters[column])])));
  for (const [name, { held, error }] of entities) {
    if (error) writeOut(`  ${name}: ${error.code}: ${error.message}`);
    if (held) writeOut(`  ${name} would be held by a guard.`);
  }
  for (const { entity, key, action, fields, issues } of report.changes) {
    const what = action === 'invalid' ? (issues[0]?.message ?? '') : action === 'changed' ? fields.join(', ') : '';
    writeOut(`  ${action.padEnd(8)} ${entity} ${key}${what ? `: ${what}` : ''}`);
  }
  const total = entities.reduce((sum, [, counters]) => sum + counters.new + counters.changed + counters.vanished, 0);
  if (report.changes.length < total) writeOut('  … more; --limit lists more of them, --json all.');
  writeOut('Nothing was written or sent.');
}
