import { groupText } from '../../domain/issue-group/group-text.js';
import type { IssueGroup } from '../../domain/issue-group/issue-group.js';
import type { Colour } from './colours.js';
import { moreText } from './more-text.js';
import { say } from './write.js';

/** Groups shown to people; a program reads all of them. */
const SHOWN = 30;

const ALL = '  What is invalid, waits or is doubtful, the largest effect first:';
/** The ledger keeps nothing of doubtful values, so a status never has them. */
const UNSENT = '  What is invalid or waits, the largest effect first:';
const DOUBTFUL = '  What is doubtful in the rows that were read (it is sent as it is):';

const COLOURS: Readonly<Record<IssueGroup['kind'], Colour>> = {
  invalid: 'red',
  waiting: 'yellow',
  doubtful: 'yellow',
};

/** What is invalid, waits or is doubtful, one line for each reason. `groups`: the largest effect first. */
export function printGroups(groups: readonly IssueGroup[], most = SHOWN): void {
  if (groups.length === 0) return;
  const doubtful = groups.filter(({ kind }) => kind === 'doubtful').length;
  say(doubtful === 0 ? UNSENT : doubtful === groups.length ? DOUBTFUL : ALL);
  for (const group of groups.slice(0, most)) {
    const part = group.field ?? group.message;
    say(`    ${groupText(group)}`, { part, colour: COLOURS[group.kind] });
  }
  if (groups.length > most) say(`    ${moreText(groups.length - most)}; --json lists all.`);
}
