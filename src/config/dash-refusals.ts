import { ENTITIES } from '../entities/index.js';
import { type DashRefusal, holdsList } from '../entities/lookup.js';
import { entriesOf } from './entries-of.js';
import type { NamedFiles } from './named-files.js';
import { requiredColumns } from './required-columns.js';
import { valueAt } from './value-at.js';

/** The lookup files in which `-` is refused because an entity must fill the column, by their names in messages. */
export function dashRefusals(data: unknown, files: NamedFiles): ReadonlyMap<string, DashRefusal> {
  const found = new Map<string, DashRefusal>();
  for (const entity of ENTITIES) {
    const required = requiredColumns(entity, data);
    for (const [column, file] of entriesOf(valueAt(data, ['entities', entity.name, 'lookups']))) {
      const needed = required.find(({ name }) => name === column);
      // A list may lose an element.
      if (needed === undefined || typeof file !== 'string' || holdsList(column)) continue;
      found.set(files.shown(file), { entity: entity.name, column, wayOut: needed.wayOut ?? null });
    }
  }
  return found;
}
