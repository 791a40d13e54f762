import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffKeys } from '../../../../src/core/domain/diff.js';
import { compareUtf8 } from '../../../../src/core/domain/key.js';

describe('the key diff', () => {
  interface SourceKey {
    readonly key: string;
    readonly rowVersion: string | null;
  }
  interface LedgerKey extends SourceKey {
    readonly vanished: boolean;
  }

  async function* pages<T>(items: readonly T[], size: number): AsyncGenerator<readonly T[]> {
    for (let at = 0; at < items.length; at += size) yield await Promise.resolve(items.slice(at, at + size));
  }

  async function diff(
    source: readonly SourceKey[],
    ledger: readonly LedgerKey[],
    size = 3,
  ): Promise<string[]> {
    const found: string[] = [];
    for await (const page of diffKeys(pages(source, size), pages(ledger, size))) {
      for (const finding of page) {
        found.push(`${finding.kind} ${'source' in finding ? finding.source.key : finding.ledger.key}`);
      }
    }
    return found;
  }

  const byBytes = (a: SourceKey, b: SourceKey) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key));
  const key = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 });
  const version = fc.constantFrom('1', '2', null);

  test('says the same as a naive comparison, whatever the pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.record({ key, rowVersion: version }), { selector: (each) => each.key }),
        fc.uniqueArray(fc.record({ key, rowVersion: version, vanished: fc.boolean() }), {
          selector: (each) => each.key,
        }),
        fc.integer({ min: 1, max: 7 }),
        async (source, ledger, size) => {
          const known = new Map(ledger.map((each) => [each.key, each]));
          const expected = new Set<string>();
          for (const { key: name, rowVersion } of source) {
            const entry = known.get(name);
            if (!entry) expected.add(`new ${name}`);
            else if (entry.vanished) expected.add(`returned ${name}`);
            else if (rowVersion === null || rowVersion !== entry.rowVersion) expected.add(`changed ${name}`);
            else expected.add(`unchanged ${name}`);
          }
          const there = new Set(source.map((each) => each.key));
          for (const { key: name, vanished } of ledger)
            if (!there.has(name)) expected.add(`${vanished ? 'gone' : 'vanished'} ${name}`);
          const found = await diff([...source].sort(byBytes), [...ledger].sort(byBytes), size);
          expect(new Set(found)).toEqual(expected);
          expect(found).toHaveLength(expected.size);
        },
      ),
    );
  });

  test('refuses a key that comes twice', async () => {
    const twice = [
      { key: 'a', rowVersion: '1' },
      { key: 'a', rowVersion: '1' },
    ];
    await expect(diff(twice, [])).rejects.toMatchObject({ code: 'duplicate-key', scope: 'entity' });
    await expect(diff(twice, [], 1)).rejects.toMatchObject({ code: 'duplicate-key' });
  });

  test('refuses a side that is not in order', async () => {
    const unordered = [
      { key: 'b', rowVersion: '1' },
      { key: 'a', rowVersion: '1' },
    ];
    await expect(diff(unordered, [])).rejects.toMatchObject({ code: 'key-order', scope: 'entity' });
    await expect(
      diff(
        [],
        unordered.map((each) => ({ ...each, vanished: false })),
      ),
    ).rejects.toMatchObject({ code: 'key-order' });
  });
});

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
