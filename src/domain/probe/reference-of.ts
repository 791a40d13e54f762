import type { Answer, Reply } from '../reply/reply.js';
import { PLATFORM_ID } from '../reply/reply-settings.js';
import { valueAt } from '../reply/value-at.js';

/** The reference that a reply to a Put gives, text or a whole number, at `platform.replies.reference`; null: none. */
export function referenceOf(reply: Reply | null, path: string): string | number | null {
  if (reply?.kind !== 'answered' || path === PLATFORM_ID) return null;
  const { value } = referenceAt(reply, path);
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

/** What stands there in `data`, else from the beginning of the reply, as the worker reads it. */
export function referenceAt(
  { json }: Answer,
  path: string,
): { readonly value: unknown; readonly at: string } {
  const usual = { value: valueAt(json, `data.${path}`), at: `data.${path}` };
  // Without a result the reply is not understood, whatever else it has.
  const fromTop = valueAt(json, 'data') === undefined ? null : valueAt(json, path);
  return (usual.value ?? null) === null && (fromTop ?? null) !== null ? { value: fromTop, at: path } : usual;
}
