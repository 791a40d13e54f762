import { createPieceLimit, type Exchange } from './listener.js';

/**
 * Bodies of requests, in bounded memory. `readBody` reads one into blocks that it takes from a budget which all bodies of a
 * listener share (`createByteBudget`); when the budget is used up, the largest body gives way.
 */

/**
 * `too-large`: more than `maxBytes`, known at once if the length is announced; the rest is unread.
 * `no-room`: all bodies together are too large, and this one is the largest; or it comes in far too many pieces, which
 * cost time. The rest is unread.
 * `broken`: the client left or took too long.
 */
type ReadBody = HeldBody | 'too-large' | 'no-room' | 'broken';

interface BodyOptions {
  readonly maxBytes: number;
  /** Memory for all bodies of a listener together. */
  readonly budget: ByteBudget;
  /** Sees the bytes as they come. */
  readonly onBytes?: (bytes: Uint8Array) => void;
}

/** Bytes shared by many holders: memory has a limit that does not depend on their number. */
export type ByteBudget = ReturnType<typeof createByteBudget>;

/** Bytes of memory that a body grows by. */
const BLOCK_BYTES = 16 * 1024;

/**
 * Sends `100 Continue` if the client waits for it. Bytes are copied into blocks, because a body may come in pieces of one
 * byte, each an object of hundreds. No memory is reserved for a length that is only announced.
 */
export function readBody(exchange: Exchange, { maxBytes, budget, onBytes }: BodyOptions): Promise<ReadBody> {
  const { incoming, outgoing } = exchange;
  const announced = Number(incoming.headers['content-length'] ?? Infinity);
  if (announced !== Infinity && announced > maxBytes) return Promise.resolve('too-large');
  if (exchange.asksToSend) outgoing.writeContinue();
  exchange.asksToSend = false;

  return new Promise((resolve) => {
    let reading = true;
    const stop = (result: Exclude<ReadBody, HeldBody>): void => {
      body.drop();
      if (!reading) return;
      reading = false;
      incoming.off('data', onData);
      resolve(result);
    };
    const body = new HeldBody(Math.min(announced, maxBytes), budget, () => stop('no-room'));
    const fewPieces = createPieceLimit();
    const onData = (chunk: Buffer): void => {
      if (!fewPieces(chunk.length)) return stop('no-room');
      if (body.length + chunk.length > maxBytes) return stop('too-large');
      onBytes?.(chunk);
      if (!body.add(chunk)) stop('no-room');
    };
    incoming.on('data', onData);
    incoming.once('end', () => {
      if (reading) resolve(body);
      reading = false;
    });
    for (const event of ['error', 'close']) incoming.once(event, () => reading && stop('broken'));
  });
}

/** A body in memory. Its bytes count in the budget until its release. */
class HeldBody {
  /** Bytes so far. */
  length = 0;
  private blocks: Buffer[] = [];
  /** Free bytes at the end of the last block. */
  private room = 0;
  private readonly account: ReturnType<ByteBudget['open']>;

  /** @param giveUp called when others need the memory */
  constructor(
    private readonly maxBytes: number,
    budget: ByteBudget,
    giveUp: () => void,
  ) {
    this.account = budget.open(giveUp);
  }

  /** False: there is no memory for it. */
  add(chunk: Buffer): boolean {
    for (let taken = 0; taken < chunk.length;) {
      if (this.room === 0) {
        this.room = Math.min(BLOCK_BYTES, this.maxBytes - this.length);
        if (!this.account.take(this.room)) return false;
        this.blocks.push(Buffer.allocUnsafeSlow(this.room));
      }
      const block = this.blocks.at(-1);
      const copied = block?.length ? chunk.copy(block, block.length - this.room, taken) : 0;
      taken += copied;
      this.length += copied;
      this.room -= copied;
    }
    return true;
  }

  /** The bytes as sent. */
  bytes(): Buffer {
    return Buffer.concat(this.blocks, this.length);
  }

  /** The same in pieces, without a copy. */
  pieces(): readonly Uint8Array[] {
    const last = this.blocks.length - 1;
    return this.blocks.map((block, at) =>
      at === last ? block.subarray(0, block.length - this.room) : block,
    );
  }

  /** Counts this many more bytes, and gives up nothing for others until the release. False: they do not fit. */
  keep(bytes: number): boolean {
    this.account.keep();
    return this.account.take(bytes);
  }

  readonly release = (): void => this.account.close();

  drop(): void {
    this.blocks = [];
    this.release();
  }
}

/**
 * A budget of `limit` bytes. The largest holder gives up, not the newest: an attacker sends much, and a usual request is
 * small, so it finds room also when the budget is full. A kept holder takes from all that are not kept.
 */
export function createByteBudget(limit: number) {
  interface Holder {
    bytes: number;
    kept: boolean;
    readonly giveUp: () => void;
  }
  const holders = new Set<Holder>();
  let total = 0;

  const release = (holder: Holder): void => {
    if (holders.delete(holder)) total -= holder.bytes;
  };
  const largest = (): Holder | null => {
    let found: Holder | null = null;
    for (const holder of holders) {
      if (!holder.kept && holder.bytes > (found?.bytes ?? 0)) found = holder;
    }
    return found;
  };

  return {
    taken: () => total,
    /**
     * Opens one holder's account. `giveUp` is called once when others need the bytes; the holder must then free its
     * memory.
     */
    open(giveUp: () => void) {
      const own: Holder = { bytes: 0, kept: false, giveUp };
      holders.add(own);
      return {
        /**
         * Takes this many more bytes. If they do not fit, the largest holder gives up everything, then the next, until
         * they fit. False: this holder was the largest, or gave up before; it holds nothing now.
         */
        take(bytes: number): boolean {
          if (!holders.has(own)) return false;
          while (total + bytes > limit) {
            const victim = largest();
            if (victim === null || victim === own || (!own.kept && victim.bytes <= own.bytes + bytes)) {
              release(own);
              return false;
            }
            release(victim);
            victim.giveUp();
          }
          own.bytes += bytes;
          total += bytes;
          return true;
        },
        /** From here on it never has to give up, and others give up for it: its work is worth finishing. */
        keep: () => {
          own.kept = true;
        },
        /** Gives everything back. May be called again. */
        close: () => release(own),
      };
    },
  };
}
