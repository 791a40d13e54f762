import type { JsonObject, JsonValue } from '../../domain/row.js';
import { canonicalJson } from '../../domain/payload.js';

/** One field of the body that will change. `field` is its path: `min_salary.amount`. Null: absent. */
export interface FieldChange {
  readonly field: string;
  readonly from: JsonValue;
  readonly to: JsonValue;
}

/** What differs between two bodies, by path, in the order of the alphabet. A list is one field. Pure. */
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
    const nested = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!nested) fields.set(prefix + name, value);
    else
      for (const [path, inner] of flatten(value as JsonObject, `${prefix}${name}.`)) fields.set(path, inner);
  }
  return fields;
}

/** Undefined for an absent field: absent and null differ. */
function textOf(fields: ReadonlyMap<string, JsonValue>, field: string): string | undefined {
  const value = fields.get(field);
  return value === undefined ? undefined : canonicalJson(value);
}
