import { effectOfCode, type CodeBlock, type Counts, type OpenCode } from './code-blocks.js';
import { countedRecords } from './counted-records.js';

export interface CodeBlockText {
  /** `region_id: 2 codes have no id in reference/cities.csv: 42 companies are invalid, 360 vacancies wait for them` */
  readonly message: string;
  readonly hint: string;
  /** Records that are invalid. */
  readonly count: number;
  /** One code each; empty: the message names the only one. */
  readonly lines: readonly string[];
}

/** The text of a block of codes. `most`: codes that are named, the rest is counted; `listedBy`: what lists them all. Pure. */
export function codeBlockText(
  { file, columns, codes, groups }: CodeBlock,
  most: number,
  listedBy: string,
): CodeBlockText {
  const subject = columns.join(', ');
  const count = total(codes.map(({ invalid }) => invalid));
  // The first entity's stays: it may be the one that must fill the column.
  const hints = [
    ...new Map(
      groups.toReversed().map(({ code, hint }) => [code, hint ?? 'Add its id to the file of the lookup.']),
    ).values(),
  ];
  const [only] = codes;
  if (codes.length === 1 && only !== undefined) {
    const code = only.code === null ? 'further codes have no id' : `code ${titleOf(only)} has no id`;
    return { message: `${subject}: ${code}: ${effectText(only)}`, hint: hints.join(' '), count, lines: [] };
  }
  const all = {
    invalid: sum(codes.map(({ invalid }) => invalid)),
    waiting: sum(codes.map(({ waiting }) => waiting)),
  };
  const where = file === null ? '' : ` in ${file}`;
  return {
    message: `${subject}: ${number(codes.length)} codes have no id${where}: ${effectText(all)}`,
    hint: hints.map(forMany).join(' '),
    count,
    lines: linesOf(codes, most, listedBy),
  };
}

function linesOf(codes: readonly OpenCode[], most: number, listedBy: string): readonly string[] {
  const shown = codes
    .slice(0, most)
    .map((each) => `${each.code === null ? 'further codes' : titleOf(each)}: ${effectText(each)}`);
  const rest = codes.slice(most);
  if (rest.length === 0) return shown;
  const records = rest.reduce((all, each) => all + effectOfCode(each), 0);
  return [...shown, `${number(rest.length)} more, about ${number(records)} records; ${listedBy} lists all`];
}

function titleOf({ code, name }: OpenCode): string {
  const shown = JSON.stringify(code);
  return name === null || name === code ? shown : `${shown} (${name})`;
}

/** `5 companies and 26 vacancies are invalid, 1 vacancy waits for them` */
function effectText({ invalid, waiting }: Pick<OpenCode, 'invalid' | 'waiting'>): string {
  const count = total([invalid]);
  const invalidText = `${recordsText(invalid)} ${count === 1 ? 'is' : 'are'} invalid`;
  if (waiting.size === 0) return invalidText;
  return `${invalidText}, ${recordsText(waiting)} ${total([waiting]) === 1 ? 'waits' : 'wait'} for ${count === 1 ? 'it' : 'them'}`;
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

function total(all: readonly Counts[]): number {
  return [...sum(all).values()].reduce((whole, count) => whole + count, 0);
}

/** The hint of one code, for several. */
function forMany(hint: string): string {
  return hint.replace(/\bits id\b|\bthe id\b/, 'the ids').replace(/^Add it\b/, 'Add them');
}

function number(count: number): string {
  return count.toLocaleString('en-US');
}
