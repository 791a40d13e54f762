import { groupBy } from '../../core/domain/group-by.js';
import type { IssueGroup } from '../../core/domain/issue-group.js';
import { hintOf, issueText } from '../../core/domain/issue.js';
import type { EntityName } from '../../core/domain/names.js';
import { countedRecords, grouped, plural } from '../../core/domain/text.js';

/**
 * Groups in words, one line each. Codes without id come as blocks, because they are filled in at one place: a file.
 */

/**
 * A group as one line: what is wrong, what follows from it, what to do, and a few keys.
 * `region_id: code "Surabaya" has no id: 40 companies are invalid, 356 vacancies wait for them; add it to reference/cities.csv (c01, c02, c03, …)`.
 */
export function groupText(group: IssueGroup): string {
  const { field, message, hint, count, sampleKeys, parents } = group;
  const problem = field === null ? message : issueText({ field, message });
  const [first, ...others] = sampleKeys;
  const above = parents && parents.keys.length > 0 ? `${parents.entity} ${parents.keys.join(', ')}; ` : '';
  // The hint is about the parents, the keys are those of the children.
  const named =
    group.kind === 'waiting' && first !== undefined
      ? [`${above}${group.entity} ${first}`, ...others]
      : sampleKeys;
  return problemLine({
    problem: `${problem}: ${effects(group).join(', ')}`,
    hint,
    sampleKeys: named,
    count,
  });
}

function effects({ entity, kind, count, follows }: IssueGroup): string[] {
  const verb = kind === 'waiting' ? plural(count, 'waits', 'wait') : `${plural(count, 'is', 'are')} ${kind}`;
  const these = plural(count, 'it', 'them');
  return [
    `${countedRecords(count, entity)} ${verb}`,
    ...follows.map(
      (of) => `${countedRecords(of.count, of.entity)} ${plural(of.count, 'waits', 'wait')} for ${these}`,
    ),
  ];
}

interface CodeBlockText {
  /** `region_id: 2 codes have no id in reference/cities.csv: 42 companies are invalid, 360 vacancies wait for them` */
  readonly message: string;
  readonly hint: string;
  /** Records that are invalid. */
  readonly count: number;
  /** One code each; empty: the message names the only one. */
  readonly lines: readonly string[];
}

/** The text of a block of codes. `most`: codes that are named, the rest is counted; `listedBy`: what lists them all. */
export function codeBlockText(
  { file, columns, codes, groups }: CodeBlock,
  most: number,
  listedBy: string,
): CodeBlockText {
  const [only] = codes;
  const all = {
    invalid: sum(codes.map(({ invalid }) => invalid)),
    waiting: sum(codes.map(({ waiting }) => waiting)),
  };
  const count = total(all.invalid);
  const subject = `${columns.join(', ')}: `;
  if (codes.length === 1 && only !== undefined) {
    const code = only.code === null ? 'further codes have no id' : `code ${titleOf(only)} has no id`;
    return {
      message: `${subject}${code}: ${effectText(all)}`,
      hint: hintsOf(groups, 'one'),
      count,
      lines: [],
    };
  }
  const where = file === null ? '' : ` in ${file}`;
  return {
    message: `${subject}${grouped(codes.length)} codes have no id${where}: ${effectText(all)}`,
    hint: hintsOf(groups, 'many'),
    count,
    lines: linesOf(codes, most, listedBy),
  };
}

/** Of each kind once. The first entity's stays: it may be the one that must fill the column. */
function hintsOf(groups: readonly IssueGroup[], of: 'one' | 'many'): string {
  const hints = new Map<string, string>();
  for (const { code, issue } of groups.toReversed())
    hints.set(
      code,
      hintOf({ hint: issue.hint, lookup: issue.lookup }, of) ??
        `Add ${of === 'one' ? 'its id' : 'the ids'} to the file of the lookup.`,
    );
  return [...hints.values()].join(' ');
}

function linesOf(codes: readonly OpenCode[], most: number, listedBy: string): readonly string[] {
  const shown = codes
    .slice(0, most)
    .map((each) => `${each.code === null ? 'further codes' : titleOf(each)}: ${effectText(each)}`);
  const rest = codes.slice(most);
  if (rest.length === 0) return shown;
  const records = effectOfBlock({ codes: rest });
  return [...shown, `${grouped(rest.length)} more, about ${grouped(records)} records; ${listedBy} lists all`];
}

function titleOf({ code, name }: OpenCode): string {
  const shown = JSON.stringify(code);
  return name === null || name === code ? shown : `${shown} (${name})`;
}

/** `5 companies and 26 vacancies are invalid, 1 vacancy waits for them` */
function effectText({ invalid, waiting }: Pick<OpenCode, 'invalid' | 'waiting'>): string {
  const count = total(invalid);
  const invalidText = `${recordsText(invalid)} ${plural(count, 'is', 'are')} invalid`;
  if (waiting.size === 0) return invalidText;
  return `${invalidText}, ${recordsText(waiting)} ${plural(total(waiting), 'waits', 'wait')} for ${plural(count, 'it', 'them')}`;
}

function recordsText(counts: Counts): string {
  return [...counts].map(([entity, count]) => countedRecords(count, entity)).join(' and ');
}

function sum(all: readonly Counts[]): Counts {
  const result = new Map<string, number>();
  for (const [entity, count] of all.flatMap((counts) => [...counts]))
    result.set(entity, (result.get(entity) ?? 0) + count);
  return result;
}

function total(counts: Counts): number {
  return [...counts.values()].reduce((whole, count) => whole + count, 0);
}

/** Records by entity, in the order in which they were met. */
type Counts = ReadonlyMap<EntityName, number>;

/** A code without id, with its records in all entities of the block. */
interface OpenCode {
  /** Null: further codes, which were not kept apart. */
  readonly code: string | null;
  /** From the lookup; null: it has none. */
  readonly name: string | null;
  readonly invalid: Counts;
  readonly waiting: Counts;
}

/** Codes without id that are filled in at one place; the largest effect first. */
export interface CodeBlock {
  readonly file: string | null;
  readonly entity: EntityName;
  readonly columns: readonly string[];
  readonly codes: readonly OpenCode[];
  readonly groups: readonly IssueGroup[];
}

/** A group about a code without id. */
export interface CodeGroup {
  readonly group: IssueGroup;
  /** Groups of one place make one block. */
  readonly place: string;
  readonly file: string | null;
  readonly name: string | null;
}

/** Codes without id by the place where their ids are filled in; the largest effect first. */
export function codeBlocks(groups: readonly CodeGroup[]): readonly CodeBlock[] {
  return [...groupBy(groups, ({ place }) => place).values()]
    .map(blockOf)
    .sort((a, b) => effectOfBlock(b) - effectOfBlock(a));
}

/** Records that a code keeps from being sent. */
function effectOfCode({ invalid, waiting }: OpenCode): number {
  return total(invalid) + total(waiting);
}

/** Records that the codes of a block keep from being sent. */
export function effectOfBlock({ codes }: Pick<CodeBlock, 'codes'>): number {
  return codes.reduce((sum, code) => sum + effectOfCode(code), 0);
}

function blockOf(found: readonly CodeGroup[]): CodeBlock {
  const [first] = found;
  const codes = [...groupBy(found, ({ group }) => group.issue.lookup?.code ?? null).entries()]
    .map(([code, same]): OpenCode => {
      const invalid = new Map<EntityName, number>();
      const waiting = new Map<EntityName, number>();
      for (const { group } of same) {
        // Two columns of a record often have the same code.
        raise(invalid, group.entity, group.count);
        for (const follow of group.follows) raise(waiting, follow.entity, follow.count);
      }
      return { code, name: same.find(({ name }) => name !== null)?.name ?? null, invalid, waiting };
    })
    .sort((a, b) => effectOfCode(b) - effectOfCode(a));
  return {
    file: first?.file ?? null,
    entity: first?.group.entity ?? '',
    columns: [...new Set(found.map(({ group }) => group.field ?? ''))],
    codes,
    groups: found.map(({ group }) => group),
  };
}

function raise(counts: Map<EntityName, number>, entity: EntityName, count: number): void {
  counts.set(entity, Math.max(counts.get(entity) ?? 0, count));
}

/** A few keys of these groups, each once; of several entities with their names: `companies 12, vacancies 501, 33`. */
export function namedKeys(
  groups: readonly Pick<IssueGroup, 'entity' | 'sampleKeys'>[],
  most: number,
): readonly string[] {
  const keys = [...groupBy(groups, ({ entity }) => entity)].map(
    ([entity, same]) => [entity, [...new Set(same.flatMap(({ sampleKeys }) => sampleKeys))]] as const,
  );
  if (keys.length === 1) return keys.flatMap(([, own]) => own).slice(0, most);
  const each = Math.ceil(most / keys.length);
  return keys
    .flatMap(([entity, own]) =>
      own.slice(0, each).map((key, index) => (index === 0 ? `${entity} ${key}` : key)),
    )
    .slice(0, most);
}

interface ProblemLine {
  /** What is wrong, and what follows from it. */
  readonly problem: string;
  /** What to do, as a sentence; null: nothing is known. */
  readonly hint: string | null;
  readonly sampleKeys: readonly string[];
  /** Records that it is about. */
  readonly count: number;
}

/** A problem, what to do about it, and a few keys, as one line. */
export function problemLine({ problem, hint, sampleKeys, count }: ProblemLine): string {
  const toDo = hint === null ? '' : `; ${asClause(hint)}`;
  const more = count > sampleKeys.length ? ', …' : '';
  const keys = sampleKeys.length === 0 ? '' : ` (${sampleKeys.join(', ')}${more})`;
  return `${problem}${toDo}${keys}`;
}

/** A sentence as the end of another one. A name with capitals, such as NaN, stays. */
function asClause(sentence: string): string {
  const text = sentence.replace(/\.$/, '');
  return /^[A-Z][a-z]+(?![A-Za-z])/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
