import { type Issue, shownIssue } from '../../core/domain/issue.js';
import type { EntityName } from '../../core/domain/names.js';
import { changedFields, type FieldChange, hashPayload } from '../../core/domain/payload.js';
import type { JsonObject } from '../../core/domain/row.js';
import type { ConfiguredEntity } from '../../core/context.js';
import type { Change } from '../../core/sweep/read-changes.js';

export interface PlannedChange {
  readonly entity: EntityName;
  readonly key: string;
  readonly action: 'new' | 'changed' | 'vanished' | 'invalid';
  /** Of a vanished record: its last day was over, so nobody has to look for it. */
  readonly expired?: true;
  /** Top-level fields of the body that change; of an invalid record, those with an issue. */
  readonly fields: readonly string[];
  readonly issues: readonly Issue[];
  /** With `--diff`: every field with its value now and then. */
  readonly diff?: readonly FieldChange[];
}

/** A parent, as a diff names it. Key null: not known here. */
export interface NamedParent {
  readonly platformId: string;
  readonly key: string | null;
}

interface Before {
  readonly payload: JsonObject | null;
  readonly parent: NamedParent | null;
}

interface DescribeOptions {
  readonly before: Before;
  /** The parent that is desired; null: none. */
  readonly after: NamedParent | null;
  readonly withDiff: boolean;
}

export function describeInvalid(
  entity: EntityName,
  { key }: { readonly key: string },
  issues: readonly Issue[],
): PlannedChange {
  const fields = [...new Set(issues.map(({ field }) => field))];
  return {
    entity,
    key,
    action: 'invalid',
    fields,
    issues: issues.map(shownIssue),
  };
}

export function describeChange(
  { name: entity, parent }: Pick<ConfiguredEntity, 'name' | 'parent'>,
  { finding, known }: Change,
  { before, after, withDiff }: DescribeOptions,
): PlannedChange {
  const { kind, desiredPayload, invalidReason } = finding;
  if (kind === 'invalid') return describeInvalid(entity, finding, invalidReason ?? []);
  const action = kind === 'touched' ? 'changed' : kind;
  const body = desiredPayload === null ? [] : changedFields(before.payload, desiredPayload);
  const fields = new Set(body.map(({ field }) => field.split('.')[0] ?? field));
  // The payload leaves the parent out: it changed if the former payload under it has another hash.
  const link = parent && after ? { field: parent.field, platformId: after.platformId } : null;
  const moved =
    action === 'changed' &&
    link !== null &&
    before.payload !== null &&
    hashPayload(before.payload, link) !== (known?.desiredHash ?? null);
  if (moved) fields.add(link.field);
  const diff = parent && after ? [...parentChange(parent, before.parent, after), ...body] : body;
  return {
    entity,
    key: finding.key,
    action,
    fields: [...fields].sort(),
    issues: [],
    ...(finding.expired ? { expired: true } : {}),
    ...(withDiff ? { diff } : {}),
  };
}

/** The parent before and after: by the column that names it, and by its id in the body. */
function parentChange(
  { column, field }: NonNullable<ConfiguredEntity['parent']>,
  from: NamedParent | null,
  to: NamedParent,
): FieldChange[] {
  if (from?.platformId === to.platformId) return [];
  const keys = { field: column, from: from?.key ?? null, to: to.key };
  return [
    ...(keys.from === null && keys.to === null ? [] : [keys]),
    { field: `${field}.id`, from: from?.platformId ?? null, to: to.platformId },
  ];
}
