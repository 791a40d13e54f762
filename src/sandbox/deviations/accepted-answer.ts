import type { AreaDeviations } from '../../config/deviations/deviation-schema.js';
import type { Answer } from '../answer.js';
import { putAt } from '../at-path.js';

/** What was done, which decides the status. */
export type Done = 'created' | 'updated' | 'deleted' | 'found';

/**
 * The answer to a request that was processed: 200 with the envelope of interface §1, or as this platform has it. Pure.
 * @param data null: there is no such record, and the platform says so with a 200
 */
export function acceptedAnswer(
  data: object | null,
  done: Done,
  clientIp: string,
  replies: AreaDeviations['replies'],
): Answer {
  const status = done === 'found' ? 200 : replies[done];
  if (done !== 'found' && replies.body === 'empty') return { status, body: '', message: null };
  const body: Record<string, unknown> = {};
  if (replies.envelope === 'none') Object.assign(body, data);
  else putAt(body, replies.envelope, data);
  if (replies.meta) body.meta = { client_ip: clientIp, hostname: 'sandbox', version: 'v1' };
  return { status, body, message: null };
}
