import { bodyFields } from '../contract/schema-fields.js';
import type { Entity } from './entity.js';
import { extraColumns, type ExtraFields } from './columns.js';

/** What becomes of a field for which the query has no value: left out of the body, or null in it. */
type AbsentValue = 'omit' | null;

/** `absent` of an entity: one for all its columns, or by column. */
export type AbsentSetting = AbsentValue | Readonly<Record<string, AbsentValue>>;

/** By column, where the configuration says it; of every other column the interface decides. */
type AbsentColumns = Readonly<Record<string, AbsentValue>>;

type Contract = Pick<Entity, 'columns' | 'operations' | 'put' | 'parent'>;

/**
 * The columns that `absent` concerns: those that fill a field of the body which may be missing. Never the key, the
 * parent, a column that every row must fill, or one that the worker fills itself.
 */
export function absentableColumns(
  { columns, operations, put, parent }: Contract,
  extraFields?: ExtraFields,
): readonly string[] {
  const fields = bodyFields(operations.find(({ name }) => name === put)?.body ?? null);
  const own = columns.filter(
    ({ name, field = name, required, completed }) =>
      required !== true &&
      completed !== true &&
      name !== parent?.column &&
      fields.includes(field.split('.')[0] ?? ''),
  );
  return [...own, ...extraColumns(extraFields)].map(({ name }) => name);
}

/**
 * What counts for each column: its own setting, else the entity's, else the platform's. `omit` stands in the result only
 * where a column is named, because a field that the interface documents as nullable is null without a setting.
 *
 * @param common of the platform or the area
 * @param own of the entity; undefined: none
 */
export function absentColumns(
  entity: Contract,
  extraFields: ExtraFields | undefined,
  common: AbsentValue,
  own: AbsentSetting | undefined,
): AbsentColumns {
  const named = typeof own === 'object' && own !== null ? own : {};
  const rest = own === null || own === 'omit' ? own : common;
  const found: Record<string, AbsentValue> = {};
  for (const column of absentableColumns(entity, extraFields)) {
    const value = Object.hasOwn(named, column) ? named[column] : undefined;
    if (value !== undefined) found[column] = value;
    else if (rest === null) found[column] = null;
  }
  return found;
}
