import type { z } from 'zod';
import type { SettingPath } from '../problem.js';
import { partOf } from '../schema-walk.js';

/** One text of a configuration, as it is written. */
export interface SettingText {
  readonly path: SettingPath;
  readonly text: string;
  /** Null: there is no such setting. */
  readonly schema: z.core.$ZodType | null;
}

/** Every text in data of the configuration, in its order. */
export function textsOf(
  schema: z.core.$ZodType | null,
  data: unknown,
  path: SettingPath = [],
): readonly SettingText[] {
  if (typeof data === 'string') return [{ path, text: data, schema }];
  if (data === null || typeof data !== 'object') return [];
  return Object.entries(data).flatMap(([name, value]) => {
    const key = Array.isArray(data) ? Number(name) : name;
    return textsOf(schema === null ? null : partOf(schema, key), value, [...path, key]);
  });
}
