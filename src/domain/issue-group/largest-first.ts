import { effectOf } from './effect-of.js';
import type { IssueGroup } from './issue-group.js';

/** Groups with the largest effect first; what is only doubtful comes after what is not sent. Pure. */
export function largestFirst(groups: readonly IssueGroup[]): readonly IssueGroup[] {
  return [...groups].sort(
    (a, b) =>
      Number(a.kind === 'doubtful') - Number(b.kind === 'doubtful') ||
      effectOf(b) - effectOf(a) ||
      compare(nameOf(a), nameOf(b)),
  );
}

function nameOf({ entity, field, message }: IssueGroup): string {
  return `${entity}\n${field ?? ''}\n${message}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
