import { createHash } from 'node:crypto';
import type { GroupId, GroupTally } from '../../../core/domain/issue-group.js';
import type { EntityName } from '../../../core/domain/names.js';
import { differenceOf, foldForm } from '../../../core/domain/near-miss.js';

/** The records of a parent entity, for its children. */
export type ParentIndex = ReturnType<typeof createParentIndex>;

/** Keys that are kept as text. */
const MOST_ODD = 100_000;

/** Eight bytes an id: a few million parents fit into memory. `idOf`: the platform id of a key. */
export function createParentIndex(tally: Pick<GroupTally, 'follow'>, idOf: (key: string) => string) {
  const known = new Set<number>();
  /** Keys in a form that is not the plain one, by that. */
  const odd = new Map<string, string>();
  const near = (key: string): string | null => {
    const form = foldForm(key);
    const other = odd.get(form) ?? (form !== key && known.has(hash53(idOf(form))) ? form : null);
    return other === key ? null : other;
  };
  const invalid = new Map<number, readonly GroupId[]>();
  return {
    /** False: not all were read, so one that is missing here may exist. */
    complete: false,
    /** `groups`: what makes it invalid. Gives the key before it that looks the same; null: there is none. */
    add(platformId: string, key: string, groups: readonly GroupId[]): string | null {
      const hash = hash53(platformId);
      const twin = near(key);
      known.add(hash);
      const form = foldForm(key);
      if (form !== key && odd.size < MOST_ODD) odd.set(form, key);
      if (groups.length > 0) invalid.set(hash, groups);
      return twin !== null && differenceOf(key, twin).unseen ? twin : null;
    },
    /** The key that differs from this one only in its form; null: there is none. */
    near,
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
