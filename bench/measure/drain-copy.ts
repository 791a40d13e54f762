import pg from 'pg';
import type { Duplex } from 'node:stream';
import { timed } from './timed.js';

/** ReadyForQuery, outside a transaction: what a server sends last. Text of a COPY holds no zero byte. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/**
 * Sends a COPY … TO STDOUT and drains what comes, without looking at it: as little as a client can do. Gives the
 * seconds from the statement to its end.
 */
export async function drainCopy(url: string, sql: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  // Its parser no longer sees the end of the connection.
  client.on('error', () => undefined);
  await client.connect();
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  let tail = Buffer.alloc(0);
  stream.removeAllListeners('data');
  const done = new Promise<void>((resolve, reject) => {
    stream.on('data', (chunk: Buffer) => {
      if (chunk[0] === 0x45) reject(new Error(chunk.toString('latin1')));
      tail = Buffer.concat([tail, chunk.subarray(-READY.length)]).subarray(-READY.length);
      if (tail.equals(READY)) resolve();
    });
    stream.on('error', reject);
  });
  const text = Buffer.from(`${sql}\0`);
  const message = Buffer.alloc(5);
  message.write('Q');
  message.writeInt32BE(4 + text.length, 1);
  try {
    return await timed(() => {
      stream.write(Buffer.concat([message, text]));
      return done;
    });
  } finally {
    stream.destroy();
  }
}
