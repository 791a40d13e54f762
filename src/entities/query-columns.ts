import type { Entity } from './entity.js';
import { wayOut } from './way-out.js';
import { extraColumns, type ExtraFields } from './extra-fields.js';

interface QueryColumn {
  readonly name: string;
  readonly required?: true;
  readonly typed?: true;
  /** Of a required column that may be left out by configuration: what to write. */
  readonly wayOut?: string;
}

/**
 * The row contract as the source checks it against the partner's query.
 *
 * @param required the entity's `required` setting; null = what is assumed
 * @param extraFields the entity's `extraFields` setting; their columns must be there
 * @returns every column; `required` on those that a query must return, `typed` on those whose numbers and booleans
 *   keep their type
 */
export function queryColumns(
  entity: Pick<Entity, 'name' | 'columns' | 'assumedRequired'>,
  required: readonly string[] | null,
  extraFields: ExtraFields = {},
): readonly QueryColumn[] {
  const needed = new Set(required ?? entity.assumedRequired);
  const wayOutOf = (name: string) => {
    const instead = wayOut(entity, name, [...needed]);
    return instead === null ? {} : { wayOut: instead };
  };
  const known = entity.columns.map(({ name, required: always, typed }): QueryColumn => ({
    name,
    ...(always === true || needed.has(name) ? { required: true } : {}),
    ...(typed === true ? { typed } : {}),
    ...wayOutOf(name),
  }));
  const extra = extraColumns(extraFields).map(({ name }) => ({ name, required: true, typed: true }) as const);
  return [...known, ...extra];
}
