import { parse } from 'csv-parse/sync';
import { SyncError } from '../domain/errors.js';
import { uuidText } from '../domain/key.js';
import { differenceOf, foldForm } from '../domain/near-miss.js';
import { fault, type Fault, type Reading } from './values.js';

/**
 * Lookups: CSV files that turn the partner's codes into ids of the platform. Read and checked as a whole
 * (`readLookup`), then asked for one code after the other while rows are mapped.
 */

/** An entity that must fill a column, for which the lookup therefore may not leave a field out. */
export interface DashRefusal {
  readonly entity: string;
  readonly column: string;
  /** What to write into the configuration so that it need not fill it; null: nothing helps. */
  readonly wayOut: string | null;
}

/**
 * Table from the partner's code to the platform's reference id (or word). Made by `readLookup` from CSV.
 * `file` is as the configuration names it, for messages; the fingerprint uses `entries` only.
 */
export interface Lookup {
  /** The entity that shares the file and must fill the column, so that the file refuses `-`; null: it does not. */
  readonly dashRefused?: DashRefusal | null;
  readonly file: string;
  /**
   * Key: the folded code (trimmed, inner blanks collapsed, case-folded), `*` for every other code. Value: the `id`
   * cell.
   */
  readonly entries: ReadonlyMap<string, string>;
  /** The line of each folded code. */
  readonly lines?: ReadonlyMap<string, number>;
  /** Whether some code is a UUID: then a UUID that is not listed is the partner's own, and no id of the platform. */
  readonly codesAreUuids?: boolean;
  /** The UUIDs of its column `id`, in lower case. */
  readonly ids?: ReadonlySet<string>;
  /** What a person calls a code, from a column `name` of the file, by folded code; absent: the file has none. */
  readonly names?: ReadonlyMap<string, string>;
}

/** What a lookup is for. */
interface LookupUse {
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
 * Reads a lookup: CSV with commas and a header that has `code` and `id` in any place and case; a column `name` is for
 * messages, further columns are ignored. A byte order mark, quoted cells, CRLF and rows of blank cells only (as
 * spreadsheets append) are taken.
 *
 * @param file the file as the configuration names it, for messages
 * @param use the row's column that the lookup is for. Where the platform wants a UUID there, every id must be a UUID,
 * empty or `-`; where a row must fill it, `-` (leave the field out) is refused. Without it, both are judged when a code
 * is looked up.
 * @throws SyncError `config-invalid` of scope `usage`, naming file and line: no header, codes that are equal once
 * trimmed and case-folded, an empty code, an id that is not allowed, broken quotes. All wrong lines are named together.
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
    lines: seenAt,
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

/**
 * Turns the partner's code into what the platform knows.
 *
 * An entry of the code itself comes first, so that a partner whose own codes are UUIDs can map them; then, where
 * the platform wants a UUID, a code that is one passes, unless codes of the file are UUIDs: an unlisted one is then a
 * new code of the partner, which the platform would take for another id; then the entry `*` for every other code.
 * A UUID that passes and that nobody lists is doubtful: a partner whose keys are UUIDs may return such a key instead of
 * a code.
 *
 * @param idIsUuid whether the platform wants a UUID here, or a word
 * @param known what the platform's reference data has for the column; undefined: nothing is doubted
 * @returns the id (a UUID in lower case), or null when the entry says `-`: leave the field out. Faults: `unmapped`
 * without an entry, `undecided` with an empty one, `format` when the entry should be a UUID and is not.
 */
export function lookupCode(
  code: string,
  lookup: Lookup,
  idIsUuid: boolean,
  known?: ReadonlySet<string>,
): Reading<string | null> {
  const own = lookup.entries.get(foldCode(code));
  const passing =
    own === undefined && idIsUuid && lookup.codesAreUuids !== true ? uuidText(code.trim()) : null;
  if (passing !== null) {
    const isListed = known === undefined || known.has(passing) || lookup.ids?.has(passing) === true;
    return isListed ? { value: passing } : { value: passing, warning: unlisted(lookup) };
  }
  const id = own ?? lookup.entries.get('*');
  const { file } = lookup;
  const cut = code.trim().slice(0, 80);
  const shown = JSON.stringify(cut);
  // A database can store it.
  const found = cut.toWellFormed().replaceAll('\0', '\uFFFD');
  if (id === undefined) {
    const near = nearLine(code, lookup);
    if (near !== null) return fault('format', `the code ${shown} is not in ${file}, but ${near}`, ALIKE);
    const todo = { lookup: { code: found, todo: 'add', file } } as const;
    return fault('unmapped', `the code ${shown} is not in ${file}`, `to ${file}.`, todo);
  }
  if (id === '') {
    const todo = { lookup: { code: found, todo: 'fill', file } } as const;
    return fault('undecided', `the code ${shown} has no id in ${file} yet`, undecidedHint(lookup), todo);
  }
  if (id === '-') return { value: null };
  if (!idIsUuid) return { value: id };
  const uuid = uuidText(id);
  if (uuid !== null) return { value: uuid };
  const common = `the id of the code "…" in ${file} is not a UUID`;
  return fault(
    'format',
    common.replace('"…"', () => shown),
    `Correct it in ${file}.`,
    { common },
  );
}

const ALIKE =
  'Write the code alike in the file and in the source; in the query for instance trim(), normalize() or ltrim().';

/** The folded codes of a lookup by their form, made at the first code that is not found. */
const forms = new WeakMap<Lookup, ReadonlyMap<string, string>>();

/** The line whose code differs only in its form; null: there is none. */
function nearLine(code: string, lookup: Lookup): string | null {
  const known =
    forms.get(lookup) ?? new Map([...lookup.entries.keys()].map((each) => [foldForm(each), each] as const));
  forms.set(lookup, known);
  const other = known.get(foldForm(code));
  const line = other === undefined ? undefined : lookup.lines?.get(other);
  if (other === undefined || line === undefined) return null;
  return `line ${String(line)} differs from it only by ${differenceOf(foldCode(code), other).text}`;
}

/** Without the UUID, so that all of a column are one group. */
function unlisted({ file }: Lookup): Fault {
  return {
    code: 'doubtful',
    message: `is a UUID that is neither in ${file} nor in the platform's reference data, and is sent as it is`,
    hint: `If it is a code of your own, add it to ${file} with the platform's id. If it is a new id of the platform, leave it.`,
  };
}

/** A file that another entity shares refuses `-` if that one must fill the column. */
function undecidedHint({ file, dashRefused }: Lookup): string {
  if (!dashRefused) return `in ${file}, or put - to leave the field out.`;
  const { entity, column, wayOut } = dashRefused;
  const own = `in ${file}. To leave the field out with -, use a file of its own: ${file} refuses - because ${entity} require ${column}.`;
  return wayOut === null ? own : `${own} ${wayOut}.`;
}

/** Columns whose value is a UUID from the platform's catalogue. A lookup of any other column gives the platform's word. */
const UUID_COLUMNS: ReadonlySet<string> = new Set([
  'industry',
  'region_id',
  'job_type',
  'job_function',
  'min_education',
]);

/** Whether a column holds a list, of which a lookup may leave out single elements. */
export function holdsList(column: string): boolean {
  return column === 'skills';
}

/** Whether a lookup for this column must hold UUIDs in its `id` column. */
export function holdsUuid(column: string): boolean {
  return UUID_COLUMNS.has(column);
}

/**
 * The form in which codes are compared: trimmed, inner blanks collapsed, case folded. Upper case first, so that
 * `ß` and `SS`, or `σ` and final `ς`, fold to one.
 */
export function foldCode(code: string): string {
  return code.trim().replace(/\s+/g, ' ').toUpperCase().toLowerCase();
}

/** One value of the platform's catalogue. */
export interface ReferenceValue {
  readonly code: string;
  readonly id: string;
  readonly name: string;
}

/** The values of a file of `config/reference`: columns `code`, `id` and `name`. */
export function readReference(csvText: string): readonly ReferenceValue[] {
  return parse(csvText, { bom: true, columns: true, skip_empty_lines: true }) as unknown as ReferenceValue[];
}
