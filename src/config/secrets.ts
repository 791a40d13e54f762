import type { z } from 'zod';
import type { Area } from '../domain/names.js';
import { mentions, type Variable } from './interpolate.js';
import { valueAt } from './problem.js';
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

const CREDENTIALS = ['clientId', 'clientSecret'] as const;
/** Stands for a credential that is not there. Too short to be taken for a secret in texts. */
const PLACEHOLDER = 'n/a';

/**
 * The configuration's data without the credentials whose environment variables are unset or empty, and the names of these
 * variables by area. For a command that looks at everything else meanwhile. Pure but for `read`.
 */
export function withoutUnsetCredentials(
  data: unknown,
  read: (name: string) => Variable,
): { readonly data: unknown; readonly unset: ReadonlyMap<Area, readonly string[]> } {
  const unset = new Map<Area, readonly string[]>();
  const platform = valueAt(data, ['platform']);
  if (platform === null || typeof platform !== 'object') return { data, unset };
  const blocks = Object.entries(platform).map(([area, block]: [string, unknown]) => {
    const missing = CREDENTIALS.map((key) => [key, unsetIn(valueAt(block, [key]), read)] as const).filter(
      ([, names]) => names.length > 0,
    );
    if (missing.length === 0) return [area, block] as const;
    unset.set(area as Area, [...new Set(missing.flatMap(([, names]) => names))]);
    return [
      area,
      { ...(block as object), ...Object.fromEntries(missing.map(([key]) => [key, PLACEHOLDER])) },
    ] as const;
  });
  return { data: { ...(data as object), platform: Object.fromEntries(blocks) }, unset };
}

/** Variables of a text that have no value and no default. */
function unsetIn(text: unknown, read: (name: string) => Variable): readonly string[] {
  if (typeof text !== 'string') return [];
  return mentions(text)
    .filter(({ fallback }) => (fallback ?? '') === '')
    .map(({ name }) => name)
    .filter((name) => {
      const variable = read(name);
      return 'value' in variable && (variable.value ?? '') === '';
    });
}
