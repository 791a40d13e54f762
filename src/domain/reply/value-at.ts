import { isObject } from './refusal.js';

/** The value at a dotted path of a reply; a number is a place in a list. Undefined: there is none. Pure. */
export function valueAt(value: unknown, path: string): unknown {
  let at = value;
  for (const step of path.split('.')) {
    if (Array.isArray(at) && /^\d{1,6}$/.test(step)) at = (at as readonly unknown[])[Number(step)];
    else if (isObject(at) && Object.hasOwn(at, step)) at = at[step];
    else return undefined;
  }
  return at;
}
