import type { JsonObject, JsonValue } from '../domain/json.js';
import type { Column } from './entity.js';
import { fault } from './value/reading.js';
import type { Reading } from './value/reading.js';
import { storable } from './value/scalar-text.js';

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
  return { ...body, [name]: put(isObject(inner) ? inner : {}, rest, value) };
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

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
