import { createHash } from 'node:crypto';
import type { GroupId, GroupTally } from '../../../core/domain/issue-group.js';
import type { EntityName } from '../../../core/domain/names.js';

/** The records of a parent entity, for its children. Eight bytes an id: a few million parents fit into memory. */
export class ParentIndex {
  /** False: not all were read, so one that is missing here may exist. */
  complete = false;
  readonly #known = new Set<number>();
  /** What makes a parent invalid, by its id. */
  readonly #invalid = new Map<number, readonly GroupId[]>();
  readonly #tally: Pick<GroupTally, 'follow'>;

  constructor(tally: Pick<GroupTally, 'follow'>) {
    this.#tally = tally;
  }

  add(platformId: string, groups: readonly GroupId[]): void {
    const hash = hash53(platformId);
    this.#known.add(hash);
    if (groups.length > 0) this.#invalid.set(hash, groups);
  }

  has(platformId: string): boolean {
    return this.#known.has(hash53(platformId));
  }

  /** Notes a child that waits, where the parent is invalid. */
  follow(platformId: string, child: EntityName): void {
    const groups = this.#invalid.get(hash53(platformId));
    if (groups) this.#tally.follow(groups, child, 1);
  }
}

/** 53 bits of a text: two of a million differ with all but certainty, and a mistake would hide one missing parent. */
function hash53(text: string): number {
  const digest = createHash('sha256').update(text).digest();
  return digest.readUIntBE(0, 6) * 32 + (digest.readUInt8(6) & 31);
}
