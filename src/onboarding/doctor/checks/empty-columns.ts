import type { IssueGroup } from '../../../domain/issue-group.js';
import type { DoctorEntity } from '../doctor-entity.js';
import type { RowFacts } from '../rows/row-facts.js';
import { mustFill } from './must-fill.js';

/** A column that must be filled and mostly is not. */
export interface EmptyColumn {
  readonly column: string;
  /** What says so. */
  readonly groups: readonly IssueGroup[];
  /** Not one record has a usable value. */
  readonly isWhole: boolean;
}

/**
 * Columns that must be filled and are not in any row, or not in most. The one that names the parent is not among them: the
 * check `parents` has it. Pure.
 */
export function emptyColumns(
  entity: DoctorEntity,
  { read, groups }: Pick<RowFacts, 'read' | 'groups'>,
): readonly EmptyColumn[] {
  const columns = mustFill(entity).filter((column) => column !== entity.parent?.column);
  return columns.flatMap((column): readonly EmptyColumn[] => {
    const about = groups.filter(({ kind, field }) => kind === 'invalid' && isAbout(field, column));
    if (read === 0 || about.length === 0) return [];
    if (sumOf(about) >= read) return [{ column, groups: about, isWhole: true }];
    const absent = about.filter(({ code }) => code === 'required');
    return 2 * sumOf(absent) > read ? [{ column, groups: absent, isWhole: false }] : [];
  });
}

/** Groups name the column, or the field of the body: `region.id` of `region_id`. */
function isAbout(field: string | null, column: string): boolean {
  return field?.replaceAll('.', '_') === column;
}

function sumOf(groups: readonly IssueGroup[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0);
}
