import type { EntityName } from '../entity-name.js';
import type { Reason, RecordReasons } from '../trouble/reason.js';
import { issueCause } from './issue-cause.js';
import type { IssueGroup } from './issue-group.js';
import { parentCause } from './parent-cause.js';

/** How the records of an entity name their parent. */
interface Parent {
  readonly entity: EntityName;
  readonly column: string;
}

/** A reason of the ledger as a group. Pure. */
export function reasonGroup(entity: EntityName, reason: Reason): IssueGroup {
  const { field, code, message, hint, count, sampleKeys, follows = [] } = reason;
  const cause = issueCause({ field: field ?? '', code, message, hint: hint ?? undefined });
  return {
    entity,
    kind: 'invalid',
    field: field === null ? null : cause.field,
    code,
    message: cause.message,
    hint: cause.hint,
    count,
    sampleKeys,
    follows,
  };
}

/**
 * What the ledger knows of the invalid and waiting records of an entity, as groups. Children of invalid parents are in
 * the groups of these. Pure.
 */
export function reasonGroups(
  entity: EntityName,
  parent: Parent | null,
  { invalid, waiting = [] }: Pick<RecordReasons, 'invalid' | 'waiting'>,
): readonly IssueGroup[] {
  const own = [...invalid.codes, ...invalid.others].map((reason) => reasonGroup(entity, reason));
  return [
    ...own,
    ...waitingGroups(
      entity,
      parent,
      waiting.filter(({ problem }) => problem !== 'parent-invalid'),
    ),
  ];
}

/** Why records wait, as groups. Pure. */
export function waitingGroups(
  entity: EntityName,
  parent: Parent | null,
  waiting: NonNullable<RecordReasons['waiting']>,
): readonly IssueGroup[] {
  if (parent === null) return [];
  return waiting.map(({ problem, count, sampleKeys }) => {
    const { field, code, message, hint } = parentCause(problem, parent.entity, parent.column);
    return { entity, kind: 'waiting', field, code, message, hint, count, sampleKeys, follows: [] };
  });
}
