import type { EntityName } from '../entity-name.js';
import { LOOKUP_CODES, type Cause } from './issue-cause.js';
import type { IssueGroup } from './issue-group.js';
import { largestFirst } from './largest-first.js';

/** Names a group of a tally. */
export type GroupId = number;

/** Counts records by what they have in common. Its memory depends on the number of causes, not of records. */
export interface GroupTally {
  /** Notes one record; a cause that it has twice counts once. Gives its groups. */
  add(kind: IssueGroup['kind'], key: string, causes: readonly Cause[]): readonly GroupId[];
  /** Notes records of another entity that cannot be sent because of records of each of these groups. */
  follow(
    groups: readonly GroupId[],
    entity: EntityName,
    standing: 'invalid' | 'waiting',
    count: number,
  ): void;
  /** The largest effect first. */
  groups(): readonly IssueGroup[];
}

/** Groups of one entity that are kept apart; every further cause is counted with others of its field and code. */
const MOST_GROUPS = 2_000;
const SAMPLE_KEYS = 3;

interface Counted {
  readonly kind: IssueGroup['kind'];
  readonly cause: Cause;
  /** Null: the records' messages differ. */
  message: string | null;
  count: number;
  readonly sampleKeys: string[];
  readonly follows: Map<string, number>;
}

/** A tally for the records of one entity. `mostGroups`: that are kept apart. */
export function createGroupTally(entity: EntityName, mostGroups = MOST_GROUPS): GroupTally {
  const groups: Counted[] = [];
  const ids = new Map<string, GroupId>();

  const idOf = (kind: IssueGroup['kind'], cause: Cause): GroupId => {
    const found = ids.get(nameOf(kind, cause, cause.common));
    if (found !== undefined) return found;
    const isFurther = groups.length >= mostGroups;
    const common = isFurther ? furtherText(cause) : cause.common;
    const name = nameOf(kind, cause, common);
    const id = ids.get(name) ?? groups.length;
    if (id === groups.length) {
      const kept = isFurther ? { ...cause, message: common, common, hint: null } : cause;
      groups.push({ kind, cause: kept, message: kept.message, count: 0, sampleKeys: [], follows: new Map() });
      ids.set(name, id);
    }
    return id;
  };

  return {
    add(kind, key, causes) {
      const own = new Set<GroupId>();
      for (const cause of causes) {
        const id = idOf(kind, cause);
        const group = groups[id];
        if (!group || own.has(id)) continue;
        own.add(id);
        group.count += 1;
        if (group.sampleKeys.length < SAMPLE_KEYS) group.sampleKeys.push(key);
        if (group.cause.common === cause.common && group.message !== cause.message) group.message = null;
      }
      return [...own];
    },
    follow(of, other, standing, count) {
      for (const id of of) {
        const follows = groups[id]?.follows;
        const name = `${standing} ${other}`;
        follows?.set(name, (follows.get(name) ?? 0) + count);
      }
    },
    groups: () =>
      largestFirst(
        groups.map(({ kind, cause, message, count, sampleKeys, follows }) => ({
          entity,
          kind,
          field: cause.field,
          code: cause.code,
          message: message ?? cause.common,
          hint: cause.hint,
          count,
          sampleKeys,
          follows: [...follows].map(([name, records]) => {
            const [standing, other] = name.split(' ') as ['invalid' | 'waiting', EntityName];
            return { entity: other, count: records, standing };
          }),
        })),
      ),
  };
}

function nameOf(kind: string, { field, code }: Cause, common: string): string {
  return `${kind}\n${field ?? ''}\n${code}\n${common}`;
}

function furtherText({ code }: Cause): string {
  return LOOKUP_CODES.includes(code) ? 'further codes have no id' : 'further problems';
}
