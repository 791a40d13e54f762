import type { Entity } from './entity.js';

/**
 * The row contract as the source checks it against the partner's query.
 *
 * @param required the entity's `required` setting; null = what is assumed
 * @returns every column; `required` on those that a query must return
 */
export function queryColumns(
  entity: Pick<Entity, 'columns' | 'assumedRequired'>,
  required: readonly string[] | null,
): readonly { readonly name: string; readonly required?: true }[] {
  const needed = new Set(required ?? entity.assumedRequired);
  return entity.columns.map(({ name, required: always }) =>
    always === true || needed.has(name) ? { name, required: true } : { name },
  );
}
