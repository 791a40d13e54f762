import type { IssueGroup } from '../../../domain/issue-group/issue-group.js';
import type { DoctorEntity } from '../doctor-entity.js';
import type { RowFacts } from '../rows/row-facts.js';

/** Columns that are assumed to be required and that not one row fills, with the groups that say so. Pure. */
export function unfilled(
  { mapContext, assumedRequired }: DoctorEntity,
  { read, groups }: Pick<RowFacts, 'read' | 'groups'>,
): readonly { readonly column: string; readonly groups: readonly IssueGroup[] }[] {
  return (mapContext.required ?? assumedRequired).flatMap((column) => {
    const missing = groups.filter(({ kind, field }) => kind === 'invalid' && isAbout(field, column));
    const count = missing.reduce((sum, group) => sum + group.count, 0);
    return read > 0 && count >= read ? [{ column, groups: missing }] : [];
  });
}

/** Groups name the column, or the field of the body: `region.id` of `region_id`. */
function isAbout(field: string | null, column: string): boolean {
  return field?.replaceAll('.', '_') === column;
}
