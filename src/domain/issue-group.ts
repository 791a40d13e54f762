import type { Issue } from './issue.js';
import type { EntityName } from './names.js';
import { compareText } from './text.js';

/**
 * Groups records by their problem. An issue becomes a cause without the parts in which records differ (`issueCause`),
 * the tally counts records by cause, and the groups come out with the largest effect first.
 */

/** Records of another entity that cannot be sent because of a group. */
export interface FollowingRecords {
  readonly entity: EntityName;
  readonly count: number;
  readonly standing: 'invalid' | 'waiting';
}

/** Records of one entity that have the same problem, and what follows from it. */
export interface IssueGroup {
  readonly entity: EntityName;
  /** `invalid`: not sent. `waiting`: not sent before its parent. `doubtful`: sent, but probably wrong. */
  readonly kind: 'invalid' | 'waiting' | 'doubtful';
  /** The column of the query, where the issue names it; else the path in the body. Null: about no single field. */
  readonly field: string | null;
  /** Of an issue, or of a parent that does not come: `parent-absent`. */
  readonly code: string;
  /** Without the parts in which the records differ. */
  readonly message: string;
  /** What to do about it; null: nothing is known. */
  readonly hint: string | null;
  /** Records that have it. */
  readonly count: number;
  /** The first of them, as `recordName` has it. */
  readonly sampleKeys: readonly string[];
  readonly follows: readonly FollowingRecords[];
}

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

/** What several records may share. */
export interface Cause {
  readonly field: string | null;
  readonly code: string;
  /** As the record has it. */
  readonly message: string;
  /** The message without the parts in which records differ: records of one cause have the same. */
  readonly common: string;
  readonly hint: string | null;
}

/** Of issues that an entry in a lookup fixes. */
export const LOOKUP_CODES: readonly string[] = ['unmapped', 'undecided'];

const COLUMN = / \(column ([^()]+)\)$/;
const CODE = /^the code ("(?:[^"\\]|\\.)*") /;

/**
 * What an issue has in common with those of other records. It names the column, because that is what a person corrects.
 * The code of a lookup stays: each needs an id of its own.
 */
export function issueCause({
  field,
  code,
  message,
  hint,
}: Pick<Issue, 'field' | 'code' | 'message' | 'hint'>): Cause {
  const column = COLUMN.exec(message)?.[1];
  const text = message.replace(COLUMN, '');
  const known = LOOKUP_CODES.includes(code) ? CODE.exec(text)?.[1] : undefined;
  const named = { field: column ?? field, code };
  if (known === undefined) {
    return {
      ...named,
      message: text,
      common: withoutParticulars(text),
      hint: hint ?? usualHint(code, named.field),
    };
  }
  const shown = `code ${known} has no id`;
  return { ...named, message: shown, common: shown, hint: shortHint(hint, known) };
}

/** The hint of a lookup names the code once more. */
function shortHint(hint: string | undefined, code: string): string | null {
  if (hint === undefined) return null;
  return hint.replaceAll(`the id of the code ${code}`, 'its id').replaceAll(`the code ${code}`, 'it');
}

function usualHint(code: string, field: string): string | null {
  return code === 'required' ? `Return ${field} from the query.` : null;
}

/**
 * What differs from record to record in a message, and the text shown in its place. The patterns are those of Postgres,
 * because the ledger is grouped there; what JavaScript writes otherwise is `[:alnum:]`.
 */
export const PARTICULARS: readonly (readonly [pattern: string, shown: string])[] = [
  ['[^\\s@"]+@[^\\s@"]+', '<email>'],
  ['[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}', '<id>'],
  ['"[^"]*"|“[^”]*”|‘[^’]*’', '"…"'],
  // Not the apostrophe of a word.
  ["(^|[^[:alnum:]])'[^']*'", '\\1"…"'],
  ['[0-9][0-9 .-]{4,}[0-9]', '<number>'],
];

const RULES = PARTICULARS.map(
  ([pattern, shown]) =>
    [
      new RegExp(pattern.replaceAll('[:alnum:]', '\\p{L}\\p{N}'), 'gu'),
      shown.replaceAll('\\1', '$1'),
    ] as const,
);

/** The text without quoted text, e-mail addresses, ids and long numbers, so that equal causes give equal texts. */
export function withoutParticulars(text: string): string {
  return RULES.reduce((rest, [pattern, shown]) => rest.replace(pattern, shown), text);
}

const CODE_WITHOUT_ID = /^code ("(?:[^"\\]|\\.)*") has no id$/;

/** The partner's code that has no id; null: the group is not about one. */
export function codeOf({ message }: Pick<IssueGroup, 'message'>): string | null {
  const shown = CODE_WITHOUT_ID.exec(message)?.[1];
  return shown === undefined ? null : (JSON.parse(shown) as string);
}

/** How many records cannot be sent because of the group, or are doubtful in it. */
export function effectOf({ count, follows }: Pick<IssueGroup, 'count' | 'follows'>): number {
  return follows.reduce((sum, follow) => sum + follow.count, count);
}

/** Groups with the largest effect first; what is only doubtful comes after what is not sent. */
export function largestFirst(groups: readonly IssueGroup[]): readonly IssueGroup[] {
  return [...groups].sort(
    (a, b) =>
      Number(a.kind === 'doubtful') - Number(b.kind === 'doubtful') ||
      effectOf(b) - effectOf(a) ||
      compareText(sortName(a), sortName(b)),
  );
}

function sortName({ entity, field, message }: IssueGroup): string {
  return `${entity}\n${field ?? ''}\n${message}`;
}

/** Whether records are invalid because a code has no id. */
export function isOpenCode({ kind, code }: Pick<IssueGroup, 'kind' | 'code'>): boolean {
  return kind === 'invalid' && LOOKUP_CODES.includes(code);
}
