import type { IssueGroup } from './issue-group.js';

/** How many records cannot be sent because of the group, or are doubtful in it. Pure. */
export function effectOf({ count, follows }: Pick<IssueGroup, 'count' | 'follows'>): number {
  return follows.reduce((sum, follow) => sum + follow.count, count);
}
