import type { z } from 'zod';
import { SECRET_PARAMETER } from './mask.js';
import { partOf, unwrap } from './schema-walk.js';

/** Shorter ones are found in any text. */
const SHORTEST = 4;

/**
 * Every secret text in data of the configuration: what the schema calls secret, and the passwords of addresses, as
 * they are written and decoded. To be removed from texts that libraries write.
 */
export function secretTexts(schema: z.core.$ZodType | null, data: unknown): readonly string[] {
  return [...new Set(collect(schema, data, false))].filter((text) => text.length >= SHORTEST);
}

function collect(schema: z.core.$ZodType | null, data: unknown, within: boolean): string[] {
  if (data === null || data === undefined) return [];
  const { secret } = schema === null ? {} : unwrap(schema).meta;
  const whole = within || secret === 'whole';
  if (typeof data === 'string') {
    if (whole) return [data, ...secretsWithin(data)];
    return secret === 'address' ? secretsOfAddress(data) : [];
  }
  if (typeof data !== 'object') return [];
  return Object.entries(data).flatMap(([key, value]) =>
    collect(schema === null ? null : partOf(schema, Array.isArray(data) ? Number(key) : key), value, whole),
  );
}

function secretsOfAddress(address: string): string[] {
  if (!URL.canParse(address)) return [address];
  const { password, searchParams } = new URL(address);
  const parameters = [...searchParams].flatMap(([name, value]) =>
    SECRET_PARAMETER.test(name) ? [value, encodeURIComponent(value)] : [],
  );
  return [password, decoded(password), ...parameters];
}

/** Parts of an address that is secret as a whole: messages of libraries repeat them, such as the decoded password. */
function secretsWithin(address: string): string[] {
  if (!URL.canParse(address)) return [];
  const { password, pathname, searchParams } = new URL(address);
  const last = pathname.split('/').at(-1) ?? '';
  const values = [...searchParams.values()];
  return [password, last, ...values, ...values.map(encodeURIComponent)].flatMap((text) => [
    text,
    decoded(text),
  ]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
