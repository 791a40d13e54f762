import { visibleText, withoutFormula } from '../../domain/text.js';
import type { LookupFile, LookupLine } from './lookup-files.js';

/**
 * A lookup as CSV: every code with its id (empty: undecided), its name, how many records have it, and a note. Names come
 * from the partner's rows, so they cannot act in a spreadsheet or on a terminal; a code has to stay as it is.
 */
export function csvText({ lines }: Pick<LookupFile, 'lines'>): string {
  const rows = lines.map((line) =>
    [oneLine(line.code), line.id, harmless(line.name), String(line.count), harmless(noteOf(line))]
      .map(quoted)
      .join(','),
  );
  return ['code,id,name,count,note', ...rows, ''].join('\n');
}

function noteOf({ code, note }: LookupLine): string {
  const written = oneLine(code);
  return [
    ...(note === '' ? [] : [note]),
    ...(withoutFormula(written) === written
      ? []
      : ['a spreadsheet takes the code for a formula: edit this file as text']),
    ...(visibleText(written) === written
      ? []
      : [`the code has characters that are not seen: ${visibleText(written)}`]),
  ].join('; ');
}

/** The blanks of a code do not count. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}

function harmless(text: string): string {
  return withoutFormula(visibleText(oneLine(text)));
}

function quoted(text: string): string {
  return /[",;\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
