import type { z } from 'zod';
import type { Area } from '../domain/names.js';
import { readDatabaseAddress } from '../runtime/database-address.js';
import { decoded } from '../runtime/egress-proxy.js';
import { mentions, type Variable } from './interpolate.js';
import { valueAt } from './problem.js';
import { partOf, unwrap } from './schema-walk.js';

/**
 * What of a configuration may be shown. The schema says which settings are secret; of addresses, passwords are.
 * `secretTexts` finds all of them, to be removed from other texts; `mask` replaces them for printing;
 * `withoutUnsetCredentials` takes a configuration whose credentials are not there yet.
 */

/** Shorter ones are found in any text. */
const SHORTEST = 4;

/** Every secret text in data of the configuration, as it is written and decoded. */
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
    collect(part(schema, Array.isArray(data) ? Number(key) : key), value, whole),
  );
}

function part(schema: z.core.$ZodType | null, key: string | number): z.core.$ZodType | null {
  return schema === null ? null : partOf(schema, key);
}

/** Parts of an address that is secret as a whole: messages of libraries repeat them, such as the decoded password. */
function secretsWithin(address: string): string[] {
  if (!URL.canParse(address)) return [];
  const { password, pathname, searchParams } = new URL(address);
  const last = pathname.split('/').at(-1) ?? '';
  const values = [...searchParams.values()];
  const texts = [password, last, ...values, ...values.map(encodeURIComponent)];
  return texts.flatMap((text) => [text, decoded(text)]);
}

/** Names of an address’s parameters whose values are secret. */
export const SECRET_PARAMETER = /pass|secret|token|key/i;

function secretsOfAddress(address: string): string[] {
  if (!URL.canParse(address)) {
    const read = readDatabaseAddress(address);
    return read !== null && 'password' in read ? [address, read.password] : [address];
  }
  const { password, searchParams } = new URL(address);
  const parameters = [...searchParams].flatMap(([name, value]) =>
    SECRET_PARAMETER.test(name) ? [value, encodeURIComponent(value)] : [],
  );
  return [password, decoded(password), ...parameters];
}

const MASK = '***';

/** Data in the form of the file with secrets and the passwords of addresses replaced by `***`. */
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
export const UNSET_CREDENTIAL = 'n/a';

/**
 * The configuration's data without the credentials whose environment variables are unset or empty, and the names of these
 * variables by area. For a command that looks at everything else meanwhile.
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
      { ...(block as object), ...Object.fromEntries(missing.map(([key]) => [key, UNSET_CREDENTIAL])) },
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
