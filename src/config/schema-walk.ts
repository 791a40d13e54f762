import { z } from 'zod';
import type { SettingMeta } from './setting-types.js';

/** A schema without its wrappers: default, null allowed, transform. */
export interface Unwrapped {
  readonly schema: z.core.$ZodType;
  /** Of all layers, the outer ones last. */
  readonly meta: SettingMeta;
  readonly nullable: boolean;
  /** Absent is an error. */
  readonly required: boolean;
  /** As it would be written in the file; undefined: none. */
  readonly fallback: unknown;
}

/** Looks through the wrappers of a schema. */
export function unwrap(outer: z.core.$ZodType): Unwrapped {
  let schema = outer;
  let nullable = false;
  let required = true;
  let fallback: unknown;
  const metas = [metaOf(schema)];
  for (;;) {
    if (schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault) {
      required = false;
      fallback ??= schema.def.defaultValue;
      schema = schema.def.innerType;
    } else if (schema instanceof z.ZodOptional) {
      required = false;
      schema = schema.def.innerType;
    } else if (schema instanceof z.ZodNullable) {
      nullable = true;
      schema = schema.def.innerType;
    } else if (schema instanceof z.ZodPipe) {
      schema = schema.def.in;
    } else {
      const meta = Object.assign({}, ...metas.reverse()) as SettingMeta;
      return { schema, meta, nullable, required, fallback };
    }
    metas.push(metaOf(schema));
  }
}

function metaOf(schema: z.core.$ZodType): SettingMeta {
  return z.globalRegistry.get(schema) ?? {};
}

/** The named parts of a block, in the order of the schema; null for anything else, also for a record. */
export function shapeOf(outer: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> | null {
  const { schema } = unwrap(outer);
  return schema instanceof z.ZodObject ? schema.def.shape : null;
}

/** The schema of one part of a block, record or list; null when it can have no such part. */
export function partOf(outer: z.core.$ZodType, key: string | number): z.core.$ZodType | null {
  const { schema } = unwrap(outer);
  if (schema instanceof z.ZodArray) return schema.def.element;
  if (schema instanceof z.ZodRecord) return schema.def.valueType;
  if (schema instanceof z.ZodObject) {
    const shape: Readonly<Record<string, z.core.$ZodType>> = schema.def.shape;
    return Object.hasOwn(shape, key) ? (shape[key] ?? null) : null;
  }
  return null;
}

/** The schema at a path; null when there is no such setting. */
export function schemaAt(root: z.core.$ZodType, path: readonly (string | number)[]): z.core.$ZodType | null {
  let found: z.core.$ZodType | null = root;
  for (const part of path) found = found === null ? null : partOf(found, part);
  return found;
}
