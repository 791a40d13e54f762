import { countedRecords } from './counted-records.js';
import type { Follow, IssueGroup } from './issue-group.js';

/**
 * A group as one line: what is wrong, what follows from it, what to do, and a few keys.
 * `region_id: code "Surabaya" has no id: 40 companies are invalid, 356 vacancies wait for them; add it to
 * reference/cities.csv (c01, c02, c03, …)`. Pure.
 */
export function groupText(group: IssueGroup): string {
  const { field, message, hint, count, sampleKeys } = group;
  const problem =
    field === null ? message : beginsWithVerb(message) ? `${field} ${message}` : `${field}: ${message}`;
  const toDo = hint === null ? '' : `; ${asClause(hint)}`;
  const more = count > sampleKeys.length ? ', …' : '';
  const keys = sampleKeys.length === 0 ? '' : ` (${sampleKeys.join(', ')}${more})`;
  return `${problem}: ${effects(group).join(', ')}${toDo}${keys}`;
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

/** As `issueText` begins. */
function beginsWithVerb(message: string): boolean {
  return /^(is|are|means|must|has|was|does|cannot|may)\b/.test(message);
}

/** A sentence as the end of another one. A name in capitals stays. */
function asClause(sentence: string): string {
  const text = sentence.replace(/\.$/, '');
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
