import { countedRecords } from '../../../domain/issue-group/counted-records.js';
import type { Check } from '../check.js';
import type { EntityFacts } from '../facts.js';
import { fail, pass, type Finding, type Verdict } from '../finding.js';
import { judgedRows } from '../judged-rows.js';
import { effectOfCode, openCodes, type Counts, type OpenCode, type OpenCodes } from './open-codes.js';

/** Codes of a file that are named; the rest is counted. */
const MOST_CODES = 12;
const MOST_KEYS = 5;

export const codes: Check = {
  id: 'codes',
  levels: ['fail'],
  looksAt:
    'codes of the lookups that have no id yet, with the records that have them and those that wait for these: one block for each file, also where several entities share it',
  remedy:
    'Add the id in the file that is named, or `-` to leave the field out where the column may be absent; a row with code `*` stands for every other code.',
  judge: ({ entities }) => {
    const blocks = openCodes(entities);
    const named = new Set(blocks.flatMap(({ groups }) => groups.map(({ entity }) => entity)));
    const others = entities.filter(({ entity }) => !named.has(entity.name));
    return [
      ...blocks.map((block): Finding => ({ id: 'codes', entity: block.entity, ...verdictOf(block) })),
      ...others.flatMap((each) =>
        judgedRows(each.rows, (facts) => [nothingOpen(each, facts)]).map((verdict): Finding => ({
          id: 'codes',
          entity: each.entity.name,
          ...verdict,
        })),
      ),
    ];
  },
};

type Rows = Parameters<Parameters<typeof judgedRows>[1]>[0];

function nothingOpen({ entity }: EntityFacts, { columns, absent, read }: Rows): Verdict {
  const lookups = Object.keys(entity.mapContext.lookups);
  const filled = lookups.filter((column) => columns.includes(column) && absent.get(column) !== read);
  if (filled.length > 0) return pass(`every code has its id: ${filled.join(', ')}`);
  return pass(lookups.length === 0 ? 'no lookups' : 'no row has a code');
}

function verdictOf({ file, columns, codes: open, groups }: OpenCodes): Verdict {
  const subject = columns.join(', ');
  const sample = groups.flatMap(({ sampleKeys }) => sampleKeys).slice(0, MOST_KEYS);
  const count = total(open.map(({ invalid }) => invalid));
  // The first entity's stays: it may be the one that must fill the column.
  const hints = new Map(
    groups.toReversed().map(({ code, hint }) => [code, hint ?? 'Add its id to the file of the lookup.']),
  );
  const [only] = open;
  if (open.length === 1 && only !== undefined) {
    const code = only.code === null ? 'further codes have no id' : `code ${titleOf(only)} has no id`;
    return fail(`${subject}: ${code}: ${effectText(only)}`, [...hints.values()].join(' '), { count, sample });
  }
  const all = {
    invalid: sum(open.map(({ invalid }) => invalid)),
    waiting: sum(open.map(({ waiting }) => waiting)),
  };
  const where = file === null ? '' : ` in ${file}`;
  const hint = [...hints.values()].map(forMany).join(' ');
  return {
    ...fail(`${subject}: ${number(open.length)} codes have no id${where}: ${effectText(all)}`, hint, {
      count,
      sample,
    }),
    lines: linesOf(open),
  };
}

function linesOf(open: readonly OpenCode[]): readonly string[] {
  const shown = open
    .slice(0, MOST_CODES)
    .map((each) => `${each.code === null ? 'further codes' : titleOf(each)}: ${effectText(each)}`);
  const rest = open.slice(MOST_CODES);
  if (rest.length === 0) return shown;
  const records = rest.reduce((all, each) => all + effectOfCode(each), 0);
  return [
    ...shown,
    `${number(rest.length)} more, about ${number(records)} records; placement-sync plan lists all`,
  ];
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
