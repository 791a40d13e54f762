import { parse } from 'csv-parse/sync';
import { SyncError } from '../domain/errors.js';
import { uuidText } from '../domain/key/uuid-text.js';
import { foldCode } from './fold-code.js';
import type { Lookup } from './lookup.js';
import { holdsUuid } from './lookup-columns.js';

interface Line {
  readonly number: number;
  readonly cells: readonly string[];
}

/**
 * Reads a lookup: CSV with commas and a header that has `code` and `id` in any place and case; further columns are
 * ignored. A byte order mark, quoted cells, CRLF and rows of blank cells only (as spreadsheets append) are taken.
 *
 * @param file the file as the configuration names it, for messages
 * @param column the row's column that the lookup is for. When given, and the platform wants a UUID there, every id
 * must be a UUID, empty or `-`; otherwise that is judged when a code is looked up.
 * @throws SyncError `config-invalid` of scope `usage`, naming file and line: no header, codes that are equal once
 * trimmed and case-folded, an empty code, an id that is no UUID, broken quotes. All wrong lines are named together.
 */
export function readLookup(csvText: string, file: string, column?: string): Lookup {
  const [header, ...rows] = readLines(csvText, file);
  if (header === undefined) throw invalid(file, 'is empty: it needs a header line with code and id');
  const codeAt = columnAt(header, 'code', file);
  const idAt = columnAt(header, 'id', file);
  const idsAreUuids = column !== undefined && holdsUuid(column);
  const entries = new Map<string, string>();
  const seenAt = new Map<string, number>();
  const problems: string[] = [];
  for (const { number, cells } of rows) {
    const code = (cells[codeAt] ?? '').trim();
    const id = (cells[idAt] ?? '').trim();
    const folded = foldCode(code);
    const earlier = seenAt.get(folded);
    if (folded === '') problems.push(`line ${String(number)}: the code is empty`);
    else if (earlier !== undefined)
      problems.push(
        `lines ${String(earlier)} and ${String(number)} have the same code ${shown(code)} (case and blanks do not count)`,
      );
    else if (idsAreUuids && id !== '' && id !== '-' && uuidText(id) === null)
      problems.push(`line ${String(number)}: the id ${shown(id)} is not a UUID, empty or -`);
    else {
      seenAt.set(folded, number);
      entries.set(folded, id);
    }
  }
  if (problems.length > 0) throw invalid(file, listed(problems));
  return { file, entries };
}

/** Lines with at least one cell that is not blank, each with the number of its last line in the file. */
function readLines(csvText: string, file: string): readonly Line[] {
  try {
    const records = parse(csvText, {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    });
    return (records as unknown as { record: string[]; info: { lines: number } }[])
      .map(({ record, info }) => ({ number: info.lines, cells: record }))
      .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  } catch (error) {
    throw invalid(file, `is not readable as CSV: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function columnAt(header: Line, name: string, file: string): number {
  const names = header.cells.map((cell) => cell.trim().toLowerCase());
  const first = names.indexOf(name);
  if (first === -1) {
    const separator = /[;\t]/.exec(header.cells.join(','))?.[0];
    const cure =
      separator === undefined
        ? 'the first line must name the columns, among them code and id'
        : `its columns are separated by ${separator === ';' ? 'semicolons' : 'tabs'}; save it as CSV with commas`;
    throw invalid(file, `line ${String(header.number)}: the header has no column ${name}: ${cure}`);
  }
  if (names.lastIndexOf(name) !== first) {
    throw invalid(file, `line ${String(header.number)}: the header has two columns ${name}`);
  }
  return first;
}

function shown(cell: string): string {
  return JSON.stringify(cell.slice(0, 80).toWellFormed());
}

/** The first twenty, so that a file that is wrong as a whole does not fill the screen. */
function listed(problems: readonly string[]): string {
  const more = problems.length - 20;
  return problems.slice(0, 20).join('; ') + (more > 0 ? `; and ${String(more)} more` : '');
}

function invalid(file: string, message: string): SyncError {
  return new SyncError('config-invalid', `${file}: ${message}`, { scope: 'usage', details: { file } });
}
