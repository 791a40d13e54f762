import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffKeys } from '../../../src/domain/diff.js';
import { compareUtf8 } from '../../../src/domain/key.js';

interface Entry {
  readonly key: string;
  readonly rowVersion: string | null;
  readonly vanished: boolean;
}

const entry = (key: string): Entry => ({ key, rowVersion: '1', vanished: false });

/** Pages of these sizes, over and over; a size of 0 is an empty page. `ended` is called when the reader lets go. */
async function* paged(items: readonly Entry[], sizes: readonly number[], ended = () => {}) {
  try {
    let at = 0;
    for (let page = 0; at < items.length; page += 1) {
      const size = sizes[page % sizes.length] ?? 1;
      yield await Promise.resolve(items.slice(at, at + size));
      at += size;
    }
  } finally {
    ended();
  }
}

const unit = fc.constantFrom('a', 'b', '\ud7ff', '\ue000', '\uff21', '\u{10000}', '\u{1f600}');
const side = fc
  .uniqueArray(fc.string({ unit, minLength: 1, maxLength: 3 }), { maxLength: 40 })
  .map((keys) => keys.sort(compareUtf8).map(entry));
// The last size keeps a side from being nothing but empty pages.
const sizes = fc.array(fc.nat({ max: 4 }), { maxLength: 4 }).map((some) => [...some, 2]);

describe('findings', () => {
  test('come in key order, each key once, whatever pages the two sides have', async () => {
    await fc.assert(
      fc.asyncProperty(side, side, sizes, sizes, async (source, ledger, left, right) => {
        const found: string[] = [];
        for await (const page of diffKeys(paged(source, left), paged(ledger, right), 3)) {
          found.push(...page.map((each) => ('source' in each ? each.source.key : each.ledger.key)));
        }
        const all = new Set([...source, ...ledger].map(({ key }) => key));
        expect(found).toEqual([...all].sort(compareUtf8));
      }),
    );
  });

  test('are handed over page by page, not at the end', async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => entry(String(index).padStart(4, '0')));
    const counts: number[] = [];
    for await (const page of diffKeys(paged(many, [100]), paged([], [1]), 100)) counts.push(page.length);
    expect(counts).toEqual(Array.from({ length: 10 }, () => 100));
  });

  test('never hold the rows of two pages of the source, which ends a page early where rows are wide', async () => {
    const many = Array.from({ length: 100 }, (_, index) => entry(String(index).padStart(3, '0')));
    const counts: number[] = [];
    for await (const page of diffKeys(paged(many, [4]), paged(many, [7]))) counts.push(page.length);
    expect(counts).toHaveLength(25);
    expect(Math.max(...counts)).toBe(4);
  });

  test('report a record that vanished before and is still absent as gone, not as vanished', async () => {
    const gone = { ...entry('a'), vanished: true };
    for await (const page of diffKeys(paged([], [1]), paged([gone], [1])))
      expect(page).toEqual([{ kind: 'gone', ledger: gone }]);
  });
});

describe('both sides are let go', () => {
  const walk = async (source: readonly Entry[], ledger: readonly Entry[], stop: boolean) => {
    const ended: string[] = [];
    const findings = diffKeys(
      paged(source, [1], () => ended.push('source')),
      paged(ledger, [1], () => ended.push('ledger')),
      1,
    );
    const work = (async () => {
      for await (const page of findings) if (stop && page.length > 0) break;
    })();
    const error: unknown = await work.then(
      () => null,
      (reason: unknown) => reason,
    );
    return { error, ended: ended.sort() };
  };

  test('when a key comes twice across pages', async () => {
    const found = await walk([entry('a'), entry('a')], [entry('a'), entry('b'), entry('c')], false);
    expect(found).toMatchObject({
      error: { code: 'duplicate-key', details: { key: 'a' } },
      ended: ['ledger', 'source'],
    });
  });

  test('when the reader of the findings has seen enough', async () => {
    const found = await walk([entry('a'), entry('b')], [entry('a'), entry('c')], true);
    expect(found).toEqual({ error: null, ended: ['ledger', 'source'] });
  });

  test('when the ledger has a key twice, which is its order and no duplicate of the partner’s', async () => {
    const found = await walk([entry('a'), entry('b')], [entry('a'), entry('a')], false);
    expect(found).toMatchObject({ error: { code: 'key-order' }, ended: ['ledger', 'source'] });
  });

  test('when UTF-16 order is taken for byte order', async () => {
    const found = await walk([entry('\u{1f600}'), entry('\uff21')], [], false);
    expect(found.error).toMatchObject({ code: 'key-order' });
  });
});
