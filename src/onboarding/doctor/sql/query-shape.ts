import { nameOf, queryTokens, type QueryToken } from './query-tokens.js';
import { readSelect, SET_WORDS, type SelectShape } from './read-select.js';
import { splitTokens } from './split-tokens.js';

/** What is certain about how a query is built. */
export interface QueryShape {
  /** `with … as (…)` before the SELECT; empty: none. */
  readonly prefix: string;
  /** Names of the CTEs. */
  readonly ctes: ReadonlyMap<string, string>;
  /** Whether every SELECT was found; a query in parentheses, for instance, is not read. */
  readonly understood: boolean;
  /** More than one: a UNION. One without FROM is left out. */
  readonly selects: readonly SelectShape[];
}

/**
 * How a query is built: base table, joins and conditions of each SELECT. Says nothing of what it does not understand. Pure.
 */
export function queryShape(sql: string): QueryShape {
  const all = queryTokens(sql);
  const semicolon = all.findIndex(({ text, depth }) => text === ';' && depth === 0);
  const tokens = semicolon === -1 ? all : all.slice(0, semicolon);
  const begin = tokens.findIndex(({ text, depth }) => text === 'select' && depth === 0);
  if (begin === -1) return { prefix: '', ctes: new Map(), selects: [], understood: false };
  const first = tokens[begin];
  const ctes = tokens[0]?.text === 'with' ? readCtes(sql, tokens.slice(1, begin)) : new Map<string, string>();
  const prefix = begin === 0 || first === undefined ? '' : sql.slice(0, first.start);
  const understood = begin === 0 || tokens[0]?.text === 'with';
  const selects = splitTokens(
    tokens.slice(begin),
    ({ text, depth }) => depth === 0 && SET_WORDS.includes(text),
  )
    .map((part) => readSelect(sql, part, ctes))
    .filter((shape) => shape !== null);
  return { prefix, ctes, selects, understood };
}

function readCtes(sql: string, tokens: readonly QueryToken[]): Map<string, string> {
  const found = new Map<string, string>();
  tokens.forEach((token, index) => {
    const name = nameOf(token);
    if (token.depth !== 0 || name === null || name === 'as' || name === 'recursive') return;
    const after = tokens.slice(index + 1);
    const as = after.findIndex(({ text, depth }) => depth === 0 && text === 'as');
    const open = after.find(({ text, depth }, at) => at > as && depth === 0 && text === '(');
    const between = as > 0 ? after.slice(0, as).filter(({ depth }) => depth === 0) : [];
    if (as === -1 || open === undefined || between.some(({ text }) => text !== '(' && text !== ')')) return;
    const close = after.find(({ text, depth, start }) => text === ')' && depth === 0 && start > open.start);
    if (close) found.set(name, sql.slice(open.end, close.start));
  });
  return found;
}
