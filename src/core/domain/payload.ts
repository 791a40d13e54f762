import { hash } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from './row.js';

/** The hash of "absent": desired for a record that is to be deleted. */
export const ABSENT_HASH = 'v1:absent';

/**
 * @param payload the request body as mapped, without the parent object
 * @param parent the body's field that will hold the parent when the record is sent, and the parent's platform id
 * @returns `v1:` and the lower-case hex SHA-256 of the canonical JSON. Of the parent only its platform id counts:
 * editing a company must not send its vacancies again, moving a vacancy to another company must.
 */
export function hashPayload(
  payload: JsonObject,
  parent: { readonly field: string; readonly platformId: string } | null = null,
): string {
  const hashed = parent === null ? payload : { ...payload, [parent.field]: { id: parent.platformId } };
  return `v1:${hash('sha256', canonicalJson(hashed))}`;
}

/**
 * One text for one JSON value, whatever the order its keys were written in: keys sorted by UTF-16 unit, no blanks.
 * Written out directly rather than through sorted copies: a copy into a plain object would lose a `__proto__` key
 * and move keys that look like numbers to the front.
 *
 * @throws TypeError naming the path for what JSON cannot hold: NaN, Infinity, BigInt, undefined, functions,
 * symbols, and objects that are not plain (Date, Map)
 */
export function canonicalJson(value: unknown): string {
  return write(value, '$');
}

function write(value: unknown, path: string): string {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'number':
      if (!Number.isFinite(value)) throw refusal(path, String(value));
      return JSON.stringify(value);
    case 'object':
      return Array.isArray(value) ? writeArray(value, path) : writeObject(value, path);
    case 'bigint':
    case 'function':
    case 'symbol':
    case 'undefined':
    default:
      throw refusal(path, typeof value);
  }
}

function writeArray(values: readonly unknown[], path: string): string {
  // Not map(): it skips the holes of a sparse array, which are undefined values.
  const items = Array.from(values, (item, index) => write(item, `${path}[${String(index)}]`));
  return `[${items.join(',')}]`;
}

function writeObject(value: object, path: string): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  const plain = prototype === null || Object.getPrototypeOf(prototype) === null;
  if (!plain) throw refusal(path, 'an object that is not plain');
  const members = value as Readonly<Record<string, unknown>>;
  // Sweeps write every payload: one text that grows takes a third less time than a list of pairs that is joined.
  let text = '';
  for (const key of Object.keys(members).sort())
    text += `${text === '' ? '{' : ','}${JSON.stringify(key)}:${write(members[key], `${path}.${key}`)}`;
  return text === '' ? '{}' : `${text}}`;
}

function refusal(path: string, found: string): TypeError {
  return new TypeError(`${path} cannot be written as JSON: it is ${found}`);
}

/** One field of the body that will change. `field` is its path: `min_salary.amount`. Null: absent. */
export interface FieldChange {
  readonly field: string;
  readonly from: JsonValue;
  readonly to: JsonValue;
}

/** What differs between two bodies, by path, in the order of the alphabet. A list is one field. */
export function changedFields(before: JsonObject | null, after: JsonObject | null): readonly FieldChange[] {
  const from = flatten(before ?? {});
  const to = flatten(after ?? {});
  return [...new Set([...from.keys(), ...to.keys()])]
    .filter((field) => textOf(from, field) !== textOf(to, field))
    .sort()
    .map((field) => ({ field, from: from.get(field) ?? null, to: to.get(field) ?? null }));
}

function flatten(body: JsonObject, prefix = ''): Map<string, JsonValue> {
  const fields = new Map<string, JsonValue>();
  for (const [name, value] of Object.entries(body)) {
    if (!isJsonObject(value)) fields.set(prefix + name, value);
    else for (const [path, inner] of flatten(value, `${prefix}${name}.`)) fields.set(path, inner);
  }
  return fields;
}

/** Undefined for an absent field: absent and null differ. */
function textOf(fields: ReadonlyMap<string, JsonValue>, field: string): string | undefined {
  const value = fields.get(field);
  return value === undefined ? undefined : canonicalJson(value);
}
