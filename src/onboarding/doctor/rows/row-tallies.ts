import {
  createGroupTally,
  type GroupId,
  type GroupTally,
  issueCause,
  type IssueGroup,
} from '../../../domain/issue-group.js';
import type { EntityName } from '../../../domain/names.js';
import { type DoctorEntity, type Learned, unknown } from '../finding.js';
import {
  type Counted,
  createAbsentTally,
  createCounter,
  createDuplicateTally,
  createHtmlTally,
  createPlaceholderTally,
  createWordTally,
  type SeenRow,
  type Tally,
} from './tallies.js';

/** Everything that is counted in one reading of the rows. */
export interface RowTallies {
  readonly read: number;
  readonly extent: RowFacts['extent'];
  readonly index: ParentIndex;
  /** `platformId` null: an application status. `known`: whether its application is in the inbox; null: not asked. */
  see(row: SeenRow, key: string, platformId: string | null, known: boolean | null): void;
  noInbox(cause: string): void;
  end(extent: RowFacts['extent']): void;
  facts(withoutKey: number): RowFacts;
}

export function createRowTallies(
  entity: DoctorEntity,
  columns: readonly string[],
  { parents }: { readonly parents: ParentIndex | null },
): RowTallies {
  const groups = createGroupTally(entity.name);
  const index = createParentIndex(groups);
  const duplicates = createDuplicateTally();
  const tallies = createTallies(entity, columns);
  const orphans = createCounter();
  const parentless = createCounter();
  const foreign = createCounter();
  let grouped: readonly IssueGroup[] | null = null;
  let noInbox: string | null = null;
  let read = 0;
  let invalid = 0;
  let extent: RowFacts['extent'] = 'time';

  const seeParent = ({ name, mapped }: SeenRow): void => {
    const parent = mapped.parentPlatformId;
    if (parent === null) return parentless.add(name);
    if (parents === null) return;
    if (!parents.has(parent)) orphans.add(name);
    else if (mapped.payload !== null) parents.follow(parent, entity.name);
  };

  const orphanFacts = (): Learned<Counted> | null => {
    if (entity.parent === null) return null;
    if (parents === null) return unknown(`the rows of ${entity.parent.entity} could not be read`);
    return parents.complete
      ? { value: orphans }
      : unknown(`not all rows of ${entity.parent.entity} were read`);
  };

  return {
    get read() {
      return read;
    },
    get extent() {
      return extent;
    },
    index,
    see(row, key, platformId, known) {
      read += 1;
      for (const tally of Object.values(tallies)) tally.see(row);
      const causes = groups.add('invalid', row.name, row.mapped.issues.map(issueCause));
      groups.add('doubtful', row.name, row.mapped.warnings.map(issueCause));
      if (row.mapped.payload === null) invalid += 1;
      duplicates.see(key, row.name);
      if (platformId !== null) index.add(platformId, causes);
      if (known === false) foreign.add(row.name);
      seeParent(row);
    },
    noInbox(cause) {
      noInbox = cause;
    },
    end(reached) {
      extent = reached;
      index.complete = reached === 'all';
    },
    facts: (withoutKey) => ({
      read,
      extent,
      columns,
      withoutKey,
      duplicates: duplicates.result(),
      ...talliedFacts(tallies),
      invalid,
      // Asked for when all is read: until then children note there what waits for their parents.
      get groups() {
        return (grouped ??= groups.groups());
      },
      parentless: entity.parent === null ? null : parentless,
      orphans: orphanFacts(),
      foreign: entity.application ? (noInbox === null ? { value: foreign } : unknown(noInbox)) : null,
    }),
  };
}

/**
 * What is counted row by row, each under the name of its fact. The facts are derived from this record, so a check can ask
 * for no fact that nobody counts.
 */
function createTallies(entity: DoctorEntity, columns: readonly string[]) {
  return {
    /** Per column of the query, the rows in which it is absent. */
    absent: createAbsentTally(columns),
    /** Columns with HTML that is not turned into plain text. */
    html: createHtmlTally(entity, entity.mapContext),
    placeholders: createPlaceholderTally(),
    /** Words that the interface does not know, by field; the most frequent first. */
    words: createWordTally(),
  } satisfies Readonly<Record<string, Tally<unknown>>>;
}

type Tallies = ReturnType<typeof createTallies>;

type TalliedFacts = {
  readonly [Name in keyof Tallies]: Tallies[Name] extends Tally<infer Fact> ? Fact : never;
};

/** What the tallies have counted so far. */
function talliedFacts(tallies: Tallies): TalliedFacts {
  return Object.fromEntries(
    Object.entries(tallies).map(([name, tally]) => [name, tally.result()]),
  ) as unknown as TalliedFacts;
}

/** What one reading of an entity's rows has shown. */
export interface RowFacts extends TalliedFacts {
  readonly read: number;
  /** `all` rows, those until the `time` was over, or a `sample`. */
  readonly extent: 'all' | 'time' | 'sample';
  /** Columns of the query, in its order. */
  readonly columns: readonly string[];
  /** Rows whose key is null or empty. */
  readonly withoutKey: number;
  readonly duplicates: Counted;
  readonly invalid: number;
  /** What is invalid, with what waits for it, and what is doubtful; the largest effect first. */
  readonly groups: readonly IssueGroup[];
  /** Records that name no parent; null: the entity has no parents. */
  readonly parentless: Counted | null;
  /** Null: it has no parents. */
  readonly orphans: Learned<Counted> | null;
  /** Application statuses: those whose application is not in the inbox; null: other records. */
  readonly foreign: Learned<Counted> | null;
}

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
function createParentIndex(tally: Pick<GroupTally, 'follow'>): ParentIndex {
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
      if (groups) tally.follow(groups, child, 'waiting', 1);
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
