import {
  type CodeBlock,
  codeBlocks,
  codeBlockText,
  effectOfBlock,
  groupText,
  problemLine,
} from '../../domain/group-text.js';
import { effectOf, isOpenCode, type IssueGroup } from '../../domain/issue-group.js';
import type { Colour } from './colours.js';

const MOST_KEYS = 3;

const COLOURS: Readonly<Record<IssueGroup['kind'], Colour>> = {
  invalid: 'red',
  waiting: 'yellow',
  doubtful: 'yellow',
};

/** What is wrong, as a person reads it. */
export interface Problem {
  /** The part of the line that is coloured. */
  readonly part: string;
  readonly colour: Colour;
  /** Records that cannot be sent, or are doubtful. */
  readonly effect: number;
  readonly doubtful: boolean;
  readonly line: string;
  /** Below the line, one code each. */
  readonly codes: readonly string[];
}

/** One problem for each reason, and one for the codes of a column. `groups`: the largest effect first, and so is the result. Pure. */
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
    ...groups.filter((group) => !inBlocks.has(group)).map(ofGroup),
    ...several.map((block) => ofBlock(block, mostCodes)),
  ].sort((a, b) => Number(a.doubtful) - Number(b.doubtful) || b.effect - a.effect);
}

function ofGroup(group: IssueGroup): Problem {
  return {
    part: group.field ?? group.message,
    colour: COLOURS[group.kind],
    effect: effectOf(group),
    doubtful: group.kind === 'doubtful',
    line: groupText(group),
    codes: [],
  };
}

function ofBlock(block: CodeBlock, mostCodes: number): Problem {
  const { message, hint, count, lines } = codeBlockText(block, mostCodes, '--json');
  const sampleKeys = block.groups.flatMap((group) => group.sampleKeys).slice(0, MOST_KEYS);
  return {
    part: block.columns.join(', '),
    colour: COLOURS.invalid,
    effect: effectOfBlock(block),
    doubtful: false,
    line: problemLine({ problem: message, hint, sampleKeys, count }),
    codes: lines,
  };
}
