import { createHash } from 'node:crypto';
import type { GroupId, GroupTally } from '../../../core/domain/issue-group.js';
import type { EntityName } from '../../../core/domain/names.js';
import { differenceOf, foldForm } from '../../../core/domain/near-miss.js';

/** Keys in another form than the plain one that are kept as text. */
const MOST_ODD = 100_000;

/** The records of a parent entity, for its children. Eight bytes an id: a few million parents fit into memory. */
export class ParentIndex {
  /** False: not all were read, so one that is missing here may exist. */
  complete = false;
  readonly #known = new Set<number>();
  /** What makes a parent invalid, by its id. */
  readonly #invalid = new Map<number, readonly GroupId[]>();
  /** Keys that have blanks, invisible characters, another case …, by their plain form. */
  readonly #odd = new Map<string, string>();

  /** `idOf`: the platform id of a key. */
  constructor(
    private readonly tally: Pick<GroupTally, 'follow'>,
    private readonly idOf: (key: string) => string,
  ) {}

  /** Gives how it differs from a key before it that looks the same; null: there is none. */
  add(key: string, groups: readonly GroupId[]): string | null {
    const hash = hash53(this.idOf(key));
    const other = this.#near(key);
    this.#known.add(hash);
    if (groups.length > 0) this.#invalid.set(hash, groups);
    const form = foldForm(key);
    if (form !== key && this.#odd.size < MOST_ODD) this.#odd.set(form, key);
    return other !== null && differenceOf(key, other).unseen ? differing(key, other) : null;
  }

  /** How a key that is not here differs from one that is, in its form alone; null: there is none. */
  differsFrom(key: string): string | null {
    const other = this.#near(key);
    return other === null ? null : differing(key, other);
  }

  #near(key: string): string | null {
    const form = foldForm(key);
    const other = this.#odd.get(form) ?? (form !== key && this.has(this.idOf(form)) ? form : null);
    return other === key ? null : other;
  }

  has(platformId: string): boolean {
    return this.#known.has(hash53(platformId));
  }

  /** Notes a child that waits, where the parent is invalid. */
  follow(platformId: string, child: EntityName): void {
    const groups = this.#invalid.get(hash53(platformId));
    if (groups) this.tally.follow(groups, child, 1);
  }
}

function differing(key: string, other: string): string {
  return `${JSON.stringify(key)} and ${JSON.stringify(other)} by ${differenceOf(key, other).text}`;
}

/** 53 bits of a text: two of a million differ with all but certainty, and a mistake would hide one missing parent. */
function hash53(text: string): number {
  const digest = createHash('sha256').update(text).digest();
  return digest.readUIntBE(0, 6) * 32 + (digest.readUInt8(6) & 31);
}
