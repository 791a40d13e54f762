/** Headers in which services announce their rate: `RateLimit-Policy`, `X-RateLimit-Limit` and the like. */
const RATE_HEADER = /^(x-)?rate-?limit/;
/** Longest value that is kept. */
const LONGEST = 200;

/** The rate headers of a reply, whose names are in lower case; undefined: it has none. */
export function rateHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> | undefined {
  const found = Object.entries(headers).flatMap(([name, value]) => {
    const first = typeof value === 'string' ? value : value?.[0];
    return RATE_HEADER.test(name) && first !== undefined ? [[name, first.slice(0, LONGEST)] as const] : [];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}
