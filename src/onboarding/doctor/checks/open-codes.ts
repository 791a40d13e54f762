import type { EntityName } from '../../../domain/entity-name.js';
import { codeOf } from '../../../domain/issue-group/code-of.js';
import { LOOKUP_CODES } from '../../../domain/issue-group/issue-cause.js';
import type { IssueGroup } from '../../../domain/issue-group/issue-group.js';
import { foldCode } from '../../../entities/fold-code.js';
import type { EntityFacts } from '../facts.js';

/** Records by entity, in the order in which they were met. */
export type Counts = ReadonlyMap<EntityName, number>;

/** A code without id, with its records in all entities that share the file. */
export interface OpenCode {
  /** Null: further codes, which were not kept apart. */
  readonly code: string | null;
  /** From the lookup; null: it has none. */
  readonly name: string | null;
  readonly invalid: Counts;
  readonly waiting: Counts;
}

/** The open codes of one lookup file; the largest effect first. */
export interface OpenCodes {
  readonly file: string | null;
  readonly entity: EntityName;
  readonly columns: readonly string[];
  readonly codes: readonly OpenCode[];
  readonly groups: readonly IssueGroup[];
}

interface Found {
  readonly entity: EntityName;
  readonly column: string;
  readonly file: string | null;
  readonly name: string | null;
  readonly group: IssueGroup;
}

/** Codes without id: those of a file that several columns or entities share stand together. The largest effect first. Pure. */
export function openCodes(entities: readonly Pick<EntityFacts, 'entity' | 'rows'>[]): readonly OpenCodes[] {
  const found = entities.flatMap(({ entity, rows }): readonly Found[] =>
    'cause' in rows
      ? []
      : rows.value.groups
          .filter(({ kind, code }) => kind === 'invalid' && LOOKUP_CODES.includes(code))
          .map((group) => {
            const column = group.field ?? '';
            const lookup = entity.mapContext.lookups[column];
            const name = lookup?.names?.get(foldCode(codeOf(group) ?? '')) ?? null;
            return { entity: entity.name, column, file: lookup?.file ?? null, name, group };
          }),
  );
  const byFile = groupBy(found, ({ file, entity, column }) => file ?? `${entity} ${column}`);
  return [...byFile.values()].map(blockOf).sort((a, b) => sizeOf(b.codes) - sizeOf(a.codes));
}

/** Records that a code keeps from being sent. Pure. */
export function effectOfCode({ invalid, waiting }: OpenCode): number {
  return [...invalid.values(), ...waiting.values()].reduce((sum, count) => sum + count, 0);
}

function sizeOf(codes: readonly OpenCode[]): number {
  return codes.reduce((sum, code) => sum + effectOfCode(code), 0);
}

function blockOf(found: readonly Found[]): OpenCodes {
  const [first] = found;
  const codes = [...groupBy(found, ({ group }) => codeOf(group)).entries()]
    .map(([code, same]): OpenCode => {
      const invalid = new Map<EntityName, number>();
      const waiting = new Map<EntityName, number>();
      for (const { entity, group } of same) {
        // Two columns of a record often have the same code.
        raise(invalid, entity, group.count);
        for (const follow of group.follows)
          raise(follow.standing === 'invalid' ? invalid : waiting, follow.entity, follow.count);
      }
      return { code, name: same.find(({ name }) => name !== null)?.name ?? null, invalid, waiting };
    })
    .sort((a, b) => effectOfCode(b) - effectOfCode(a));
  return {
    file: first?.file ?? null,
    entity: first?.entity ?? '',
    columns: [...new Set(found.map(({ column }) => column))],
    codes,
    groups: found.map(({ group }) => group),
  };
}

function raise(counts: Map<EntityName, number>, entity: EntityName, count: number): void {
  counts.set(entity, Math.max(counts.get(entity) ?? 0, count));
}

function groupBy<T, K>(all: readonly T[], keyOf: (each: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const each of all) {
    const group = groups.get(keyOf(each)) ?? [];
    groups.set(keyOf(each), group);
    group.push(each);
  }
  return groups;
}
