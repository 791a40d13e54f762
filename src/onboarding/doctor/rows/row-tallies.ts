import { createGroupTally, issueCause, type IssueGroup } from '../../../domain/issue-group.js';
import { unknown, type Learned } from '../learned.js';
import type { DoctorEntity } from '../doctor-entity.js';
import { createCounter, type Counted } from './counted.js';
import { createDuplicateTally } from './duplicate-tally.js';
import { createParentIndex, type ParentIndex } from './parent-index.js';
import { createTallies, talliedFacts, type RowFacts } from './row-facts.js';
import type { SeenRow } from './tally.js';

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
