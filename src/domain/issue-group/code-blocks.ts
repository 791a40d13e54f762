import type { EntityName } from '../entity-name.js';
import { groupBy } from '../group-by.js';
import { codeOf } from './code-of.js';
import type { IssueGroup } from './issue-group.js';

/** Records by entity, in the order in which they were met. */
export type Counts = ReadonlyMap<EntityName, number>;

/** A code without id, with its records in all entities of the block. */
export interface OpenCode {
  /** Null: further codes, which were not kept apart. */
  readonly code: string | null;
  /** From the lookup; null: it has none. */
  readonly name: string | null;
  readonly invalid: Counts;
  readonly waiting: Counts;
}

/** Codes without id that are filled in at one place; the largest effect first. */
export interface CodeBlock {
  readonly file: string | null;
  readonly entity: EntityName;
  readonly columns: readonly string[];
  readonly codes: readonly OpenCode[];
  readonly groups: readonly IssueGroup[];
}

/** A group about a code without id. */
export interface CodeGroup {
  readonly group: IssueGroup;
  /** Groups of one place make one block. */
  readonly place: string;
  readonly file: string | null;
  readonly name: string | null;
}

/** Codes without id by the place where their ids are filled in; the largest effect first. Pure. */
export function codeBlocks(groups: readonly CodeGroup[]): readonly CodeBlock[] {
  return [...groupBy(groups, ({ place }) => place).values()]
    .map(blockOf)
    .sort((a, b) => effectOfBlock(b) - effectOfBlock(a));
}

/** Records that a code keeps from being sent. Pure. */
export function effectOfCode({ invalid, waiting }: OpenCode): number {
  return [...invalid.values(), ...waiting.values()].reduce((sum, count) => sum + count, 0);
}

/** Records that the codes of a block keep from being sent. Pure. */
export function effectOfBlock({ codes }: CodeBlock): number {
  return codes.reduce((sum, code) => sum + effectOfCode(code), 0);
}

function blockOf(found: readonly CodeGroup[]): CodeBlock {
  const [first] = found;
  const codes = [...groupBy(found, ({ group }) => codeOf(group)).entries()]
    .map(([code, same]): OpenCode => {
      const invalid = new Map<EntityName, number>();
      const waiting = new Map<EntityName, number>();
      for (const { group } of same) {
        // Two columns of a record often have the same code.
        raise(invalid, group.entity, group.count);
        for (const follow of group.follows)
          raise(follow.standing === 'invalid' ? invalid : waiting, follow.entity, follow.count);
      }
      return { code, name: same.find(({ name }) => name !== null)?.name ?? null, invalid, waiting };
    })
    .sort((a, b) => effectOfCode(b) - effectOfCode(a));
  return {
    file: first?.file ?? null,
    entity: first?.group.entity ?? '',
    columns: [...new Set(found.map(({ group }) => group.field ?? ''))],
    codes,
    groups: found.map(({ group }) => group),
  };
}

function raise(counts: Map<EntityName, number>, entity: EntityName, count: number): void {
  counts.set(entity, Math.max(counts.get(entity) ?? 0, count));
}
