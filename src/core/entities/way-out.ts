import type { Entity } from './entity.js';

/**
 * What to write into the configuration when the source cannot fill a required column; null when the column is needed
 * whatever the configuration says (key, parent, name), or is not required.
 *
 * @param required columns that are required beyond those: the entity's setting, or what is assumed of the platform
 */
export function wayOut(
  { name, columns }: Pick<Entity, 'name' | 'columns'>,
  column: string,
  required: readonly string[],
): string | null {
  const always = columns.some((each) => each.name === column && each.required === true);
  if (always || !required.includes(column)) return null;
  const rest = required.filter((each) => each !== column);
  return `If the platform accepts ${name} without ${column}, write under entities.${name}: required: [${rest.join(', ')}]`;
}
