import { platformId } from '../../../core/domain/key.js';
import { createGroupTally, type IssueGroup } from '../../../core/domain/issue-group.js';
import { type DoctorEntity, type Fact, unread } from '../finding.js';
import { ParentIndex } from './parent-index.js';
import {
  type Counted,
  Counter,
  createHtmlTally,
  createPayTally,
  createTraitTally,
  createValueTally,
  type SeenRow,
} from './tallies.js';

/** What one reading of an entity's rows has shown. */
export interface RowFacts {
  readonly read: number;
  /** `all` rows, those until the `time` was over, or a `sample`. */
  readonly extent: 'all' | 'time' | 'sample';
  /** Columns of the query, in its order. */
  readonly columns: readonly string[];
  readonly duplicates: Counted;
  readonly invalid: number;
  /** What is invalid, with what waits for it, and what is doubtful; the largest effect first. */
  readonly groups: readonly IssueGroup[];
  /** By column of the query. */
  readonly values: ReturnType<ReturnType<typeof createValueTally>['result']>;
  readonly traits: ReturnType<ReturnType<typeof createTraitTally>['result']>;
  /** Columns with HTML that is not turned into plain text. */
  readonly html: RowFacts['traits'];
  readonly pay: ReturnType<ReturnType<typeof createPayTally>['result']>;
  /** Records that name no parent; null: the entity has no parents. */
  readonly parentless: Counted | null;
  /** Null: it has no parents. */
  readonly orphans: Fact<Counted> | null;
  /** How keys differ from others that look the same. */
  readonly twins: Counted;
  /** How missing parents differ from those that are there, in their form alone. */
  readonly nearOrphans: Counted;
  /** Application statuses: those whose application is not in the inbox; null: other records. */
  readonly foreign: Fact<Counted> | null;
}

/** A row, and what else is known of its record. */
export interface SeenRecord extends SeenRow {
  readonly key: string;
  /** Whether its application is in the inbox; null: not asked. */
  readonly isInInbox: boolean | null;
}

/** Everything that is counted in one reading of the rows. `columns`: of the query. */
export class RowTally {
  /** The records, for their children. */
  readonly index: ParentIndex;
  read = 0;
  extent: RowFacts['extent'] = 'time';
  /** Why the inbox could not be asked; null: it could. */
  noInbox: string | null = null;
  #invalid = 0;
  #lastKey: string | null = null;
  readonly #groups;
  readonly #values;
  readonly #traits = createTraitTally();
  readonly #html;
  readonly #pay = createPayTally();
  readonly #duplicates = new Counter();
  readonly #parentless = new Counter();
  readonly #orphans = new Counter();
  readonly #foreign = new Counter();
  readonly #twins = new Counter();
  readonly #nearOrphans = new Counter();

  constructor(
    private readonly entity: DoctorEntity,
    private readonly columns: readonly string[],
    private readonly parents: ParentIndex | null,
  ) {
    this.#groups = createGroupTally(entity.name);
    const { name, mapContext } = entity;
    this.index = new ParentIndex(this.#groups, (key) => platformId(name, key, mapContext.namespace));
    this.#values = createValueTally(columns);
    this.#html = createHtmlTally(entity, entity.mapContext);
  }

  see(record: SeenRecord): void {
    const { name, key, mapped, isInInbox } = record;
    this.read += 1;
    for (const tally of [this.#values, this.#traits, this.#html, this.#pay]) tally.see(record);
    const causes = this.#groups.add('invalid', name, mapped.issues);
    this.#groups.add('doubtful', name, mapped.warnings);
    if (mapped.payload === null) this.#invalid += 1;
    // Rows come in the order of their keys, so equal ones are neighbours.
    if (key === this.#lastKey) this.#duplicates.add(name);
    this.#lastKey = key;
    const twin = this.entity.application ? null : this.index.add(key, causes);
    if (twin !== null) this.#twins.add(twin);
    if (isInInbox === false) this.#foreign.add(name);
    this.#seeParent(record);
  }

  #seeParent({ name, row, mapped: { parentPlatformId, payload } }: SeenRow): void {
    if (parentPlatformId === null) this.#parentless.add(name);
    else if (this.parents?.has(parentPlatformId) === false) {
      this.#orphans.add(name);
      const key = row[this.entity.parent?.column ?? ''];
      const near = typeof key === 'string' ? this.parents.differsFrom(key) : null;
      if (near !== null) this.#nearOrphans.add(near);
    } else if (payload !== null) this.parents?.follow(parentPlatformId, this.entity.name);
  }

  end(extent: RowFacts['extent']): void {
    this.extent = extent;
    this.index.complete = extent === 'all';
  }

  facts(): RowFacts {
    const { entity, read, extent, columns, noInbox } = this;
    const groups = this.#groups;
    return {
      read,
      extent,
      columns,
      duplicates: this.#duplicates,
      invalid: this.#invalid,
      // Asked for when all is read: until then children note there what waits for their parents.
      get groups() {
        return groups.groups();
      },
      values: this.#values.result(),
      traits: this.#traits.result(),
      html: this.#html.result(),
      pay: this.#pay.result(),
      parentless: entity.parent === null ? null : this.#parentless,
      orphans: this.#orphanFacts(),
      twins: this.#twins,
      nearOrphans: this.#nearOrphans,
      foreign: entity.application ? (noInbox === null ? { value: this.#foreign } : unread(noInbox)) : null,
    };
  }

  #orphanFacts(): RowFacts['orphans'] {
    const { parent } = this.entity;
    if (parent === null) return null;
    if (this.parents === null) return unread(`the rows of ${parent.entity} could not be read`);
    return this.parents.complete
      ? { value: this.#orphans }
      : unread(`not all rows of ${parent.entity} were read`);
  }
}
