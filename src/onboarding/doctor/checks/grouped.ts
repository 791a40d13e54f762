import { effectOf, type IssueGroup } from '../../../domain/issue-group.js';
import { groupText } from '../../../domain/group-text.js';
import type { Verdict } from '../finding.js';

/** Groups of a check that are reported; the rest is counted. */
const MOST_GROUPS = 20;

/** A group as a verdict. `usual`: the hint of a group that has none of its own. */
function groupVerdict(level: Verdict['level'], group: IssueGroup, usual: string): Verdict {
  const { hint, count, sampleKeys } = group;
  return {
    level,
    message: groupText({ ...group, hint: null, sampleKeys: [] }),
    hint: hint ?? usual,
    count,
    sample: sampleKeys,
  };
}

/** The largest groups, and one line for the others. */
export function groupVerdicts(
  level: Verdict['level'],
  groups: readonly IssueGroup[],
  usual: string,
): readonly Verdict[] {
  const shown = groups.slice(0, MOST_GROUPS).map((group) => groupVerdict(level, group, usual));
  const rest = groups.slice(MOST_GROUPS);
  if (rest.length === 0) return shown;
  const records = rest.reduce((sum, group) => sum + effectOf(group), 0);
  return [
    ...shown,
    {
      level,
      message: `${rest.length.toLocaleString('en-US')} more of this kind, about ${records.toLocaleString('en-US')} records`,
      hint: 'placement-sync plan lists all.',
      count: records,
      sample: [],
    },
  ];
}
