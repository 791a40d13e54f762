import { z } from 'zod';
import { uuid } from './field-types.js';

/**
 * Every JSON response, as the interface shows it: the result in `data`, server information in `meta` (§1). The worker
 * itself reads replies more leniently (`platform/read-reply.ts`).
 */
export const envelope = z.looseObject({ data: z.looseObject({}), meta: z.looseObject({}) });

/** What the interface says about `meta`. Documentation only: `envelope` ignores it. */
export const serverInformation = z.looseObject({
  client_ip: z.string().optional().describe('Address of the caller as seen by the server.'),
  hostname: z.string().optional().describe('Name of the serving host.'),
  version: z.string().optional().describe('API version, v1.'),
});

/** `data` of a delete: the interface does not show it, so anything fits, also nothing. */
export const deleteResult = z.unknown();

/** `data` of every Put (interface §2); `name` or `title` and `created_at` come beside. */
export const putResult = z.looseObject({ id: uuid, reference: uuid });

export type Read<T> =
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
