import type { Consequence, Hold, PushHold } from '../../core/domain/guard.js';
import { issueText } from '../../core/domain/issue.js';
import { shownGroup } from '../../core/domain/issue-group.js';
import type { EntityName } from '../../core/domain/names.js';
import type { JsonValue } from '../../core/domain/row.js';
import { grouped, plural, visibleText, withFullStop } from '../../core/domain/text.js';
import { CONSEQUENCE_TEXTS, describeConsequences } from '../../features/troubles/consequences.js';
import { PLAIN_WORDS } from '../../features/troubles/describe-trouble.js';
import type { FieldChange } from '../../core/domain/payload.js';
import type { PlanFindings } from '../../features/plan/plan-sync.js';
import type { SampledRecord } from '../../features/plan/sample-records.js';
import { io } from '../io.js';
import { printGroups } from './print-groups.js';
import { printExpired, printForeign } from './print-run.js';
import { countCell, table } from './table.js';
import { type Colour, cutText, moreText, say, widthOf, writeJson, writeOut } from './write.js';

const COLUMNS = ['read', 'unchanged', 'new', 'changed', 'vanished', 'invalid', 'waiting', 'pending'] as const;

/** Of `plan --detailed-exitcode`. Terraform has 2, which is usage here, as in every command of this program. */
const CHANGES = 10;

/**
 * 1 when an entity's query failed, else 0: a plan may show invalid records. `detailed`: 10 when a run would send
 * something, or a guard holds it.
 */
export function planExitCode({ entities, actions }: PlanFindings, detailed: boolean): number {
  if (Object.values(entities).some(({ error }) => error !== null)) return 1;
  return detailed && sentBy(actions) + actions.held > 0 ? CHANGES : 0;
}

/** Signs and colours as in terraform; an error has none there. */
const SIGNS: Readonly<
  Record<PlanFindings['changes'][number]['action'], readonly [sign: string, colour: Colour]>
> = {
  new: ['+', 'green'],
  changed: ['~', 'yellow'],
  vanished: ['-', 'red'],
  invalid: ['!', 'red'],
};

/** What a run would do. `missing`: why there is no ledger yet; null: there is one. */
export function printPlan(
  { holds, unlisted, actions, partial, ...report }: PlanFindings,
  { json, missing }: { readonly json: boolean; readonly missing: string | null },
): void {
  if (json) {
    const shown = { ...report, groups: report.groups.map(shownGroup) };
    writeJson(missing === null ? shown : { ...shown, ledger: false });
    return;
  }
  if (missing !== null)
    say(`There is no ledger yet, so every record is new. ${withFullStop(missing)} Nothing is created.`);
  const entities = Object.entries(report.entities);
  writeOut(
    table(
      ['', ...COLUMNS],
      entities.map(([name, counters]) => [
        name,
        ...COLUMNS.map((column) => countCell(column, counters[column])),
      ]),
    ),
  );
  for (const [name, { error }] of entities)
    if (error) say(`  ${name}: ${error.code}: ${error.message}`, { part: error.code, colour: 'red' });
  for (const [name, { reason, consequences }] of Object.entries(holds)) {
    say(`  ${name} would be held by the guard ${reason}`, { part: 'would be held', colour: 'red' });
    for (const line of consequenceLines(consequences, name)) say(`    ${line}`);
  }
  printExpired(report.entities);
  printForeign(report.entities);
  printGroups(report.groups);
  if (partial.length > 0) {
    say(
      `  Doubtful values of ${partial.join(', ')}: only rows that changed were looked at. placement-sync doctor looks at all rows.`,
    );
  }
  for (const { entity, key, action, expired, fields, issues, diff = [] } of report.changes) {
    const what =
      action === 'invalid' ? issues.map(issueText).join('; ') : action === 'new' ? '' : fields.join(', ');
    const [sign, colour] = SIGNS[action];
    const line = `  ${sign} ${(expired ? 'expired' : action).padEnd(8)} ${entity} ${key}${what ? `: ${what}` : ''}`;
    say(line, { part: sign, colour });
    for (const change of diff) {
      const line = diffLine(change, action === 'new', widthOf(io().stdout));
      if (line !== null) writeOut(visibleText(line));
    }
  }
  for (const [index, sampled] of (report.samples ?? []).entries())
    for (const line of sampleLines(sampled, report.samples?.[index - 1])) say(line);
  if (unlisted > 0) say(`  ${moreText(unlisted)}; --limit lists more of them, --json lists all.`);
  say('Nothing was written or sent.');
  say(planSummary(actions));
}

/** A whole record, below a heading for the first of its entity. */
function sampleLines(
  { entity, key, parent, record }: SampledRecord,
  before: SampledRecord | undefined,
): readonly string[] {
  const above = parent === null ? '' : `, of ${parent.entity} ${parent.key ?? '(none)'}`;
  return [
    ...(before?.entity === entity ? [] : [`\nRecords of ${entity} as they would be sent:`]),
    `  ${key}${above}`,
    ...JSON.stringify(record, null, 2)
      .split('\n')
      .map((line) => `    ${line}`),
  ];
}

const DIFF_INDENT = ' '.repeat(13);
/** Longest value in a pipe; a terminal shows what fits. */
const LONGEST = 60;
const SHORTEST = 8;
const ARROW = ' → ';

/**
 * A field with its value now and then, on one line of the terminal. Null: nothing to show, because the field of
 * a new record is null.
 */
export function diffLine(
  { field, from, to }: FieldChange,
  isNew: boolean,
  width: number | undefined,
): string | null {
  const start = `${DIFF_INDENT}${field}: `;
  // An absent field and a null field are both null here; only their hashes differ.
  if (from === null && to === null) {
    return isNew ? null : cutText(`${start}empty before and after (left out, or sent as null)`, width);
  }
  const [before, after] = [shown(from), shown(to)];
  if (width === undefined) return `${start}${cutText(before, LONGEST)}${ARROW}${cutText(after, LONGEST)}`;
  const room = width - start.length - ARROW.length;
  // The longer value gets the space that the shorter one leaves.
  const half = Math.floor(room / 2);
  const forBefore = Math.max(SHORTEST, half, room - after.length);
  const cut = cutText(before, forBefore);
  return `${start}${cut}${ARROW}${cutText(after, Math.max(SHORTEST, room - cut.length))}`;
}

function shown(value: JsonValue): string {
  return value === null ? 'nothing' : JSON.stringify(value);
}

/** `1 create, 2 update, 1 close, 18 with errors`: what a run would do, without what it would not. */
export function planSummary(actions: PlanFindings['actions']): string {
  const parts = [
    counted(actions.create, 'create'),
    counted(actions.update, 'update'),
    counted(actions.close, 'close'),
    counted(actions.delete, 'delete'),
    counted(actions.before, 'pending from before'),
    counted(actions.waiting, plural(actions.waiting, 'waits for its parent', 'wait for their parents')),
    counted(actions.kept, 'vanished (the platform keeps them)'),
    counted(actions.gone, 'vanished (the platform does not have them)'),
    counted(actions.held, 'held back by a guard'),
    counted(actions.invalid, 'with errors'),
  ].filter((part) => part !== null);
  return [...(sentBy(actions) === 0 ? ['nothing to send'] : []), ...parts].join(', ');
}

function sentBy({ create, update, close, delete: deleted, before }: PlanFindings['actions']): number {
  return create + update + close + deleted + before;
}

function counted(count: number, what: string): string | null {
  return count === 0 ? null : `${grouped(count)} ${what}`;
}

/** `If you approve:`, then one line for each thing that follows; none when nothing follows. */
function consequenceLines(consequences: readonly Consequence[], entity: EntityName): readonly string[] {
  const sentences = describeConsequences(consequences, entity, 'en', PLAIN_WORDS);
  if (sentences.length === 0) return [];
  return [CONSEQUENCE_TEXTS.en.ifApproved, ...sentences.map((sentence) => `  ${sentence}`)];
}

/** Why the entity is held, and what an approval does, for the person who approves. */
export function printHeld(
  entity: EntityName,
  holds: readonly (Hold | PushHold | null)[],
  consequences: readonly Consequence[],
): void {
  for (const hold of holds) {
    if (hold === null) continue;
    const keys = hold.sampleKeys.length === 0 ? '' : ` Keys: ${hold.sampleKeys.join(', ')}.`;
    say(`${entity} is held: ${hold.message}${keys}`);
  }
  for (const line of consequenceLines(consequences, entity)) say(line);
}
