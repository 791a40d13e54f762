import { parse } from 'csv-parse/sync';
import { foldCode, type ReferenceValue } from '../../entities/lookup.js';
import { cellText, guessId, lineCells } from '../init/write/lookup-files.js';

/** A code that rows have, with how many. */
export interface CodeCount {
  readonly code: string;
  readonly count: number;
}

export interface FilledLookup {
  /** The file as it should be. */
  readonly text: string;
  /** Codes that got an id. */
  readonly filled: readonly { readonly code: string; readonly name: string; readonly id: string }[];
  /** Codes of the rows that the file lacked. */
  readonly added: readonly string[];
  /** Codes without an id, those with most rows first. `count`: null where it is not known. */
  readonly open: readonly { readonly code: string; readonly count: number | null; readonly note: string }[];
}

/**
 * Fills the empty ids of a lookup by the names of its codes, and adds the codes that the rows have and the file lacks. Lines
 * that have an id, and their order, stay as they are to the last byte. `text`: a file that `readLookup` takes; `target`: the
 * column of the contract; `codes`: of the rows, those with most rows first. A file with `*` says already what every other
 * code is, so it gets none. Pure.
 */
export function fillLookup(
  text: string,
  target: string,
  { codes, values }: { readonly codes: readonly CodeCount[]; readonly values: readonly ReferenceValue[] },
): FilledLookup {
  const lines = parse(text, {
    bom: true,
    raw: true,
    relax_column_count: true,
    trim: false,
  }) as unknown as Line[];
  const header = (lines[0]?.record ?? []).map((cell) => cell.trim().toLowerCase());
  const at = (column: string) => header.indexOf(column);
  const cell = (cells: readonly string[], column: string) => cells[at(column)]?.trim() ?? '';
  const written = lines.slice(1).map(({ record, raw }) => {
    const [code, name] = [cell(record, 'code'), cell(record, 'name')];
    return { cells: record, raw, code, name, id: cell(record, 'id'), note: cell(record, 'note') };
  });
  const known = new Set(written.map(({ code }) => foldCode(code)));
  const counts = new Map(codes.map(({ code, count }) => [foldCode(code), count]));
  const missing = known.has('*')
    ? []
    : codes.filter(({ code }) => code.trim() !== '' && !known.has(foldCode(code)));
  const added = missing.map(({ code, count }) => {
    const cells = lineCells({ code: code.trim(), id: '', name: '', count, note: '' }, header);
    return { cells, raw: null, code: code.trim(), name: '', id: '', note: '' };
  });

  const all = [...written, ...added].map(({ code, name }) => ({ code, label: labelOf(code, name) }));
  const filled: { code: string; name: string; id: string }[] = [];
  const open: { code: string; count: number | null; note: string }[] = [];
  const texts = [...written, ...added].map((line) => {
    const { code, name, cells, raw } = line;
    if (code === '' || line.id !== '') return raw ?? '';
    const { id, note } = guessId(target, '', { code, label: labelOf(code, name) }, values, all);
    if (id === '') {
      open.push({ code, count: counts.get(foldCode(code)) ?? null, note: note || line.note });
      return raw ?? rowText(cells);
    }
    filled.push({ code, name, id });
    return rowText(cells.map((cell, index) => (index === at('id') ? id : cell)));
  });
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const body = [lines[0]?.raw ?? '', ...texts].map((line) => withoutBreak(line) + end).join('');
  return {
    text: (text.startsWith(BOM) ? BOM : '') + body,
    filled,
    added: added.map(({ code }) => code),
    open: open.toSorted((one, other) => (other.count ?? 0) - (one.count ?? 0)),
  };
}

interface Line {
  readonly record: readonly string[];
  readonly raw: string;
}

const BOM = '\uFEFF';

function rowText(cells: readonly string[]): string {
  return cells.map(cellText).join(',');
}

function withoutBreak(raw: string): string {
  return raw.replace(/[\r\n]+$/, '').replace(new RegExp(`^${BOM}`), '');
}

/** A name that repeats the code is none. */
function labelOf(code: string, name: string): string | null {
  return name === '' || foldCode(name) === foldCode(code) ? null : name;
}
