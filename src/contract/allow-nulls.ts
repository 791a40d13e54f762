import { z } from 'zod';

const made = new WeakMap<z.ZodType, z.ZodType>();

/**
 * The same body with null for every field that may be missing, at every depth. That is how `absent: null` writes a
 * field without a value, so that a platform clears it that merges what it gets with what it holds. Required fields stay
 * as they are.
 */
export function allowNulls(schema: z.ZodType): z.ZodType {
  const known = made.get(schema);
  if (known !== undefined) return known;
  const allowing = schema instanceof z.ZodObject ? withNulls(schema) : schema;
  made.set(schema, allowing);
  return allowing;
}

function withNulls(schema: z.ZodObject): z.ZodType {
  const fields = Object.entries(schema.shape).map(([name, field]) => [
    name,
    field instanceof z.ZodOptional
      ? allowNulls(field.unwrap() as z.ZodType).nullish()
      : allowNulls(field as z.ZodType),
  ]);
  return schema.safeExtend(Object.fromEntries(fields) as Record<string, z.ZodType>);
}
