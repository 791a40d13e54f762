import type { z } from 'zod';
import { shapeOf, unwrap } from './schema-walk.js';

/** One setting, as the documentation shows it. */
export interface Setting {
  /** `platform.jobs.baseUrl` */
  readonly path: readonly string[];
  /** Such as `a whole number, 1 or more`. */
  readonly type: string;
  /** As written in the file; undefined: none. */
  readonly fallback: unknown;
  readonly required: boolean;
  readonly unit: string | null;
  readonly description: string;
  /** Environment variable that the example configuration reads it from, with a value to show. */
  readonly env: string | null;
  readonly example: string;
}

/** Every setting of a schema, in its order. A block with a type of its own counts as one setting. */
export function listSettings(schema: z.core.$ZodType, path: readonly string[] = []): Setting[] {
  const { meta, nullable, required, fallback } = unwrap(schema);
  const shape = shapeOf(schema);
  if (shape !== null && meta.type === undefined) {
    return Object.entries(shape).flatMap(([key, part]) => listSettings(part, [...path, key]));
  }
  return [
    {
      path,
      type: `${meta.type ?? 'text'}${nullable ? ', or null' : ''}`,
      fallback,
      required,
      unit: meta.unit ?? null,
      description: meta.description ?? '',
      env: meta.env ?? null,
      example: meta.example ?? '',
    },
  ];
}
