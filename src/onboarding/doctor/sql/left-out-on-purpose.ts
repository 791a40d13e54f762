import { queryTokens } from './query-tokens.js';

/** Whether a comment of the query says `join NAME`: that this join leaves rows out on purpose. Pure. */
export function leftOutOnPurpose(sql: string, names: readonly string[]): boolean {
  let end = 0;
  const gaps = queryTokens(sql).map((token) => {
    const gap = sql.slice(end, token.start);
    end = token.end;
    return gap;
  });
  const comments = [...gaps, sql.slice(end)].join('\n');
  return names.some((name) => {
    const pattern = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp(`\\bjoin\\s+${pattern}(?![\\w$.])`, 'i').test(comments);
  });
}
