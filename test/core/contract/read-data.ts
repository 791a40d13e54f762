import { z } from 'zod';

/** Every JSON response, as the interface shows it (§1): stricter than the worker, which reads leniently. */
export const envelope = z.looseObject({ data: z.looseObject({}), meta: z.looseObject({}) });

type Read<T> =
  { readonly value: T; readonly malformed: null } | { readonly value: null; readonly malformed: string };

/**
 * @param json the body of a 200
 * @param schema what `data` must be
 * @returns `data`, or why the reply is malformed: one sentence that names the field and not its value
 */
export function readData<T>(json: unknown, schema: z.ZodType<T>): Read<T> {
  const outer = envelope.safeParse(json);
  if (!outer.success) return { value: null, malformed: describe(outer.error, []) };
  const inner = schema.safeParse(outer.data.data);
  if (!inner.success) return { value: null, malformed: describe(inner.error, ['data']) };
  return { value: inner.data, malformed: null };
}

function describe(error: z.ZodError, prefix: readonly string[]): string {
  const first = error.issues[0];
  const field = [...prefix, ...(first?.path ?? []).map(String)].join('.');
  return `${field === '' ? 'the body' : field}: ${first?.message ?? 'not as documented'}`;
}
