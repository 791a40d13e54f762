import type { Reply } from '../reply/reply.js';
import { PLATFORM_ID } from '../reply/reply-settings.js';
import { fieldAt } from './field-at.js';

/** The reference that a reply to a Put gives, text or a whole number, at `platform.replies.reference`; null: none. */
export function referenceOf(reply: Reply | null, path: string): string | null {
  if (reply?.kind !== 'answered' || path === PLATFORM_ID) return null;
  const value = fieldAt(reply.json, `data.${path}`);
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  return Number.isSafeInteger(value) ? String(value) : null;
}
