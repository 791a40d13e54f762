import { DEFAULT_DATA, WHOLE_REPLY } from '../domain/reply/reply.js';
import { isObject, valueAt } from '../domain/reply/refusal.js';

/**
 * A reply with its result as `data`, wherever the platform has it, so that everything behind reads one form. A reply
 * that has nothing there has no `data`. Pure.
 *
 * @param path `platform.replies.data`
 */
export function unwrapReply(json: unknown, path: string): unknown {
  if (path === DEFAULT_DATA || json === undefined) return json;
  const data = path === WHOLE_REPLY ? json : valueAt(json, path);
  const rest = isObject(json)
    ? Object.fromEntries(Object.entries(json).filter(([name]) => name !== DEFAULT_DATA))
    : {};
  return data === undefined ? rest : { ...rest, data };
}
