import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffKeys } from '../../../src/domain/diff.js';

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

async function diff(source: readonly SourceKey[], ledger: readonly LedgerKey[], size = 3): Promise<string[]> {
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

describe('the key diff', () => {
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
