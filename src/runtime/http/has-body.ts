import type { IncomingMessage } from 'node:http';

/** Whether a request has a body, which may be empty when its length is not announced. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
