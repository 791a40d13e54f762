import { ENTITIES } from '../../../core/entities/index.js';

/**
 * The row contract of every entity; a field is named where its name is another than the column's. Columns that an entity
 * above has just so are only named. Markdown: a heading of the second level for each entity.
 */
export function contractText(): string {
  const listed = new Map<string, string>();
  return ENTITIES.map(({ name, columns, assumedRequired }) => {
    const items = columns.map(({ name: column, required, field, lookup, description }) => ({
      column,
      line: item(column, description, [
        ...(required ? ['**required**'] : assumedRequired.includes(column) ? ['assumed to be required'] : []),
        ...(field !== undefined && field !== column ? [`fills \`${field}\``] : []),
        ...(lookup ? ['lookup'] : []),
      ]),
    }));
    const above = new Map<string, string[]>();
    for (const { column, line } of items) {
      const entity = listed.get(line);
      if (entity !== undefined) above.set(entity, [...(above.get(entity) ?? []), `\`${column}\``]);
    }
    const own = items.filter(({ line }) => !listed.has(line)).map(({ line }) => line);
    for (const line of own) listed.set(line, name);
    const same = [...above].map(([entity, names]) => `- as for ${entity}: ${names.join(', ')}`);
    return `## ${name}\n\n${[...own, ...same].join('\n')}`;
  }).join('\n\n');
}

/** One line of a list. */
export function item(name: string, meaning: string, notes: readonly string[]): string {
  return `- \`${name}\`${notes.length === 0 ? '' : ` (${notes.join(', ')})`}: ${meaning}`;
}
