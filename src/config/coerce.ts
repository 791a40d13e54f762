import { z } from 'zod';
import { pathText, type SettingPath } from './problem.js';
import { partOf, unwrap } from './schema-walk.js';

/**
 * Converts data to the types of the schema where the file cannot express them. A value from the environment is always
 * text: `8` becomes a number, `true` a boolean, and empty text or `null` becomes null where null is allowed. Empty
 * text means unset where a setting may be left out. A block whose lines are all commented out is null in YAML and
 * means its defaults. The schema judges everything else.
 *
 * @param root schema of the data
 * @param data interpolated data
 * @param fromEnvironment paths (as `pathText`) of the scalars from the environment
 */
export function coerce(root: z.core.$ZodType, data: unknown, fromEnvironment: ReadonlySet<string>): unknown {
  return walk(root, data, []);

  function walk(schema: z.core.$ZodType | null, value: unknown, path: SettingPath): unknown {
    if (schema === null) return value;
    if (typeof value === 'string') {
      return fromEnvironment.has(pathText(path)) ? coerceText(schema, value) : value;
    }
    if (value === null) return isBlockWithDefaults(schema) ? {} : null;
    if (Array.isArray(value)) {
      return value.map((item, index) => walk(partOf(schema, index), item, [...path, index]));
    }
    if (typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, walk(partOf(schema, key), part, [...path, key])]),
    );
  }
}

function coerceText(outer: z.core.$ZodType, text: string): unknown {
  const { schema, nullable, required } = unwrap(outer);
  const trimmed = text.trim();
  if (trimmed === '' && !required && !nullable) return undefined;
  if (nullable && (trimmed === '' || trimmed === 'null')) return null;
  if (schema instanceof z.ZodNumber && /^[+-]?\d+(\.\d+)?$/.test(trimmed)) return Number(trimmed);
  if (schema instanceof z.ZodBoolean && (trimmed === 'true' || trimmed === 'false'))
    return trimmed === 'true';
  return text;
}

function isBlockWithDefaults(outer: z.core.$ZodType): boolean {
  const { schema, nullable, fallback } = unwrap(outer);
  const block = schema instanceof z.ZodObject || schema instanceof z.ZodRecord;
  return block && !nullable && fallback !== undefined;
}
