import { visibleText, withoutFormula } from '../../../core/domain/text.js';
import { foldCode as fold, type ReferenceValue } from '../../../core/entities/lookup.js';
import {
  type Guess,
  guessCity,
  guessCountry,
  guessCurrency,
  guessWord,
  type References,
  UNKNOWN,
} from '../guess-ids.js';
import { areAllRowsCounted, type QueryFacts } from '../map/look-at-values.js';
import type { DraftColumn, DraftQuery, ValueCount } from '../map/draft-query.js';

/**
 * Lookups of a draft: the codes that the partner's rows have, each with the platform's id where its name leaves no
 * doubt. Codes of one source share a file (`lookupFiles`); `csvText` writes it.
 */

/** A drafted lookup. */
export interface LookupFile {
  /** Below the configuration: `reference/cities.csv`. */
  readonly path: string;
  readonly column: string;
  readonly lines: readonly LookupLine[];
  /** How many records of each entity have a code with an id. */
  readonly uses: readonly LookupCoverage[];
}

interface LookupLine extends Guess {
  readonly code: string;
  readonly name: string;
  readonly count: number;
}

interface LookupCoverage {
  readonly entity: string;
  /** With a code. */
  readonly records: number;
  /** Whose code has an id. */
  readonly decided: number;
  /** False: only the first rows of the table were counted, so the file may lack codes. */
  readonly complete: boolean;
}

/** One file for each set of codes of a column: two entities with the same codes share it. */
export function lookupFiles(
  queries: readonly { readonly query: DraftQuery; readonly facts: QueryFacts }[],
  references: References,
): readonly LookupFile[] {
  const all = queries.flatMap(({ query, facts }): Use[] => {
    // A line that is offered has its lookup, too: so it works when it is uncommented.
    const used = query.columns.map((column) => ({ column, counts: facts.codes.get(column.target) }));
    return [...used, ...query.offers.flatMap(({ coded }) => coded ?? [])].flatMap(({ column, counts }) => {
      if (!column.codes || !counts?.some(({ value }) => value !== null) || isUsual(column.target, counts))
        return [];
      const source = `${column.target} ${isPlaceName(column) ? 'text' : column.codes.id}`;
      return [{ source, entity: query.entity, column, counts }];
    });
  });
  return [...new Set(all.map(({ source }) => source))].map((source): LookupFile => {
    const uses = all.filter((use) => use.source === source);
    const target = uses[0]?.column.target ?? '';
    const isAlone = all.every((use) => use.column.target !== target || use.source === source);
    const name = `${isAlone ? '' : `${uses.map(({ entity }) => entity).join('-')}-`}${FILES[target] ?? target}`;
    const lines = linesOf(target, uses, references.get(target) ?? []);
    const idOf = new Map(lines.map(({ code, id }) => [fold(code), id]));
    return {
      path: `reference/${name}.csv`,
      column: target,
      lines,
      uses: uses.map(({ entity, counts }) => {
        const filled = counts.filter(({ value }) => value !== null && value.trim() !== '');
        const sum = (some: readonly ValueCount[]) => some.reduce((total, { count }) => total + count, 0);
        return {
          entity,
          records: sum(filled),
          decided: sum(filled.filter(({ value }) => (idOf.get(fold(value ?? '')) ?? '') !== '')),
          complete: areAllRowsCounted(counts),
        };
      }),
    };
  });
}

const FILES: Readonly<Record<string, string>> = {
  region_id: 'cities',
  region_country_code: 'countries',
  industry: 'industries',
  job_type: 'job-types',
  job_function: 'job-functions',
  min_education: 'education-levels',
  gender: 'gender',
  marital: 'marital',
  media: 'media',
  difficulty_level: 'difficulty-levels',
  min_salary_currency: 'currencies',
  max_salary_currency: 'currencies',
};

interface Use {
  /** Uses of one source share a file. */
  readonly source: string;
  readonly entity: string;
  readonly column: DraftColumn;
  readonly counts: readonly ValueCount[];
}

/** Names of places mean the same wherever they stand. */
function isPlaceName({ target, column, codes }: DraftColumn): boolean {
  return target.startsWith('region_') && column?.kind === 'text' && codes?.labelSql === null;
}

function isUsual(target: string, counts: readonly ValueCount[]): boolean {
  const usual = USUAL[target];
  return usual !== undefined && counts.every(({ value }) => value === null || usual.test(value));
}

/** Their codes are the platform's words already, where the partner uses the usual ones. */
const USUAL: Readonly<Record<string, RegExp>> = {
  min_salary_currency: /^[A-Z]{3}$/,
  max_salary_currency: /^[A-Z]{3}$/,
};

function linesOf(
  target: string,
  uses: readonly Use[],
  values: readonly ReferenceValue[],
): readonly LookupLine[] {
  const lines = new Map<string, { code: string; name: string; count: number }>();
  for (const { column, counts } of uses) {
    for (const { value, label, count } of counts) {
      if (value === null || value.trim() === '') continue;
      const line = lines.get(fold(value)) ?? { code: value.trim(), name: label?.trim() ?? '', count: 0 };
      line.count += count;
      lines.set(fold(value), line);
    }
    for (const allowed of column.codes?.allowed ?? [])
      if (allowed.trim() !== '' && !lines.has(fold(allowed)))
        lines.set(fold(allowed), { code: allowed.trim(), name: '', count: 0 });
  }
  const from = uses[0]?.column.from ?? '';
  const all = [...lines.values()].map((line) => ({ ...line, label: labelOf(line) }));
  return all
    .map(({ label, ...line }): LookupLine => ({
      ...line,
      ...guessId(target, from, { code: line.code, label }, values, all),
    }))
    .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
}

interface Named {
  readonly code: string;
  /** Null: the code has no name. */
  readonly label: string | null;
}

/** A name that repeats the code is none. */
function labelOf({ code, name }: { readonly code: string; readonly name: string }): string | null {
  return name === '' || fold(name) === fold(code) ? null : name;
}

/** The id of a code of `target`. `from`: the partner's column; `all`: every code of it. */
export function guessId(
  target: string,
  from: string,
  { code, label }: Named,
  values: readonly ReferenceValue[],
  all: readonly Named[],
): Guess {
  if (code === '*') return { id: '', note: 'in a lookup * stands for every other code' };
  if (target === 'region_country_code') return guessCountry(code, label);
  if (target in USUAL) return guessCurrency(code, label);
  if (target === 'region_id') return guessCity(code, label, values);
  if (label !== null) return guessWord(target, code, label, values);
  // The column's name says what its yes means.
  if (target === 'media' && /online|daring|remote|virtual/i.test(from) && /^(true|false)$/.test(code))
    return { id: code === 'true' ? 'online' : 'offline', note: '' };
  // P beside L is perempuan; alone it could be pria.
  if (target === 'gender' && fold(code) === 'p')
    return all.some(isMan) ? { id: 'female', note: '' } : UNKNOWN;
  // Numbers without names: only the application knows.
  return /^-?\d+$/.test(code) ? UNKNOWN : guessWord(target, code, null, values);
}

/** L for laki-laki, unless its name says otherwise. */
function isMan({ code, label }: Named): boolean {
  return ['l', 'laki-laki'].includes(fold(code)) && guessWord('gender', code, label, []).id === 'male';
}

/** Which lookups an entity of the draft uses: column and file. */
export function lookupsOf(
  files: readonly LookupFile[],
  entity: string,
): readonly { readonly column: string; readonly path: string }[] {
  return files
    .filter(({ uses }) => uses.some((use) => use.entity === entity))
    .map(({ column, path }) => ({ column, path }));
}

/**
 * A lookup as CSV: every code with its id (empty: undecided), its name, how many records have it, and a note. Names come
 * from the partner's rows, so they cannot act in a spreadsheet or on a terminal; a code has to stay as it is.
 */
export function csvText({ lines }: Pick<LookupFile, 'lines'>): string {
  const rows = lines.map((line) => lineCells(line, HEADER).map(cellText).join(','));
  return [HEADER.join(','), ...rows, ''].join('\n');
}

const HEADER = ['code', 'id', 'name', 'count', 'note'];

/** A line as cells of a file with this header; an unknown column is empty. */
export function lineCells(line: LookupLine, header: readonly string[]): string[] {
  const cells: Readonly<Record<string, string>> = {
    ...{ code: oneLine(line.code), id: line.id, name: harmless(line.name) },
    ...{ count: String(line.count), note: harmless(noteOf(line)) },
  };
  return header.map((column) => cells[column] ?? '');
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

function harmless(text: string): string {
  return withoutFormula(visibleText(oneLine(text)));
}

/** The blanks of a code do not count. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}

/** A cell of CSV. */
export function cellText(text: string): string {
  return /[",;\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
