import { parse } from 'csv-parse/sync';
import { SyncError } from '../domain/errors.js';
import { uuidText } from '../domain/key/uuid-text.js';
import { foldCode } from './fold-code.js';
import type { DashRefusal, Lookup } from './lookup.js';
import { holdsList, holdsUuid } from './lookup-columns.js';

/** What a lookup is for. */
export interface LookupUse {
  readonly column: string;
  /** Whether a row must fill the column. */
  readonly required: boolean;
  /** What to write into the configuration so that it need not; null: it always must. */
  readonly wayOut?: string | null;
  /** Why the file refuses `-`, also for another entity; null: it does not. */
  readonly dashRefused?: DashRefusal | null;
}

interface Line {
  readonly number: number;
  readonly cells: readonly string[];
}

/**
 * Reads a lookup: CSV with commas and a header that has `code` and `id` in any place and case; a column
 * `name` is for messages, further columns are ignored. A byte order mark, quoted cells, CRLF and rows of blank cells only (as spreadsheets append) are taken.
 *
 * @param file the file as the configuration names it, for messages
 * @param use the row's column that the lookup is for. Where the platform wants a UUID there, every id must be a
 * UUID, empty or `-`; where a row must fill it, `-` (leave the field out) is refused. Without it, both are judged
 * when a code is looked up.
 * @throws SyncError `config-invalid` of scope `usage`, naming file and line: no header, codes that are equal once
 * trimmed and case-folded, an empty code, an id that is not allowed, broken quotes. All wrong lines are named
 * together.
 */
export function readLookup(csvText: string, file: string, use?: LookupUse): Lookup {
  const [header, ...rows] = readLines(csvText, file);
  if (header === undefined) throw invalid(file, 'is empty: it needs a header line with code and id');
  const codeAt = columnAt(header, 'code', file);
  const idAt = columnAt(header, 'id', file);
  const nameAt = header.cells.findIndex((cell) => cell.trim().toLowerCase() === 'name');
  const names = new Map<string, string>();
  const idsAreUuids = use !== undefined && holdsUuid(use.column);
  // A skill that is left out leaves the others.
  const mustFill = use?.required === true && !holdsList(use.column);
  const entries = new Map<string, string>();
  const seenAt = new Map<string, number>();
  const problems: string[] = [];
  let refused = false;
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
    else if (mustFill && id === '-') {
      refused = true;
      problems.push(
        `line ${String(number)}: the id of ${shown(code)} is -, but ${use.column} is required and cannot be left out`,
      );
    } else {
      seenAt.set(folded, number);
      entries.set(folded, id);
      const name = (cells[nameAt] ?? '').trim();
      if (name !== '') names.set(folded, name);
    }
  }
  // The same file may serve another entity, where the column may be absent.
  const instead =
    refused && use?.wayOut
      ? `. ${use.wayOut}. If another entity shares the file: give each a file of its own`
      : '';
  if (problems.length > 0) throw invalid(file, listed(problems) + instead);
  const named = names.size > 0 ? { names } : {};
  const codesAreUuids = [...entries.keys()].some((code) => uuidText(code) !== null);
  return {
    file,
    entries,
    ids: new Set([...entries.values()].flatMap((id) => uuidText(id) ?? [])),
    ...(codesAreUuids ? { codesAreUuids } : {}),
    ...named,
    ...(use?.dashRefused ? { dashRefused: use.dashRefused } : {}),
  };
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
    throw invalid(file, csvProblem(error));
  }
}

const QUOTE_PROBLEMS: Readonly<Record<string, string>> = {
  INVALID_OPENING_QUOTE:
    'a quote (") stands in the middle of a cell; put the whole cell in quotes and write each quote in it twice',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote ("); write each quote inside of a cell twice',
  CSV_QUOTE_NOT_CLOSED: 'a quote (") is open until the end of the file; close it on its line',
};

/** What is wrong with the quotes, in plain words; the parser's own message may come from any version of it. */
function csvProblem(error: unknown): string {
  const { code = '', lines } = error as { readonly code?: string; readonly lines?: number };
  const sentence = QUOTE_PROBLEMS[code] ?? `is not readable as CSV (${code})`;
  return lines === undefined || code === 'CSV_QUOTE_NOT_CLOSED'
    ? sentence
    : `line ${String(lines)}: ${sentence}`;
}

function columnAt(header: Line, name: string, file: string): number {
  const names = header.cells.map((cell) => cell.trim().toLowerCase());
  const first = names.indexOf(name);
  if (first === -1) {
    const separator = /[;\t]/.exec(header.cells.join(','))?.[0];
    const hint =
      separator === undefined
        ? 'the first line must name the columns, among them code and id'
        : `its columns are separated by ${separator === ';' ? 'semicolons' : 'tabs'}; save it as CSV with commas`;
    throw invalid(file, `line ${String(header.number)}: the header has no column ${name}: ${hint}`);
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
