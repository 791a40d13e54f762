import type { CatalogColumn } from '../../catalog/catalog.js';
import { mayHoldPeople } from '../../init/words.js';
import { escapePattern, nameOf, queryTokens } from './query-shape.js';

/**
 * What the words of a query say about it, as far as they are certain: which table a condition is about, whether the
 * present time or a flag decides, what its comments answer, which questions of a draft are still open.
 */

/** A table of a FROM as conditions name it. */
export interface NamedColumns {
  readonly alias: string;
  /** Empty: not known. */
  readonly columns: readonly string[];
}

interface ConditionKinds {
  /** About the one table alone. */
  readonly own: readonly string[];
  /** About several tables: in a list of tables they are what joins these. */
  readonly joining: readonly string[];
}

/** Sorts the conditions of a WHERE by the tables that they name; those of one other table are left out. */
export function conditionKinds(
  conditions: readonly string[],
  one: NamedColumns,
  others: readonly NamedColumns[],
): ConditionKinds {
  const all = [one, ...others];
  const own = conditions.filter((condition) => concernsOnly(condition, one, all));
  const joining = conditions.filter(
    (condition) => !own.includes(condition) && !others.some((other) => concernsOnly(condition, other, all)),
  );
  return { own, joining };
}

/** Whether a condition is about one of the tables alone. */
export function isAboutOne(condition: string, tables: readonly NamedColumns[]): boolean {
  return tables.some((table) => concernsOnly(condition, table, tables));
}

/** Whether a condition is about this table of a FROM alone, as far as its names say. */
export function concernsOnly(
  condition: string,
  table: NamedColumns,
  tables: readonly NamedColumns[],
): boolean {
  const others = tables.filter((each) => each !== table);
  const otherAliases = new Set(others.map(({ alias }) => alias));
  const otherColumns = new Set(others.flatMap(({ columns }) => columns));
  const tokens = queryTokens(condition);
  return tokens.every((token, index) => {
    const name = nameOf(token);
    if (name === null || tokens[index - 1]?.text === '.') return true;
    const next = tokens[index + 1]?.text;
    if (next === '.') return !otherAliases.has(name);
    return next === '(' || table.columns.includes(name) || !otherColumns.has(name);
  });
}

const FUNCTIONS = new Set([
  'now',
  'clock_timestamp',
  'statement_timestamp',
  'transaction_timestamp',
  'timeofday',
]);
const WORDS = new Set(['current_date', 'current_timestamp', 'localtimestamp']);
const CLAUSES = new Set([
  'select',
  'from',
  'where',
  'group',
  'having',
  'order',
  'limit',
  'on',
  'window',
  'set',
]);

/**
 * Whether a WHERE, HAVING or ON of the query compares with the present time, so that records leave it by themselves. One
 * that lets them in when their time comes (`opens <= now()`) is none.
 */
export function hasExpiryCondition(sql: string): boolean {
  const clauses: string[] = [];
  const tokens = queryTokens(sql);
  return tokens.some(({ kind, text, depth, start, end }, index) => {
    clauses.length = depth + 1;
    if (kind === 'text') return /^'(now|today|tomorrow|yesterday)'$/i.test(text) && isCondition(clauses);
    if (kind !== 'word') return false;
    if (CLAUSES.has(text)) clauses[depth] = text;
    const isCall = FUNCTIONS.has(text) && tokens[index + 1]?.text === '(';
    const last = tokens[index + (isCall ? 2 : 0)];
    return (isCall || WORDS.has(text)) && isCondition(clauses) && !letsIn(sql, start, last?.end ?? end);
  });
}

/** `opens <= now()`, `cast(now() as date) >= opens`: what stands on the other side is over, and stays so. */
function letsIn(sql: string, start: number, end: number): boolean {
  const before = sql.slice(0, start).replace(/(?:\b(?:cast|date)?\s*\(\s*)+$/i, '');
  const after = sql.slice(end).replace(/^\s*(?:::\s*\w+|as\s+\w+\s*\)|\))+/i, '');
  return /<=?\s*$/.test(before) || /^\s*>=?/.test(after);
}

/** The innermost clause of a SELECT counts: a SELECT list within WHERE is none. */
function isCondition(clauses: readonly (string | undefined)[]): boolean {
  const innermost = clauses.findLast((clause) => clause !== undefined);
  return innermost !== undefined && ['where', 'having', 'on'].includes(innermost);
}

/** Names of columns that often say whether a record is published or deleted, in English and Indonesian. */
const FLAG =
  /(^|_)(status|state)(_|$)|deleted|discard|archiv|publish|(^|_)(in)?activ(e|ated?)|is_?activ|draft|visib|confirm|approv|verif|moderat|hidden|withdraw|revok|suspend|frozen|blacklist|cancel|(^|_)(stage|phase)(_|$)|aktif|tayang|terbit|tampil|hapus|publik|(^|_)type$/i;
/** Names that have a flag's word and hold something else. */
const OTHER = /token|code|hash|password|secret|mail|phone|path|url|(^|_)by(_|$)|_id$/i;

/** Whether a column may say if a record is to be shown, by its name. One with names of people is none. */
export function looksLikeFlag(column: Pick<CatalogColumn, 'name' | 'kind'>): boolean {
  return FLAG.test(column.name) && !OTHER.test(column.name) && !mayHoldPeople(column);
}

/** A condition that a draft offers, and that nobody has uncommented. */
const COMMENTED_OUT = /^[ \t]*--[ \t]*and\b.*$/gim;

/**
 * Whether a query names a column anywhere, also in a comment: whoever mentions it has seen it. Not where it only names a
 * result (`'open' as status`), not the column of another table of the same FROM, and not in a condition that is still
 * commented out.
 */
export function mentions(
  sql: string,
  column: string,
  otherAliases: ReadonlySet<string> = new Set(),
): boolean {
  const name = escapePattern(column);
  const text = sql.replace(COMMENTED_OUT, '');
  return [...text.matchAll(new RegExp(`(?<![\\w$])${name}(?![\\w$])`, 'gi'))].some(({ index }) => {
    const [, as, qualifier] = IN_FRONT.exec(text.slice(Math.max(0, index - NEAR), index)) ?? [];
    return as === undefined && !otherAliases.has(qualifier?.toLowerCase() ?? '');
  });
}

/** `as`, and the table that a column belongs to. */
const IN_FRONT = /(\bas\s+)?(?:"?([\w$]+)"?\s*\.\s*)?"?$/i;
/** Characters in front of a name in which these are looked for: a query may have a long text in it. */
const NEAR = 200;

/** Whether a comment of the query says `join NAME`: that this join leaves rows out on purpose. */
export function leftOutOnPurpose(sql: string, names: readonly string[]): boolean {
  let end = 0;
  const gaps = queryTokens(sql).map((token) => {
    const gap = sql.slice(end, token.start);
    end = token.end;
    return gap;
  });
  const comments = [...gaps, sql.slice(end)].join('\n');
  return names.some((name) => {
    const pattern = escapePattern(name);
    return new RegExp(`\\bjoin\\s+${pattern}(?![\\w$.])`, 'i').test(comments);
  });
}

/** A question that nobody has answered. */
export interface OpenDecision {
  readonly question: string;
  /** In the query's text, from 1. */
  readonly line: number;
  /** The column of the result that it is about; null: a condition, or the query as a whole. */
  readonly column: string | null;
  /** What is offered below it, still commented out. */
  readonly offered: 'condition' | 'column' | null;
}

const QUESTION = /^(.*?)--\s*decide:\s*(.*)$/i;
const COMMENT = /^\s*--\s?(.*)$/;
/** The condition or the column that a draft offers, still commented out. */
const CONDITION = /^\s*--\s*and\b/i;
const RESULT = /^\s*--\s*\S.* as \w+,$/i;
const TAKEN = /^\s*and\b/i;
const FIRST_RESULT = /\bas\s+"?(\w+)"?\s*(?:,|--|$)/i;
const LAST_RESULT = /\bas\s+"?(\w+)"?\s*(?:,\s*)?$/i;
/** Not in the list of columns: it begins, or is over. */
const NO_COLUMN = /^\s*(select|from|where|left|join|group)\b/i;
const LONGEST_EXPRESSION = 20;

/**
 * The questions of a drafted query that nobody has answered: its comments with `decide:`. One whose condition is no longer
 * commented out is answered.
 */
export function openDecisions(sql: string): readonly OpenDecision[] {
  const lines = sql.split(/\r?\n/);
  return lines.flatMap((line, at) => {
    const [, before = '', begin] = QUESTION.exec(line) ?? [];
    if (begin === undefined) return [];
    const rest: string[] = [];
    let next = at + 1;
    for (; next < lines.length && continues(lines[next] ?? ''); next += 1)
      rest.push(COMMENT.exec(lines[next] ?? '')?.[1]?.trim() ?? '');
    if (before.trim() === '' && TAKEN.test(lines[next] ?? '')) return [];
    const offered = offeredBy(lines[next] ?? '');
    const column =
      offered !== null
        ? null
        : (LAST_RESULT.exec(before)?.[1] ?? columnBelow(lines.slice(next, next + LONGEST_EXPRESSION)));
    return [{ question: [begin.trim(), ...rest].join(' '), line: at + 1, column, offered }];
  });
}

/** A long question goes on in the next comment. */
function continues(line: string): boolean {
  return COMMENT.test(line) && !QUESTION.test(line) && offeredBy(line) === null;
}

function offeredBy(line: string): OpenDecision['offered'] {
  if (CONDITION.test(line)) return 'condition';
  return RESULT.test(line) ? 'column' : null;
}

/** The name of the first column in these lines of the list; its expression may take several. */
function columnBelow(lines: readonly string[]): string | null {
  for (const line of lines) {
    if (NO_COLUMN.test(line)) return null;
    const column = COMMENT.test(line) ? undefined : FIRST_RESULT.exec(line)?.[1];
    if (column !== undefined) return column;
  }
  return null;
}

/** Aggregates whose result depends on the order of their rows. */
const ORDERED = new Set([
  'string_agg',
  'array_agg',
  'json_agg',
  'jsonb_agg',
  'json_object_agg',
  'jsonb_object_agg',
  'xmlagg',
]);

/** The aggregates of a query that have no ORDER BY, each once; `array` for `array(select …)`. */
export function unorderedAggregates(sql: string): readonly string[] {
  const tokens = queryTokens(sql);
  const found = new Set<string>();
  tokens.forEach(({ kind, text }, index) => {
    const open = tokens[index + 1];
    if (kind !== 'word' || open?.text !== '(') return;
    const isArray = text === 'array' && tokens[index + 2]?.text === 'select';
    if (!ORDERED.has(text) && !isArray) return;
    const close = tokens.findIndex(
      ({ text: sign, depth }, at) => at > index + 1 && sign === ')' && depth === open.depth,
    );
    const inside = tokens.slice(index + 2, close === -1 ? undefined : close);
    // For DISTINCT, Postgres (13 to 18) sorts the values inside of the aggregate and never hashes them, whatever the plan
    // around it: they come in the order of their type. Only values that are equal and look different (1.0 and 1.00) may
    // change, and the second plan of the check shows these. A SELECT DISTINCT may be hashed, so its order is open.
    const ordered = inside.some(
      ({ text: word, depth }, at) =>
        depth === open.depth + 1 && (word === 'order' || (at === 0 && word === 'distinct')),
    );
    if (!ordered) found.add(text);
  });
  return [...found];
}
