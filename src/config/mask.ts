import type { z } from 'zod';
import { partOf, unwrap } from './schema-walk.js';

const MASK = '***';
/** Names of an address’s parameters whose values are secret. */
export const SECRET_PARAMETER = /pass|secret|token|key/i;

/**
 * Data of the configuration with secrets and the passwords of addresses replaced by `***`, for printing.
 *
 * @param schema schema of the data, which knows what is secret
 * @param data data in the form of the file
 */
export function mask(schema: z.core.$ZodType | null, data: unknown): unknown {
  if (data === null || data === undefined) return data;
  const { secret } = schema === null ? {} : unwrap(schema).meta;
  if (Array.isArray(data)) {
    return data.map((item: unknown, index) => (secret === 'whole' ? MASK : mask(part(schema, index), item)));
  }
  if (secret === 'whole') return MASK;
  if (typeof data === 'string') return secret === 'address' ? maskAddress(data) : data;
  if (typeof data !== 'object') return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, mask(part(schema, key), value)]),
  );
}

function part(schema: z.core.$ZodType | null, key: string | number): z.core.$ZodType | null {
  return schema === null ? null : partOf(schema, key);
}

/** `postgres://user:***@host/db`; an address that cannot be parsed is masked whole. */
export function maskAddress(address: string): string {
  if (!URL.canParse(address)) return MASK;
  const url = new URL(address);
  if (url.password !== '') url.password = MASK;
  for (const name of [...url.searchParams.keys()]) {
    if (SECRET_PARAMETER.test(name)) url.searchParams.set(name, MASK);
  }
  return url.href;
}
