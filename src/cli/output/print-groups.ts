import type { IssueGroup } from '../../domain/issue-group.js';
import { groupProblems } from './group-problems.js';
import { moreText } from './more-text.js';
import { say } from './write.js';

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
