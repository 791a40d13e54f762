import { expect, it } from 'vitest';
import { foldCode, readLookup } from '../../../src/entities/lookup.js';
import { csvText } from '../../../src/onboarding/init/write/lookup-files.js';

const line = (code: string, name: string, note = '') => ({ code, id: '', name, count: 1, note });
const lineOf = (code: string, name: string, note?: string) =>
  csvText({ lines: [line(code, name, note)] }).split('\n')[1];

it('keeps a spreadsheet from calculating a name or a note', () => {
  expect(lineOf('a', '+cmd|x')).toBe("a,,'+cmd|x,1,");
  expect(lineOf('a', 'b', '=1+1')).toBe("a,,b,1,'=1+1");
});

it('shows what a terminal would act on', () => {
  expect(lineOf('a', '\u001b[2Jb', 'c\u202e')).toBe('a,,\\u001b[2Jb,1,c\\u202e');
});

it.each(['=HYPERLINK("http://x")', '+1', '-1', '@a'])('leaves the code %s as it is, and warns', (code) => {
  const text = csvText({ lines: [line(code, 'x', 'ambiguous: y')] });
  expect([...readLookup(text, 'x.csv').entries.keys()]).toEqual([foldCode(code)]);
  expect(text).toContain(
    ',x,1,"ambiguous: y; a spreadsheet takes the code for a formula: edit this file as text"\n',
  );
});

it('leaves a code with characters that are not seen as it is, and shows them in the note', () => {
  const text = csvText({ lines: [line('\u001b[2J', 'x')] });
  expect([...readLookup(text, 'x.csv').entries.keys()]).toEqual([foldCode('\u001b[2J')]);
  expect(text).toContain(',,x,1,the code has characters that are not seen: \\u001b[2J\n');
});

it('has no note for other codes', () => expect(lineOf('7', 'a, b')).toBe('7,,"a, b",1,'));

it('quotes what a spreadsheet of another language would take for the next column', () =>
  expect(lineOf('7;8', 'a\tb')).toBe('"7;8",,"a\tb",1,'));
