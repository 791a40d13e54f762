import { createHash } from 'node:crypto';
import type { GroupId, GroupTally } from '../../../domain/issue-group.js';
import type { EntityName } from '../../../domain/names.js';

/** The records of a parent entity, for its children. */
export type ParentIndex = ReturnType<typeof createParentIndex>;

/** Eight bytes an id: a few million parents fit into memory. */
export function createParentIndex(tally: Pick<GroupTally, 'follow'>) {
  const known = new Set<number>();
  const invalid = new Map<number, readonly GroupId[]>();
  return {
    /** False: not all were read, so one that is missing here may exist. */
    complete: false,
    /** `groups`: what makes it invalid. */
    add(platformId: string, groups: readonly GroupId[]): void {
      const hash = hash53(platformId);
      known.add(hash);
      if (groups.length > 0) invalid.set(hash, groups);
    },
    has: (platformId: string): boolean => known.has(hash53(platformId)),
    /** Notes a child that waits, where the parent is invalid. */
    follow(platformId: string, child: EntityName): void {
      const groups = invalid.get(hash53(platformId));
      if (groups) tally.follow(groups, child, 1);
    },
  };
}

/** 53 bits of a text: two of a million differ with all but certainty, and a mistake would hide one missing parent. */
function hash53(text: string): number {
  const digest = createHash('sha256').update(text).digest();
  return digest.readUIntBE(0, 6) * 32 + (digest.readUInt8(6) & 31);
}
