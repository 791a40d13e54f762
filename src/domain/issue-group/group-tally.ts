import type { EntityName } from '../entity-name.js';
import type { Issue } from '../issue.js';
import { issueCause, LOOKUP_CODES, type Cause } from './issue-cause.js';
import type { IssueGroup } from './issue-group.js';
import { largestFirst } from './largest-first.js';

/** Names a group of a tally. */
export type GroupId = number;

/** Counts records by what they have in common. Its memory depends on the number of causes, not of records. */
export interface GroupTally {
  /**
   * Notes records that have these causes; one that is there twice counts once. `keys`: of all of them, or of the first of
   * `count`; of a single record its key. Gives their groups.
   */
  add(
    kind: IssueGroup['kind'],
    keys: string | readonly string[],
    causes: readonly Cause[],
    count?: number,
  ): readonly GroupId[];
  /** Notes one record with these issues. Gives its groups. */
  addIssues(kind: IssueGroup['kind'], key: string, issues: readonly Issue[]): readonly GroupId[];
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

/** Causes that are remembered: most records share one, and a sweep reads a million of them. */
const REMEMBERED = 1_000;

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

  const remembered = new Map<string, Cause>();
  const causeOf = (issue: Issue): Cause => {
    const name = `${issue.field}\n${issue.code}\n${issue.message}`;
    const known = remembered.get(name);
    if (known) return known;
    const cause = issueCause(issue);
    if (remembered.size >= REMEMBERED) remembered.clear();
    remembered.set(name, cause);
    return cause;
  };

  const tally: GroupTally = {
    addIssues: (kind, key, issues) => tally.add(kind, key, issues.map(causeOf)),
    add(kind, keys, causes, of) {
      const sample = typeof keys === 'string' ? [keys] : keys;
      const count = of ?? sample.length;
      const own = new Set<GroupId>();
      for (const cause of causes) {
        const id = idOf(kind, cause);
        const group = groups[id];
        if (!group || own.has(id)) continue;
        own.add(id);
        group.count += count;
        group.sampleKeys.push(...sample.slice(0, SAMPLE_KEYS - group.sampleKeys.length));
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
  return tally;
}

function nameOf(kind: string, { field, code }: Cause, common: string): string {
  return `${kind}\n${field ?? ''}\n${code}\n${common}`;
}

function furtherText({ code }: Cause): string {
  return LOOKUP_CODES.includes(code) ? 'further codes have no id' : 'further problems';
}
