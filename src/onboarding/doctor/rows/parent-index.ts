import type { GroupId, GroupTally } from '../../../domain/issue-group.js';
import type { EntityName } from '../../../domain/names.js';

/** The records of a parent entity, for its children. */
export interface ParentIndex {
  /** False: not all were read, so one that is missing here may exist. */
  complete: boolean;
  /** `groups`: what makes it invalid. */
  add(platformId: string, groups: readonly GroupId[]): void;
  has(platformId: string): boolean;
  /** Notes a child that waits, where the parent is invalid. */
  follow(platformId: string, child: EntityName): void;
}

/** Eight bytes an id: a few million parents fit into memory. */
export function createParentIndex(tally: Pick<GroupTally, 'follow'>): ParentIndex {
  const known = new Set<number>();
  const invalid = new Map<number, readonly GroupId[]>();
  return {
    complete: false,
    add(platformId, groups) {
      const hash = hash53(platformId);
      known.add(hash);
      if (groups.length > 0) invalid.set(hash, groups);
    },
    has: (platformId) => known.has(hash53(platformId)),
    follow(platformId, child) {
      const groups = invalid.get(hash53(platformId));
      if (groups) tally.follow(groups, child, 1);
    },
  };
}

/** 53 bits of a text: two of a million differ with all but certainty, and a mistake would hide one missing parent. */
function hash53(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}
