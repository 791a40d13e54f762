import {
  type CodeBlock,
  codeBlocks,
  codeBlockText,
  effectOfBlock,
  groupText,
  namedKeys,
  problemLine,
} from '../../features/look/group-text.js';
import { effectOf, isOpenCode, type IssueGroup } from '../../core/domain/issue-group.js';
import { type Colour, moreText, say } from './write.js';

/** Shown to people; a program reads all of them. */
const SHOWN = { problems: 30, codes: 12 };

const ALL = '  What is invalid, waits or is doubtful, the largest effect first:';
/** The ledger keeps nothing of doubtful values, so a status never has them. */
const UNSENT = '  What is invalid or waits, the largest effect first:';
const DOUBTFUL = '  What is doubtful in the rows that were read (it is sent as it is):';

/**
 * What is invalid, waits or is doubtful: one line for each reason, and the codes of a column in one block. `groups`: the
 * largest effect first. `all`: without limits.
 */
export function printGroups(groups: readonly IssueGroup[], { all = false } = {}): void {
  if (groups.length === 0) return;
  const doubtful = groups.filter(({ kind }) => kind === 'doubtful').length;
  say(doubtful === 0 ? UNSENT : doubtful === groups.length ? DOUBTFUL : ALL);
  const most = all ? { problems: Infinity, codes: Infinity } : SHOWN;
  const problems = groupProblems(groups, most.codes);
  for (const { part, colour, line, codes } of problems.slice(0, most.problems)) {
    say(`    ${line}`, { part, colour });
    for (const code of codes) say(`      ${code}`);
  }
  if (problems.length > most.problems)
    say(`    ${moreText(problems.length - most.problems)}; --json lists all.`);
}

const MOST_KEYS = 3;

const COLOURS: Readonly<Record<IssueGroup['kind'], Colour>> = {
  invalid: 'red',
  rejected: 'red',
  waiting: 'yellow',
  doubtful: 'yellow',
};

interface Problem {
  readonly part: string;
  readonly colour: Colour;
  /** Records that cannot be sent, or are doubtful. */
  readonly effect: number;
  readonly doubtful: boolean;
  readonly line: string;
  /** Below the line, one code each. */
  readonly codes: readonly string[];
}

/** One problem for each reason, and one for the codes of a column. `groups`: the largest effect first, and so is the result. */
export function groupProblems(groups: readonly IssueGroup[], mostCodes: number): readonly Problem[] {
  const blocks = codeBlocks(
    groups
      .filter(isOpenCode)
      .map((group) => ({ group, place: group.field ?? group.entity, file: null, name: null })),
  );
  // One code reads best as a group of its own.
  const several = blocks.filter(({ groups: same }) => same.length > 1);
  const inBlocks = new Set(several.flatMap(({ groups: same }) => same));
  return [
    ...groups.filter((group) => !inBlocks.has(group)).map(problemOfGroup),
    ...several.map((block) => problemOfBlock(block, mostCodes)),
  ].sort((a, b) => Number(a.doubtful) - Number(b.doubtful) || b.effect - a.effect);
}

function problemOfGroup(group: IssueGroup): Problem {
  return {
    part: group.field ?? group.message,
    colour: COLOURS[group.kind],
    effect: effectOf(group),
    doubtful: group.kind === 'doubtful',
    line: groupText(group),
    codes: [],
  };
}

function problemOfBlock(block: CodeBlock, mostCodes: number): Problem {
  const { message, hint, count, lines } = codeBlockText(block, mostCodes, '--json');
  const sampleKeys = namedKeys(block.groups, MOST_KEYS);
  return {
    part: block.columns.join(', '),
    colour: COLOURS.invalid,
    effect: effectOfBlock(block),
    doubtful: false,
    line: problemLine({ problem: message, hint, sampleKeys, count }),
    codes: lines,
  };
}
