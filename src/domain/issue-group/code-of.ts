import type { IssueGroup } from './issue-group.js';

const CODE = /^code ("(?:[^"\\]|\\.)*") has no id$/;

/** The partner's code that has no id; null: the group is not about one. Pure. */
export function codeOf({ message }: Pick<IssueGroup, 'message'>): string | null {
  const shown = CODE.exec(message)?.[1];
  return shown === undefined ? null : (JSON.parse(shown) as string);
}
