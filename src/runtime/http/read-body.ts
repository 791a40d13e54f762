import type { ByteBudget } from './byte-budget.js';
import type { Exchange } from './exchange.js';
import { createPieceLimit } from './piece-limit.js';

/** Bytes of memory that a body grows by. */
const BLOCK_BYTES = 16 * 1024;

export interface BodyOptions {
  readonly maxBytes: number;
  /** Memory for all bodies of a listener together. */
  readonly budget: ByteBudget;
  /** Sees the bytes as they come. */
  readonly onBytes?: (bytes: Uint8Array) => void;
}

/** A body in memory. Its bytes count in the budget until its release. */
export interface HeldBody {
  readonly length: number;
  /** The bytes as sent. */
  bytes(): Buffer;
  /**
   * Counts this many more bytes, and gives up nothing for others until the release. False: they do not fit.
   */
  keep(bytes: number): boolean;
  release(): void;
}

/**
 * `too-large`: more than `maxBytes`, known at once if the length is announced; the rest is unread.
 * `no-room`: all bodies together are too large, and this one is the largest; or it comes in far too many pieces, which
 * cost time. The rest is unread.
 * `broken`: the client left or took too long.
 */
export type ReadBody = HeldBody | 'too-large' | 'no-room' | 'broken';

/**
 * Reads a body, the bytes as sent, within its own limit and the shared budget. Sends `100 Continue` if the client waits
 * for it.
 *
 * Bytes are copied into blocks, because a body may come in pieces of one byte, each an object of hundreds. No
 * memory is reserved for a length that is only announced.
 */
export function readBody(exchange: Exchange, { maxBytes, budget, onBytes }: BodyOptions): Promise<ReadBody> {
  const { incoming, outgoing } = exchange;
  const announced = Number(incoming.headers['content-length'] ?? Infinity);
  if (announced !== Infinity && announced > maxBytes) return Promise.resolve('too-large');
  if (exchange.asksToSend) outgoing.writeContinue();
  exchange.asksToSend = false;

  return new Promise((resolve) => {
    let blocks: Buffer[] = [];
    let length = 0;
    /** Free bytes at the end of the last block. */
    let room = 0;
    let reading = true;

    const stop = (result: Exclude<ReadBody, HeldBody>): void => {
      blocks = [];
      account.close();
      if (!reading) return;
      reading = false;
      incoming.off('data', onData);
      resolve(result);
    };
    const account = budget.open(() => stop('no-room'));

    const put = (chunk: Buffer): void => {
      for (let taken = 0; taken < chunk.length;) {
        if (room === 0) {
          room = Math.min(BLOCK_BYTES, announced - length, maxBytes - length);
          if (!account.take(room)) {
            stop('no-room');
            return;
          }
          blocks.push(Buffer.allocUnsafeSlow(room));
        }
        const block = blocks.at(-1);
        const copied = block?.length ? chunk.copy(block, block.length - room, taken) : 0;
        taken += copied;
        length += copied;
        room -= copied;
      }
    };
    const fewPieces = createPieceLimit();
    const onData = (chunk: Buffer): void => {
      if (!fewPieces(chunk.length)) {
        stop('no-room');
        return;
      }
      if (length + chunk.length > maxBytes) {
        stop('too-large');
        return;
      }
      onBytes?.(chunk);
      put(chunk);
    };
    const onEnd = (): void => {
      if (!reading) return;
      reading = false;
      resolve({
        length,
        bytes: () => Buffer.concat(blocks, length),
        keep: (bytes) => {
          account.keep();
          return account.take(bytes);
        },
        release: () => account.close(),
      });
    };
    incoming.on('data', onData);
    incoming.once('end', onEnd);
    for (const event of ['error', 'close']) incoming.once(event, () => reading && stop('broken'));
  });
}
