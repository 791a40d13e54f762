import type { Reply, ReplyLinks } from '../reply/reply.js';

/** The reference that a reply to a Put gives, as the worker reads it and children name it; null: none. */
export function referenceOf(reply: Reply | null): ReplyLinks['reference'] {
  return reply?.kind === 'answered' ? (reply.links?.reference ?? null) : null;
}
