import type { z } from 'zod';
import { shapeOf, unwrap } from './schema-walk.js';
import { valueAt } from './value-at.js';

/**
 * The configuration in effect, in the form of the file: every written setting, and the defaults of all others. A
 * block without default that was left out stays out.
 *
 * @param schema schema of the data
 * @param data valid, interpolated data
 */
export function effective(schema: z.core.$ZodType, data: unknown): unknown {
  const { meta, fallback } = unwrap(schema);
  const shape = shapeOf(schema);
  const value = data === undefined ? fallback : data;
  if (shape === null || meta.type !== undefined || value === null || value === undefined) return value;
  return Object.fromEntries(
    Object.entries(shape)
      .map(([key, part]) => [key, effective(part, valueAt(value, [key]))] as const)
      .filter(([, part]) => part !== undefined),
  );
}
