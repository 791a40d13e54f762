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

/** A question of a draft that nobody has answered. */
export interface OpenDecision {
  readonly question: string;
  /** In the query's text, from 1. */
  readonly line: number;
  /** Whether a condition or a column is offered below it, still commented out. */
  readonly isOffered: boolean;
}

const QUESTION = /^(.*?)--\s*decide:\s*(.*)$/i;
const COMMENT = /^\s*--\s?(.*)$/;
/** The condition or the column that a draft offers, still commented out. */
const OFFER = /^\s*--\s*(and\b.*|\S.* as \w+,?|select\b.* union all)$/i;
const TAKEN = /^\s*and\b/i;

/**
 * The questions of a drafted query that nobody has answered: its comments with `decide:`. One whose condition is no longer
 * commented out is answered.
 */
export function openDecisions(sql: string): readonly OpenDecision[] {
  const lines = sql.split(/\r?\n/);
  return lines.flatMap((line, at) => {
    const [, before = '', begin] = QUESTION.exec(line) ?? [];
    if (begin === undefined) return [];
    // A long question goes on in the next comment.
    const rest = lines.slice(at + 1, at + LONGEST_QUESTION);
    const end = rest.findIndex((each) => !COMMENT.test(each) || QUESTION.test(each) || OFFER.test(each));
    const more = rest.slice(0, end === -1 ? undefined : end);
    const below = rest[more.length] ?? '';
    if (before.trim() === '' && TAKEN.test(below)) return [];
    const question = [begin, ...more.map((each) => COMMENT.exec(each)?.[1] ?? '')];
    return [
      { question: question.map((part) => part.trim()).join(' '), line: at + 1, isOffered: OFFER.test(below) },
    ];
  });
}

const LONGEST_QUESTION = 20;

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
