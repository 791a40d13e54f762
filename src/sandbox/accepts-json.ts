/** Media ranges that JSON is in, the closest first (RFC 9110 §12.5.1). */
const RANGES = ['application/json', 'application/*', '*/*'];

/**
 * Whether an Accept header takes `application/json`. The closest range decides, and `q=0` refuses. Null, a missing
 * header, does not: the operator's pages ask for the header.
 */
export function acceptsJson(accept: string | null): boolean {
  const quality = new Map<string, number>();
  for (const part of (accept ?? '').toLowerCase().split(',')) {
    const [range = '', ...parameters] = part.split(';').map((each) => each.trim());
    const q = parameters.find((each) => each.startsWith('q='));
    quality.set(range, q === undefined ? 1 : Number(q.slice(2)));
  }
  const closest = RANGES.find((range) => quality.has(range));
  return closest !== undefined && (quality.get(closest) ?? 0) > 0;
}
