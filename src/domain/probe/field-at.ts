import { isObject } from '../reply/refusal.js';

/** The value at a dotted path; undefined: there is none. */
export function fieldAt(value: unknown, path: string): unknown {
  let at = value;
  for (const step of path.split('.')) {
    if (!isObject(at) || !Object.hasOwn(at, step)) return undefined;
    at = at[step];
  }
  return at;
}
