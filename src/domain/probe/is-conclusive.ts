import type { Answer, Reply } from '../reply/reply.js';

/** Whether a reply says something about the request itself: neither an outage nor a wish for fewer requests does. */
export function isConclusive(reply: Reply): reply is Answer {
  return reply.kind === 'answered' && reply.status !== 429 && reply.status < 500;
}
