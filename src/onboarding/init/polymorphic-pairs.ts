import type { CatalogColumn, CatalogTable } from '../catalog/catalog.js';
import { isPersonalColumn } from './people.js';

/** Two columns that name a row of any table: what it is, and which. */
export interface PolymorphicPair {
  readonly type: CatalogColumn;
  readonly id: CatalogColumn;
}

const TYPE = /^(.*?)_?(?:type|class|model|doctype|entity|table)$/;
/** Here an owner is a record. */
const OWNER = /^owner/i;
const IDS = new Set(['integer', 'text', 'uuid']);
/** The id beside a type without name of its own: `model` and `res_id`. */
const PLAIN = ['object', 'record', 'res', 'item', 'entity', 'model', 'foreign'];

/** `owner_type` and `owner_id`, `parenttype` and `parent`, `link_doctype` and `link_name`. */
export function polymorphicPairs({ columns, foreignKeys }: CatalogTable): readonly PolymorphicPair[] {
  const linked = new Set(foreignKeys.flatMap((key) => key.columns));
  const usable = columns.filter(
    ({ name, selectable }) =>
      selectable && !linked.has(name) && (OWNER.test(name) || !isPersonalColumn(name)),
  );
  return usable.flatMap((type): PolymorphicPair[] => {
    const prefix = TYPE.exec(plain(type))?.[1];
    if (prefix === undefined || !['text', 'enum'].includes(type.kind)) return [];
    const prefixes = PLAIN.includes(prefix) || prefix === '' ? [prefix, ...PLAIN] : [prefix];
    const names = prefixes
      .filter(Boolean)
      .flatMap((one) =>
        ['id', 'key', 'uuid', 'name', 'no', 'pk', ''].flatMap((end) => [`${one}_${end}`, `${one}${end}`]),
      );
    const id = usable.find(
      (column) => column !== type && IDS.has(column.kind) && names.includes(plain(column)),
    );
    return id ? [{ type, id }] : [];
  });
}

function plain({ name }: CatalogColumn): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_');
}
