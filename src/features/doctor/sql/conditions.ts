import { closeOf, escapePattern, queryTokens } from './query-shape.js';

/**
 * What the words of a query say about it, as far as they are certain: what its comments answer, which questions of a
 * draft are still open.
 */

/** A condition that a draft offers, and that nobody has uncommented. */
const COMMENTED_OUT = /^[ \t]*--[ \t]*and\b.*$/gim;

/** Whether a query names a table or column anywhere, also in a comment, but not only as a result (`'open' as status`). */
export function mentions(sql: string, name: string): boolean {
  const text = sql.replace(COMMENTED_OUT, '');
  const found = text.matchAll(new RegExp(`(?<![\\w$])${escapePattern(name)}(?![\\w$])`, 'gi'));
  return [...found].some(({ index }) => !/\bas\s+"?$/i.test(text.slice(Math.max(0, index - NEAR), index)));
}

/** Characters in front of a name in which these are looked for: a query may have a long text in it. */
const NEAR = 20;

/** The comments of a query, without conditions that are commented out. */
function commentsOf(sql: string): string {
  let end = 0;
  const gaps = queryTokens(sql).map((token) => {
    const gap = sql.slice(end, token.start);
    end = token.end;
    return gap;
  });
  return [...gaps, sql.slice(end)].join('\n').replace(COMMENTED_OUT, '');
}

/** Whether a comment of the query says `join NAME`: that this join leaves rows out on purpose. */
export function leftOutOnPurpose(sql: string, names: readonly string[]): boolean {
  const comments = commentsOf(sql);
  return names.some((name) => new RegExp(`\\bjoin\\s+${escapePattern(name)}(?![\\w$.])`, 'i').test(comments));
}

/** Whether a comment of the query names a column: whoever wrote it has seen what is in it. */
export function isAnswered(sql: string, column: string): boolean {
  return new RegExp(`(?<![\\w$])${escapePattern(column)}(?![\\w$])`, 'i').test(commentsOf(sql));
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
const RESULT = /^\s*--\s*(\S.* as \w+,?|select\b.* union all)$/i;
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
    const inside = tokens.slice(index + 2, closeOf(tokens, index + 1));
    // For DISTINCT, Postgres (13 to 18) sorts the values inside of the aggregate and never hashes them, whatever the plan
    // around it: they come in the order of their type. A SELECT DISTINCT may be hashed, so its order is open.
    const ordered = inside.some(
      ({ text: word, depth }, at) =>
        depth === open.depth + 1 && (word === 'order' || (at === 0 && word === 'distinct')),
    );
    if (!ordered) found.add(text);
  });
  return [...found];
}
