import { SyncError } from './errors.js';
import { compareUtf8 } from './key.js';

interface SourceKey {
  readonly key: string;
  readonly rowVersion: string | null;
}

interface LedgerKey extends SourceKey {
  readonly vanished: boolean;
}

/** Findings are handed over when at least this many have come together, and at the end of each page of the source. */
const PAGE_SIZE = 250;

/**
 * Merges two streams of keys, each in the byte order of UTF-8, into what is new, changed, unchanged, returned,
 * vanished and gone. Reads each side once and holds one page of each in memory, whatever their length.
 *
 * `changed`: the row versions differ, or one of them is null (unknown). `returned`: the ledger has it as vanished.
 *
 * @param source pages of any size, empty ones too
 * @param ledger the same
 * @returns findings in key order, in pages of about `pageSize` or of one page of the source
 * @throws SyncError of scope `entity`: `duplicate-key` when the source has a key twice, `key-order` when a side is
 * not strictly ascending. The caller must then discard the findings handed over before.
 */
export async function* diffKeys<S extends SourceKey, L extends LedgerKey>(
  source: AsyncIterable<readonly S[]>,
  ledger: AsyncIterable<readonly L[]>,
  pageSize = PAGE_SIZE,
): AsyncGenerator<readonly Finding<S, L>[]> {
  const left = new AscendingKeys('source', source);
  const right = new AscendingKeys('ledger', ledger);
  let findings: Finding<S, L>[] = [];
  try {
    for (;;) {
      await Promise.all([left, right].filter(({ needsPage }) => needsPage).map((side) => side.loadPage()));
      if (left.current === undefined && right.current === undefined) break;
      mergeLoaded(left, right, findings);
      // The source ends a page early where its rows are wide: those of several pages must not come together here.
      if (findings.length >= pageSize || (left.needsPage && findings.length > 0)) {
        yield findings;
        findings = [];
      }
    }
    if (findings.length > 0) yield findings;
  } finally {
    // `allSettled`, because a failing close must not hide the error that ended the merge.
    await Promise.allSettled([left.close(), right.close()]);
  }
}

/** Merges without waiting, as far as both loaded pages reach. */
function mergeLoaded<S extends SourceKey, L extends LedgerKey>(
  left: AscendingKeys<S>,
  right: AscendingKeys<L>,
  findings: Finding<S, L>[],
): void {
  while (!left.needsPage && !right.needsPage) {
    const source = left.current;
    const ledger = right.current;
    if (source === undefined && ledger === undefined) return;
    const order = compareHeads(source, ledger);
    if (order < 0 && source !== undefined) findings.push({ kind: 'new', source });
    if (order > 0 && ledger !== undefined)
      findings.push({ kind: ledger.vanished ? 'gone' : 'vanished', ledger });
    if (order === 0 && source !== undefined && ledger !== undefined) findings.push(bothSides(source, ledger));
    if (order <= 0) left.advance();
    if (order >= 0) right.advance();
  }
}

/** A side that has ended sorts behind every key of the other. */
function compareHeads(source: SourceKey | undefined, ledger: LedgerKey | undefined): number {
  if (source === undefined) return 1;
  if (ledger === undefined) return -1;
  return compareUtf8(source.key, ledger.key);
}

function bothSides<S extends SourceKey, L extends LedgerKey>(source: S, ledger: L): Finding<S, L> {
  if (ledger.vanished) return { kind: 'returned', source, ledger };
  const same = source.rowVersion !== null && source.rowVersion === ledger.rowVersion;
  return { kind: same ? 'unchanged' : 'changed', source, ledger };
}

type Side = 'source' | 'ledger';

/**
 * Records of one side, one after the other, proven to be strictly ascending by key, in memory of one page.
 *
 * Errors, both of scope `entity`: SyncError `duplicate-key` for two equal keys in a row of the source;
 * `key-order` for a key below its predecessor, and for equal keys in the ledger, which cannot hold a key twice.
 */
class AscendingKeys<T extends { readonly key: string }> {
  private readonly iterator: AsyncIterator<readonly T[]>;
  private page: readonly T[] = [];
  /** Place in the page of the record in turn. */
  private at = 0;
  /** The key that was checked last. */
  private previous: string | null = null;
  /** There are no more pages. */
  private ended = false;

  constructor(
    private readonly side: Side,
    pages: AsyncIterable<readonly T[]>,
  ) {
    this.iterator = pages[Symbol.asyncIterator]();
  }

  /** The record in turn; undefined at the end, or while the next page has to be loaded. */
  get current(): T | undefined {
    return this.page[this.at];
  }

  /** True when `current` is undefined only because its page is used up. */
  get needsPage(): boolean {
    return this.at >= this.page.length && !this.ended;
  }

  /** Steps to the next record of the page. */
  advance(): void {
    this.at += 1;
    this.check();
  }

  async loadPage(): Promise<void> {
    do {
      const next = await this.iterator.next();
      this.ended = next.done === true;
      this.page = next.done === true ? [] : next.value;
    } while (this.page.length === 0 && !this.ended);
    this.at = 0;
    this.check();
  }

  /** Ends the producer of the pages, so that it can close its cursor. */
  async close(): Promise<void> {
    if (!this.ended) await this.iterator.return?.();
  }

  private check(): void {
    const { current, previous } = this;
    if (current === undefined) return;
    if (previous !== null && compareUtf8(previous, current.key) >= 0)
      throw orderError(this.side, previous, current.key);
    this.previous = current.key;
  }
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

/** The result of comparing source and ledger for one key. */
type Finding<S, L> =
  | { readonly kind: 'new'; readonly source: S }
  | { readonly kind: 'changed'; readonly source: S; readonly ledger: L }
  | { readonly kind: 'unchanged'; readonly source: S; readonly ledger: L }
  | { readonly kind: 'returned'; readonly source: S; readonly ledger: L }
  /** Vanished in an earlier sweep, and still absent. */
  | { readonly kind: 'gone'; readonly ledger: L }
  | { readonly kind: 'vanished'; readonly ledger: L };
