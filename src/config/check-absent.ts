import { absentableColumns } from '../entities/absent.js';
import type { Entity } from '../entities/entity.js';
import { didYouMean } from './did-you-mean.js';
import type { Problem } from './problem.js';

/**
 * `absent` names columns whose field may be missing from the body.
 *
 * @param columns the columns that it names
 * @param extra the columns of `extraFields`
 */
export function checkAbsent(
  entity: Entity,
  columns: readonly string[],
  extra: readonly string[],
): readonly Problem[] {
  const possible = [...absentableColumns(entity), ...extra];
  return columns.flatMap((column) => {
    if (possible.includes(column)) return [];
    const known = entity.columns.some(({ name }) => name === column);
    const message = known
      ? `the field of this column is never absent; columns that may be absent: ${possible.join(', ')}`
      : `${entity.name} has no column "${column}"${didYouMean(column, possible)}`;
    return [{ path: ['entities', entity.name, 'absent', column], message }];
  });
}
