import { queryTokens } from './query-tokens.js';

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

/** The aggregates of a query that have no ORDER BY, each once; `array` for `array(select …)`. Pure. */
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
