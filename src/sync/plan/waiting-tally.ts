import type { EntityName } from '../../domain/names.js';
import type { GroupId, GroupTally } from '../../domain/issue-group.js';
import { parentCause, type ParentProblem } from '../../domain/reason.js';
import type { ParentLink } from '../../entities/entity.js';
import type { ParentOutlook } from './parent-outlook.js';

type Waits = Exclude<ParentOutlook, 'comes'>;

/** Counts children that wait, by the reason; a reading that begins again makes a new one. */
export interface WaitingTally {
  add(why: Waits, keys: readonly string[], count?: number): void;
  total(): number;
  /** Notes them: those whose parents are to blame with the groups of the parents, all others with their own. */
  settle(own: GroupTally, parents: GroupTally | null): void;
}

const SAMPLE_KEYS = 3;

interface Counted {
  readonly problem: ParentProblem;
  readonly groups: readonly GroupId[];
  readonly keys: string[];
  count: number;
}

export function createWaitingTally(entity: EntityName, parent: ParentLink): WaitingTally {
  const counted = new Map<string, Counted>();
  let total = 0;
  return {
    add({ problem, groups }, keys, count = keys.length) {
      const name = `${problem} ${groups.join(' ')}`;
      const known = counted.get(name) ?? { problem, groups, keys: [], count: 0 };
      known.keys.push(...keys.slice(0, SAMPLE_KEYS - known.keys.length));
      known.count += count;
      counted.set(name, known);
      total += count;
    },
    total: () => total,
    settle(own, parents) {
      for (const { problem, groups, keys, count } of counted.values()) {
        if (parents && groups.length > 0) parents.follow(groups, entity, 'waiting', count);
        else own.add('waiting', keys, [parentCause(problem, parent.entity, parent.column)], count);
      }
    },
  };
}
