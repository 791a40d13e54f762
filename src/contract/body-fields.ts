import { z } from 'zod';

/** The names of a body's own fields; none for a schema that names none. */
export function bodyFields(body: z.ZodType | null): readonly string[] {
  return body instanceof z.ZodObject ? Object.keys(body.shape) : [];
}
