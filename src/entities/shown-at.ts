import type { JsonObject, JsonValue } from '../domain/json.js';

/**
 * What an object shows at a path inside one of its containers: the value, null for nothing (a null object is nothing
 * all the way down), undefined where it does not show the path at all. Pure.
 *
 * @param container dotted path of an object that must be there; empty: the object itself
 */
export function shownAt(object: JsonObject, container: string, path: string): JsonValue | undefined {
  const around = container === '' ? object : walk(object, container);
  return isObject(around) ? walk(around, path) : undefined;
}

function walk(object: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue = object;
  for (const step of path.split('.')) {
    if (value === null) return null;
    if (!isObject(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step] ?? null;
  }
  return value;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
