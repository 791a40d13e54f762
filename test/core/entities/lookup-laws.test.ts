import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SyncError } from '../../../src/core/domain/errors.js';
import { foldCode, readLookup } from '../../../src/core/entities/lookup.js';

const cell = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom('a,b', 'say "x"', 'two\nlines', ' a  b ', '-', '*'),
);
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

test('whatever codes and ids a spreadsheet writes are read as they are, in any order of columns', () => {
  const rows = fc.uniqueArray(fc.tuple(cell, cell), {
    selector: ([code]) => foldCode(code.trim()),
    maxLength: 8,
  });
  fc.assert(
    fc.property(rows, fc.boolean(), fc.constantFrom('\n', '\r\n'), (all, swapped, end) => {
      const pairs = all.filter(([code]) => foldCode(code.trim()) !== '');
      const line = (code: string, id: string) =>
        (swapped ? ['note', id, code] : [code, id, '']).map(quoted).join(',');
      const csv = [line('code', 'id'), ...pairs.map(([code, id]) => line(code, id))].join(end);
      const { entries } = readLookup(csv, 'x.csv');
      expect([...entries]).toEqual(pairs.map(([code, id]) => [foldCode(code.trim()), id.trim()]));
    }),
    { numRuns: 300 },
  );
});

test('any text is a lookup or is refused with the file and what is wrong', () => {
  const bits = fc.oneof(
    fc.constantFrom('code,id', ',', '"', '\n', '\r\n', '\uFEFF', 'a', ';', '\0'),
    fc.string({ unit: 'binary', maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(bits, { maxLength: 15 }), (parts) => {
      try {
        readLookup(parts.join(''), 'x.csv', { column: 'industry', required: true });
      } catch (error) {
        if (!(error instanceof SyncError)) throw error;
        expect(error).toMatchObject({
          code: 'config-invalid',
          message: expect.stringMatching(/^x\.csv/) as string,
        });
      }
    }),
    { numRuns: 300 },
  );
});
