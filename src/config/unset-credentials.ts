import type { Area } from '../domain/names.js';
import { mentions, type Variable } from './interpolate.js';
import { valueAt } from './value-at.js';

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
