import { SyncError } from '../errors.js';
import { compareUtf8 } from '../key/compare-utf8.js';

export type Side = 'source' | 'ledger';

/** Records of one side, one after the other, proven to be strictly ascending by key. */
export interface AscendingKeys<T> {
  /** The record in turn; undefined at the end, or while the next page has to be loaded. */
  readonly current: T | undefined;
  /** Steps to the next record of the page. */
  advance(): void;
  /** True when `current` is undefined only because its page is used up. */
  readonly needsPage: boolean;
  loadPage(): Promise<void>;
  /** Ends the producer of the pages, so that it can close its cursor. */
  close(): Promise<void>;
}

/**
 * Walks pages of records in memory of one page.
 *
 * Errors, both of scope `entity`: SyncError `duplicate-key` for two equal keys in a row of the source;
 * `key-order` for a key below its predecessor, and for equal keys in the ledger, which cannot hold a key twice.
 */
export function ascendingKeys<T extends { readonly key: string }>(
  side: Side,
  pages: AsyncIterable<readonly T[]>,
): AscendingKeys<T> {
  const iterator = pages[Symbol.asyncIterator]();
  let page: readonly T[] = [];
  let at = 0;
  let previous: string | null = null;
  let ended = false;

  function check(): void {
    const record = page[at];
    if (record === undefined) return;
    if (previous !== null && compareUtf8(previous, record.key) >= 0)
      throw orderError(side, previous, record.key);
    previous = record.key;
  }

  return {
    get current() {
      return page[at];
    },
    get needsPage() {
      return at >= page.length && !ended;
    },
    advance() {
      at += 1;
      check();
    },
    async loadPage() {
      do {
        const next = await iterator.next();
        if (next.done === true) {
          ended = true;
          page = [];
        } else {
          page = next.value;
        }
      } while (page.length === 0 && !ended);
      at = 0;
      check();
    },
    async close() {
      if (!ended) await iterator.return?.();
    },
  };
}

function orderError(side: Side, previous: string, key: string): SyncError {
  if (side === 'source' && previous === key) {
    return new SyncError('duplicate-key', `the query returns the key ${JSON.stringify(key)} more than once`, {
      scope: 'entity',
      hint: 'Each record needs one row: look for a join that multiplies rows.',
      details: { key },
    });
  }
  return new SyncError(
    'key-order',
    `the keys of the ${side} are not ascending: ${JSON.stringify(key)} came after ${JSON.stringify(previous)}`,
    { scope: 'entity', details: { side, previous, key } },
  );
}
