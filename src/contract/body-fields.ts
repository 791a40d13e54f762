import { z } from 'zod';

/** The names of a body's own fields; none for a schema that names none. */
export function bodyFields(body: z.ZodType | null): readonly string[] {
  return body instanceof z.ZodObject ? Object.keys(body.shape) : [];
}

/** The same body without one of its own fields; a schema that names none is given back. */
export function withoutField(body: z.ZodType, field: string): z.ZodType {
  const left: Record<never, true> = { [field]: true };
  return body instanceof z.ZodObject ? body.omit(left) : body;
}
