import { createGroupTally, type IssueGroup } from '../../../core/domain/issue-group.js';
import { platformId as platformIdOf } from '../../../core/domain/key.js';
import { differenceOf } from '../../../core/domain/near-miss.js';
import { type DoctorEntity, type Fact, unread } from '../finding.js';
import { createParentIndex, type ParentIndex } from './parent-index.js';
import { createPlaceholderTally } from './placeholders.js';
import {
  type Counted,
  createAbsentTally,
  createCounter,
  createDuplicateTally,
  createHtmlTally,
  createPayTally,
  createTraitTally,
  createValueTally,
  createWordTally,
  type SeenRow,
  type Tally,
} from './tallies.js';

/** Everything that is counted in one reading of the rows. */
export type RowTallies = ReturnType<typeof createRowTallies>;

export function createRowTallies(
  entity: DoctorEntity,
  columns: readonly string[],
  parents: ParentIndex | null,
) {
  const groups = createGroupTally(entity.name);
  const { name: own, parent: link, mapContext } = entity;
  const index = createParentIndex(groups, (key) => platformIdOf(own, key, mapContext.namespace));
  const duplicates = createDuplicateTally();
  const tallies = createTallies(entity, columns);
  const orphans = createCounter();
  const nearOrphans = createCounter();
  const twins = createCounter();
  const parentless = createCounter();
  const foreign = createCounter();
  let grouped: readonly IssueGroup[] | null = null;
  let noInbox: string | null = null;
  let read = 0;
  let invalid = 0;
  let extent: RowFacts['extent'] = 'time';

  const differing = (key: string, other: string) =>
    `${JSON.stringify(key)} and ${JSON.stringify(other)} by ${differenceOf(key, other).text}`;

  const seeParent = ({ name, row, mapped }: SeenRow): void => {
    const parent = mapped.parentPlatformId;
    if (parent === null) return parentless.add(name);
    if (parents === null) return;
    if (!parents.has(parent)) {
      orphans.add(name);
      const key = row[link?.column ?? ''];
      const near = typeof key === 'string' ? parents.near(key) : null;
      if (typeof key === 'string' && near !== null) nearOrphans.add(differing(key, near));
    } else if (mapped.payload !== null) parents.follow(parent, entity.name);
  };

  const orphanFacts = (): Fact<Counted> | null => {
    if (entity.parent === null) return null;
    if (parents === null) return unread(`the rows of ${entity.parent.entity} could not be read`);
    return parents.complete
      ? { value: orphans }
      : unread(`not all rows of ${entity.parent.entity} were read`);
  };

  return {
    get read(): number {
      return read;
    },
    get extent(): RowFacts['extent'] {
      return extent;
    },
    index,
    /** `platformId` null: an application status. `known`: whether its application is in the inbox; null: not asked. */
    see(row: SeenRow, key: string, platformId: string | null, known: boolean | null): void {
      read += 1;
      for (const tally of Object.values(tallies)) tally.see(row);
      const causes = groups.add('invalid', row.name, row.mapped.issues);
      groups.add('doubtful', row.name, row.mapped.warnings);
      if (row.mapped.payload === null) invalid += 1;
      duplicates.see(key, row.name);
      const twin = platformId === null ? null : index.add(platformId, key, causes);
      if (twin !== null) twins.add(differing(key, twin));
      if (known === false) foreign.add(row.name);
      seeParent(row);
    },
    noInbox(cause: string): void {
      noInbox = cause;
    },
    end(reached: RowFacts['extent']): void {
      extent = reached;
      index.complete = reached === 'all';
    },
    facts: (withoutKey: number): RowFacts => ({
      read,
      extent,
      columns,
      withoutKey,
      duplicates: duplicates.result(),
      twins,
      nearOrphans,
      ...talliedFacts(tallies),
      invalid,
      // Asked for when all is read: until then children note there what waits for their parents.
      get groups() {
        return (grouped ??= groups.groups());
      },
      parentless: entity.parent === null ? null : parentless,
      orphans: orphanFacts(),
      foreign: entity.application ? (noInbox === null ? { value: foreign } : unread(noInbox)) : null,
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
    /** Values of the columns that have few. */
    values: createValueTally(columns),
    traits: createTraitTally(),
    pay: createPayTally(),
    /** Words that the interface does not know, by field; the most frequent first. */
    words: createWordTally(),
  } satisfies Readonly<Record<string, Tally<unknown>>>;
}

type Tallies = ReturnType<typeof createTallies>;

type TalliedFacts = {
  readonly [Name in keyof Tallies]: Tallies[Name] extends Tally<infer Result> ? Result : never;
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
  /** Keys that differ from another one by what nobody sees; as sample what differs. */
  readonly twins: Counted;
  /** Records whose parent is missing, where the key of one differs only in its form; as sample what differs. */
  readonly nearOrphans: Counted;
  readonly invalid: number;
  /** What is invalid, with what waits for it, and what is doubtful; the largest effect first. */
  readonly groups: readonly IssueGroup[];
  /** Records that name no parent; null: the entity has no parents. */
  readonly parentless: Counted | null;
  /** Null: it has no parents. */
  readonly orphans: Fact<Counted> | null;
  /** Application statuses: those whose application is not in the inbox; null: other records. */
  readonly foreign: Fact<Counted> | null;
}
