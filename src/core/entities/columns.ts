import { isJsonObject, type JsonObject, type JsonValue } from '../domain/row.js';
import type { Column, Entity } from './entity.js';
import { fault, type Reading, storable } from './values.js';
import { wayOut } from './way-out.js';

/** One column of a row contract. */
export function column(
  name: string,
  description: string,
  rest: Omit<Column, 'name' | 'description'> = {},
): Column {
  return { name, description, ...rest };
}

export const ROW_VERSION = column(
  'row_version',
  'Text that changes when the row changes; at most 500 bytes. Left out or null: the worker compares a hash of the row.',
);

/** The columns that say which record a row is, and whether it changed. `record`: the word for one of them. */
export function keyColumns(record: string): readonly Column[] {
  return [
    column('key', `The partner’s primary key of the ${record}; never changes.`, { required: true }),
    ROW_VERSION,
  ];
}

/** A region in the home country. */
export const HOME_REGION_COLUMNS: readonly Column[] = [
  column('region_type', 'Kind of region that region_id names; `city` when absent.', {
    field: 'region.type',
    lookup: true,
  }),
  column('region_id', 'The platform’s region id (UUID), or a code with a lookup.', {
    field: 'region.id',
    lookup: true,
    whole: true,
  }),
];

/** The columns that `readRegion` makes a region of. */
export const REGION_COLUMNS: readonly Column[] = [
  ...HOME_REGION_COLUMNS,
  column('region_country_code', 'Country code of a region abroad; null in the home country.', {
    field: 'region.country_code',
    lookup: true,
  }),
];

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

/** Further fields of a body: its dotted path, and the column of the query that fills it. */
export type ExtraFields = Readonly<Record<string, string>>;

/** The columns that extra fields add to an entity's row contract, each once. */
export function extraColumns(extraFields: ExtraFields = {}): readonly Column[] {
  const byName = new Map<string, Column>();
  for (const [field, name] of Object.entries(extraFields)) {
    if (!byName.has(name)) byName.set(name, { name, field, description: 'Configured in extraFields.' });
  }
  return [...byName.values()];
}

/**
 * The payload with the extra values at their paths; objects on the way are made. The configuration ensures that no
 * path meets a field of the interface or another path.
 */
export function withExtraFields(
  payload: JsonObject,
  values: readonly (readonly [path: string, value: JsonValue])[],
): JsonObject {
  return values.reduce<JsonObject>((body, [path, value]) => put(body, path.split('.'), value), payload);
}

function put(body: JsonObject, [name = '', ...rest]: readonly string[], value: JsonValue): JsonObject {
  if (rest.length === 0) return { ...body, [name]: value };
  const inner = body[name];
  return { ...body, [name]: put(isJsonObject(inner) ? inner : {}, rest, value) };
}

/** Levels of arrays and objects within each other; deeper values would end the run of all other records. */
const MAX_DEPTH = 100;

/**
 * A value as it is. It refuses text that a database cannot store, numbers that lost digits, and values that are
 * nested too deep.
 */
export function jsonValue(value: JsonValue, depth = 0): Reading<JsonValue> {
  if (typeof value === 'string') return storable(value);
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    return fault(
      'range',
      'is beyond what JSON readers hold exactly',
      'Return it as text from the query: column::text.',
    );
  }
  if (typeof value !== 'object' || value === null) return { value };
  if (depth === MAX_DEPTH)
    return fault(
      'range',
      `is nested more than ${MAX_DEPTH} levels deep`,
      'Return less of it from the query.',
    );
  const inner: readonly JsonValue[] = Array.isArray(value)
    ? (value as readonly JsonValue[])
    : Object.entries(value as JsonObject).flat();
  for (const each of inner) {
    const reading = jsonValue(each, depth + 1);
    if ('fault' in reading) return reading;
  }
  return { value };
}
