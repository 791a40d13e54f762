import { createHash } from 'node:crypto';
import type { ReceivedWebhook } from '../../ports/inbox.js';

/** Names a delivery by Request-Id and body. No header holds a line feed, so no other pair has the same text. */
export function deliveryHash({ requestId, body }: ReceivedWebhook): string {
  return createHash('sha256').update(`${requestId}\n`, 'utf8').update(body).digest('hex');
}
