import type { QueryToken } from './query-tokens.js';

/** Cuts before each token that begins a part; that token stays in the part. Pure. */
export function splitTokens(
  tokens: readonly QueryToken[],
  begins: (token: QueryToken, index: number) => boolean,
): readonly (readonly QueryToken[])[] {
  const parts: QueryToken[][] = [[]];
  tokens.forEach((token, index) => {
    if (begins(token, index)) parts.push([]);
    parts.at(-1)?.push(token);
  });
  return parts;
}
