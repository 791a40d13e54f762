import { isObject, valueAt } from '../../domain/reply/refusal.js';
import type { LeftOutField } from '../../domain/probe/seen.js';
import type { Reply } from '../../domain/reply/reply.js';

/**
 * What became of a field by the Find after a Put without it. `read`: its path in `data`; `value`: what was sent before.
 * Null: the Find does not show the record. Pure.
 */
export function fieldAfter(reply: Reply | null, read: string, value: unknown): LeftOutField['after'] {
  if (reply?.kind !== 'answered' || reply.status > 299) return null;
  const data = valueAt(reply.json, 'data');
  if (!isObject(data)) return null;
  const now = trimmed(valueAt(data, read) ?? null);
  if (now === null || now === '') return 'cleared';
  return now === trimmed(value) ? 'kept' : 'changed';
}

function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\r\n?/g, '\n').trim() : value;
}
