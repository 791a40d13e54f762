import type { IncomingMessage } from 'node:http';

/**
 * The bytes as sent, from Node's own stream because the signature is over them. `too-large` as soon as that is known,
 * with the rest unread; `broken` when the client left.
 */
export async function readBody(
  incoming: IncomingMessage,
  maxBytes: number,
): Promise<Buffer | 'too-large' | 'broken'> {
  if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) return 'too-large';
  const chunks: Buffer[] = [];
  let length = 0;
  return await new Promise((resolve) => {
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      incoming.off('data', onData);
      resolve('too-large');
    };
    incoming.on('data', onData);
    incoming.once('end', () => resolve(Buffer.concat(chunks, length)));
    incoming.once('error', () => resolve('broken'));
    incoming.once('close', () => resolve('broken'));
  });
}
