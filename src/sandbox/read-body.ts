import type { IncomingMessage } from 'node:http';

/** Largest body that is taken: 1 MiB. */
export const MAX_BODY_BYTES = 1024 * 1024;

/**
 * The bytes as sent; null without a body; `too-large` as soon as that is known, with the rest unread.
 * Read from Node's own stream: the signature is over these bytes, and it costs less than a web stream.
 * Rejects when the client breaks the connection.
 */
export async function readBody(incoming: IncomingMessage): Promise<Buffer | null | 'too-large'> {
  if (Number(incoming.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return 'too-large';
  const chunks: Buffer[] = [];
  let length = 0;
  return await new Promise((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length <= MAX_BODY_BYTES) {
        chunks.push(chunk);
        return;
      }
      incoming.off('data', onData);
      resolve('too-large');
    };
    incoming.on('data', onData);
    incoming.once('end', () => {
      resolve(length === 0 ? null : Buffer.concat(chunks, length));
    });
    incoming.once('error', reject);
    incoming.once('close', () => {
      if (!incoming.readableEnded) reject(new Error('the client broke the connection'));
    });
  });
}
