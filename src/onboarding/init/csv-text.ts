import type { LookupFile } from './lookup-files.js';

/** A lookup as CSV: every code with its id (empty: undecided), its name, how many records have it, and a note. */
export function csvText({ lines }: Pick<LookupFile, 'lines'>): string {
  const rows = lines.map(({ code, id, name, count, note }) =>
    [code, id, name, String(count), note].map(cell).join(','),
  );
  return ['code,id,name,count,note', ...rows, ''].join('\n');
}

function cell(text: string): string {
  const line = text.replace(/[\r\n]+/g, ' ');
  return /[",]|^\s|\s$/.test(line) ? `"${line.replaceAll('"', '""')}"` : line;
}
