import type { JsonValue } from '../../domain/json.js';
import { issueText } from '../../domain/issue.js';
import type { PlanReport } from '../../sync/plan-sync.js';
import { table } from './table.js';
import { tellForeign } from './tell-foreign.js';
import { tell, writeJson, writeOut } from './write.js';

const COLUMNS = ['read', 'unchanged', 'new', 'changed', 'vanished', 'invalid', 'pending'] as const;

/** Changes listed for people when nobody says how many. */
export const LISTED = 50;

/** 1 when an entity's query failed, else 0: a plan that shows invalid records is a good plan. */
export function planExitCode(report: PlanReport): 0 | 1 {
  return Object.values(report.entities).some(({ error }) => error !== null) ? 1 : 0;
}

/** What a run would do. */
export function printPlan(report: PlanReport, json: boolean): void {
  if (json) {
    writeJson(report);
    return;
  }
  const entities = Object.entries(report.entities);
  writeOut(
    table(
      ['', ...COLUMNS],
      entities.map(([name, counters]) => [name, ...COLUMNS.map((column) => counters[column])]),
    ),
  );
  for (const [name, { held, error }] of entities) {
    if (error) tell(`  ${name}: ${error.code}: ${error.message}`);
    if (held) tell(`  ${name} would be held by a guard.`);
  }
  tellForeign(report.entities);
  for (const { entity, key, action, fields, issues, diff = [] } of report.changes) {
    const what =
      action === 'invalid' ? issues.map(issueText).join('; ') : action === 'new' ? '' : fields.join(', ');
    tell(`  ${action.padEnd(8)} ${entity} ${key}${what ? `: ${what}` : ''}`);
    for (const { field, from, to } of diff) tell(`           ${field}: ${shown(from)} → ${shown(to)}`);
  }
  const total = entities.reduce(
    (sum, [, counters]) => sum + counters.new + counters.changed + counters.vanished,
    0,
  );
  if (report.changes.filter(({ action }) => action !== 'invalid').length < total)
    tell('  … more; --limit lists more of them, --json all.');
  tell('Nothing was written or sent.');
}

/** Longest value that is shown. */
const LONGEST = 60;

function shown(value: JsonValue): string {
  if (value === null) return 'nothing';
  const text = JSON.stringify(value);
  if (text.length <= LONGEST) return text;
  // A quote that was cut off would look like a text that goes on.
  return typeof value === 'string' ? `${text.slice(0, LONGEST - 1)}…"` : `${text.slice(0, LONGEST)}…`;
}
