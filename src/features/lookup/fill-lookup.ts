import { parse } from 'csv-parse/sync';
import { foldCode, type ReferenceValue } from '../../core/entities/lookup.js';
import { cellText, guessId, lineCells } from '../init/write/lookup-files.js';

/** A code that rows have, with how many. */
export interface CodeCount {
  readonly code: string;
  readonly count: number;
}

interface FilledLookup {
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
 * column of the contract; `codes`: of the rows. A file with `*` says already what every other code is, so it gets none. Pure.
 */
export function fillLookup(
  text: string,
  target: string,
  { codes, values }: { readonly codes: readonly CodeCount[]; readonly values: readonly ReferenceValue[] },
): FilledLookup {
  const [head, ...body] = lookupLines(text);
  const header = (head?.cells ?? []).map((cell) => cell.trim().toLowerCase());
  const at = (column: string) => header.indexOf(column);
  const cell = (cells: readonly string[], column: string) => cells[at(column)]?.trim() ?? '';
  const counted = folded(codes);
  const written = body.map((line) => ({
    ...line,
    ...{ code: cell(line.cells, 'code'), name: cell(line.cells, 'name') },
    ...{ id: cell(line.cells, 'id'), note: cell(line.cells, 'note') },
  }));
  const known = new Set(written.map(({ code }) => foldCode(code)));
  const missing = known.has('*') ? [] : [...counted].filter(([code]) => code !== '' && !known.has(code));
  const end = head?.end === undefined || head.end === '' ? '\n' : head.end;
  const added = missing
    .map(([, { code, count }]) => ({ code, count }))
    .sort((one, other) => other.count - one.count)
    .map(({ code, count }) => {
      const cells = lineCells({ code, id: '', name: '', count, note: '' }, header);
      return { cells, text: rowText(cells), end, code, name: '', id: '', note: '' };
    });

  const all = [...written, ...added].map(({ code, name }) => ({ code, label: labelOf(code, name) }));
  const filled: { code: string; name: string; id: string }[] = [];
  const open: { code: string; count: number | null; note: string }[] = [];
  const complete = (line: (typeof added)[number] | (typeof written)[number]): string => {
    const { code, name } = line;
    if (code === '' || line.id !== '') return line.text;
    const { id, note } = guessId(target, '', { code, label: labelOf(code, name) }, values, all);
    if (id === '') {
      open.push({ code, count: counted.get(foldCode(code))?.count ?? null, note: note || line.note });
      return line.text;
    }
    filled.push({ code, name, id });
    // A line may be shorter than the header.
    const cells = header.map((_, index) => (index === at('id') ? id : (line.cells[index] ?? '')));
    return rowText([...cells, ...line.cells.slice(header.length)]);
  };
  const lines = written.map((line) => complete(line) + line.end);
  const last = added.length > 0 && !/[\r\n]$/.test(text) ? end : '';
  const more = added.map((line) => complete(line) + line.end);
  return {
    text: [text.startsWith(BOM) ? BOM : '', head?.text, head?.end, ...lines, last, ...more].join(''),
    filled,
    added: added.map(({ code }) => code),
    open: open.toSorted((one, other) => (other.count ?? 0) - (one.count ?? 0)),
  };
}

const BOM = '\uFEFF';

/** Codes that differ in case and blanks are one, as in a lookup. */
function folded(codes: readonly CodeCount[]): ReadonlyMap<string, CodeCount> {
  const counted = new Map<string, CodeCount>();
  for (const { code, count } of codes) {
    const key = foldCode(code);
    const before = counted.get(key);
    counted.set(key, { code: before?.code ?? code.trim(), count: (before?.count ?? 0) + count });
  }
  return counted;
}

function rowText(cells: readonly string[]): string {
  return cells.map(cellText).join(',');
}

/** A name that repeats the code is none. */
function labelOf(code: string, name: string): string | null {
  return name === '' || foldCode(name) === foldCode(code) ? null : name;
}

/** The lines of a lookup that `readLookup` takes, header first, each with its text as it stands there and how it ends. */
function lookupLines(
  csvText: string,
): readonly { readonly cells: readonly string[]; readonly text: string; readonly end: string }[] {
  const records = parse(csvText, { bom: true, raw: true, relax_column_count: true }) as unknown as {
    record: string[];
    raw: string;
  }[];
  let at = csvText.startsWith('\uFEFF') ? 1 : 0;
  return records.map(({ record: cells, raw }) => {
    const text = raw.replace(/[\r\n]+$/, '');
    at = csvText.indexOf(text, at) + text.length;
    const end = /^\r?\n?/.exec(csvText.slice(at))?.[0] ?? '';
    at += end.length;
    return { cells, text, end };
  });
}
