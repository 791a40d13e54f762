import { issueText } from '../issue.js';
import { countedRecords } from './counted-records.js';
import type { Follow, IssueGroup } from './issue-group.js';
import { problemLine } from './problem-line.js';

/**
 * A group as one line: what is wrong, what follows from it, what to do, and a few keys.
 * `region_id: code "Surabaya" has no id: 40 companies are invalid, 356 vacancies wait for them; add it to
 * reference/cities.csv (c01, c02, c03, …)`. Pure.
 */
export function groupText(group: IssueGroup): string {
  const { field, message, hint, count, sampleKeys } = group;
  const problem = field === null ? message : issueText({ field, message });
  return problemLine({ problem: `${problem}: ${effects(group).join(', ')}`, hint, sampleKeys, count });
}

function effects({ entity, kind, count, follows }: IssueGroup): string[] {
  const one = count === 1;
  const own = countedRecords(count, entity);
  const standing = {
    invalid: `${own} ${one ? 'is' : 'are'} invalid`,
    waiting: `${own} ${one ? 'waits' : 'wait'}`,
    doubtful: `${own} ${one ? 'is' : 'are'} doubtful`,
  };
  return [standing[kind], ...follows.map((follow) => followText(follow, one))];
}

function followText({ entity, count, standing }: Follow, ofOne: boolean): string {
  const records = countedRecords(count, entity);
  if (standing === 'invalid')
    return `${records} ${count === 1 ? 'is' : 'are'} invalid with ${ofOne ? 'it' : 'them'}`;
  return `${records} ${count === 1 ? 'waits' : 'wait'} for ${ofOne ? 'it' : 'them'}`;
}
