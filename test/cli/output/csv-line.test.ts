import { expect, it } from 'vitest';
import { csvLine } from '../../../src/cli/commands/report.js';

it('puts into quotes what would end a cell', () => {
  expect(csvLine(['a', 'b,c', 'say "no"', 'two\nlines', '', null, 422])).toBe(
    'a,"b,c","say ""no""","two\nlines",,,422\n',
  );
});

it.each(['=1+1', '+62', '-x', '@here', '\tx'])('keeps a spreadsheet from calculating %j', (text) => {
  expect(csvLine([text]).replaceAll('"', '')).toBe(`'${text}\n`);
});

it('leaves numbers as they are', () => expect(csvLine([-1])).toBe('-1\n'));

it.each([
  ['a;=1+1', `"a;'=1+1"\n`],
  ['a\t=1+1', `"a\t'=1+1"\n`],
  ['two\n=1+1', `"two\n'=1+1"\n`],
  ['a;b', '"a;b"\n'],
  ['a; b - c', '"a; b - c"\n'],
])('keeps it from calculating what another separator would begin: %j', (text, line) => {
  expect(csvLine([text])).toBe(line);
});

it('has no character that a terminal or a reader obeys', () => {
  expect(csvLine(['a\u001b[2Jb\u0007\u009b\rc', 'x\u202ey'])).toBe(
    'a\\u001b[2Jb\\u0007\\u009b\\u000dc,x\\u202ey\n',
  );
});
