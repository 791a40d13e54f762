import { LOOKUP_CODES } from './issue-cause.js';
import type { IssueGroup } from './issue-group.js';

/** Whether records are invalid because a code has no id. Pure. */
export function isOpenCode({ kind, code }: Pick<IssueGroup, 'kind' | 'code'>): boolean {
  return kind === 'invalid' && LOOKUP_CODES.includes(code);
}
