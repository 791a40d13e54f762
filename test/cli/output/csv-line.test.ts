import { expect, it } from 'vitest';
import { csvLine } from '../../../src/cli/output/csv-line.js';

it('puts into quotes what would end a cell', () => {
  expect(csvLine(['a', 'b,c', 'say "no"', 'two\nlines', '', null, 422])).toBe(
    'a,"b,c","say ""no""","two\nlines",,,422\n',
  );
});

it.each(['=1+1', '+62', '-x', '@here', '\tx', '\rx'])('keeps a spreadsheet from calculating %j', (text) => {
  expect(csvLine([text]).replaceAll('"', '')).toBe(`'${text}\n`);
});

it('leaves numbers as they are', () => expect(csvLine([-1])).toBe('-1\n'));
