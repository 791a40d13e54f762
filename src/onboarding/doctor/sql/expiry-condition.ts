import { queryTokens } from './query-tokens.js';

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

/** Whether a WHERE, HAVING or ON of the query compares with the present time, so that records leave it by themselves. Pure. */
export function hasExpiryCondition(sql: string): boolean {
  const clauses: string[] = [];
  const tokens = queryTokens(sql);
  return tokens.some(({ kind, text, depth }, index) => {
    clauses.length = depth + 1;
    if (kind === 'text') return /^'(now|today|tomorrow|yesterday)'$/i.test(text) && isCondition(clauses);
    if (kind !== 'word') return false;
    if (CLAUSES.has(text)) clauses[depth] = text;
    const present = WORDS.has(text) || (FUNCTIONS.has(text) && tokens[index + 1]?.text === '(');
    return present && isCondition(clauses);
  });
}

/** The innermost clause of a SELECT counts: a SELECT list within WHERE is none. */
function isCondition(clauses: readonly (string | undefined)[]): boolean {
  const innermost = clauses.findLast((clause) => clause !== undefined);
  return innermost !== undefined && ['where', 'having', 'on'].includes(innermost);
}
